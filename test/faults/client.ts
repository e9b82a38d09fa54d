import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OrderRequestStatus } from '../../src/ground/contract/order.ts';
import { within } from '../support/eventually.ts';
import { type Answer, type Attempt, hung, type Journal } from './journal.ts';
import type { Order } from './orders.ts';
import type { Praise, Verb } from './written.ts';

export interface Access {
  workspaceId: number;
  token: string;
}

/** What goes with a request: JSON, or a text of some other type. */
interface Sent {
  key?: string;
  body?: unknown;
  text?: string | undefined;
  type?: string;
  accept?: string;
  workspaceId?: number;
}

/** How long a service that has just recovered may go on refusing. */
const busyMs = 10_000;

/** A caller of the API that writes down what it sends before it sends it. */
export class Client {
  // Idle connections end well before the service would end them, at the same moment as a request comes.
  readonly #agent = new Agent({ keepAlive: true, timeout: 30_000 });
  readonly #access: Access;
  readonly journal: Journal;
  #closed = false;
  #underWay = 0;
  url: string;

  constructor(url: string, access: Access, journal: Journal) {
    this.url = url;
    this.#access = access;
    this.journal = journal;
  }

  get workspaceId(): number {
    return this.#access.workspaceId;
  }

  /** The same caller with another token. */
  as(token: string): Client {
    return new Client(this.url, { ...this.#access, token }, this.journal);
  }

  headers(key?: string, workspaceId = this.#access.workspaceId): Record<string, string> {
    return {
      Authorization: `Bearer ${this.#access.token}`,
      'X-Workspace-id': String(workspaceId),
      ...(key !== undefined && { 'Content-Type': 'application/json', 'Idempotency-Key': key }),
    };
  }

  async create(key: string, order: Order): Promise<Attempt> {
    const attempt = this.journal.write(key, order);
    const answer = await this.#exchange('POST', '/api/v1/orders', this.headers(key), JSON.stringify(order));
    this.journal.answered(attempt, answer);
    return attempt;
  }

  /** Sends a shoutout; it has an id when it was recorded. */
  async praise(praise: Praise): Promise<void> {
    const body = JSON.stringify(praise.shoutout);
    this.#note(praise, await this.#exchange('POST', '/api/v1/shoutouts', this.headers(praise.key), body), 201);
  }

  async decide(praise: Praise, verb: Verb): Promise<void> {
    praise.asked = verb;
    this.#note(praise, await this.#exchange('POST', `/api/v1/shoutouts/${praise.id}/${verb}`, this.headers()), 200);
  }

  #note(praise: Praise, answer: Answer, good: number): void {
    this.journal.count(answer);
    this.journal.judge(`POST of shoutout ${praise.key}`, answer, [good]);
    if (answer.status !== good) return;
    const { id, status } = JSON.parse(answer.text) as { id: number; status: string };
    this.journal.require(praise.id === null || praise.id === id, `Shoutout ${praise.id} was answered as ${id}.`);
    praise.id = id;
    praise.told = status;
  }

  /** Reads the status of an accepted order, which must exist. */
  async status(requestId: string): Promise<OrderRequestStatus | null> {
    const answer = await this.get(`/api/v1/orders/status/${requestId}`);
    if (answer.status !== 200) return null;
    const record = JSON.parse(answer.text) as OrderRequestStatus;
    this.journal.observe(record);
    return record;
  }

  /** Any request, also in another workspace of the token. */
  async send(
    method: string,
    path: string,
    good: readonly number[],
    { key, body, text = JSON.stringify(body), type = 'application/json', accept, workspaceId }: Sent = {},
  ): Promise<Answer> {
    const { 'Content-Type': _, ...own } = this.headers(key, workspaceId);
    const headers = { ...own, ...(text !== undefined && { 'Content-Type': type }), ...(accept && { Accept: accept }) };
    const answer = await this.#exchange(method, path, headers, text);
    this.journal.count(answer);
    this.journal.judge(`${method} ${path}`, answer, good);
    return answer;
  }

  async get(path: string, good: readonly number[] = [200]): Promise<Answer> {
    const answer = await this.#exchange('GET', path, this.headers());
    this.journal.count(answer);
    this.journal.judge(`GET ${path}`, answer, good);
    return answer;
  }

  /** Repeats a read while the service is busy. Null if it stays busy. */
  async read<Body>(path: string): Promise<Body | null> {
    let answer: Answer | null = null;
    const isAnswered = async () => {
      answer = await this.get(path);
      return answer.status !== 503 && answer.lost === null;
    };
    await within(busyMs * this.journal.patience, isAnswered, 100);
    const { status, text } = answer as unknown as Answer;
    return status === 200 ? (JSON.parse(text) as Body) : null;
  }

  /** Resolves at a moment when requests are under way, so that what is broken then is broken under load. */
  async busy(): Promise<void> {
    const isBusy = async () => {
      // Answers that have come meanwhile are read first.
      await sleep(1);
      return this.#underWay > 0;
    };
    const isUnderLoad = await within(busyMs * this.journal.patience, isBusy, 0);
    this.journal.require(isUnderLoad, 'No request was under way when something was broken.');
  }

  /** Whether clients must stop sending. */
  get isClosed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#closed = true;
    this.#agent.destroy();
  }

  #exchange(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
    const began = performance.now();
    this.#underWay++;
    return new Promise<Answer>((resolve) => {
      const finish = (answer: Partial<Answer>) => {
        clearTimeout(timer);
        const ms = performance.now() - began;
        resolve({ status: 0, lost: null, retryAfter: null, replayed: false, text: '', ...answer, ms });
      };
      const sent = request(this.url + path, { method, headers, agent: this.#agent });
      const timer = setTimeout(() => {
        finish({ lost: hung });
        sent.destroy();
      }, this.journal.hungAfterMs + this.journal.extraMs(path));
      sent.on('error', (error: NodeJS.ErrnoException) => finish({ lost: error.code ?? error.message }));
      sent.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('error', (error: NodeJS.ErrnoException) => finish({ lost: error.code ?? error.message }));
        response.on('end', () =>
          finish({
            status: response.statusCode as number,
            retryAfter: response.headers['retry-after'] ?? null,
            replayed: response.headers['idempotent-replayed'] === 'true',
            text,
          }),
        );
      });
      sent.end(body);
    }).finally(() => this.#underWay--);
  }
}
