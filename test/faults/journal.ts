import type { OrderRequestStatus } from '../../src/ground/contract/order.ts';
import type { RedemptionState } from '../../src/ground/contract/redemption.ts';
import { pools } from '../../src/ground/database/pools.ts';
import type { Order } from './orders.ts';
import type { Praise, Purchase, Sale, Shoutout, Spending, SpentTogether } from './written.ts';

/** An answer's status, or 0 if there was no answer. */
export interface Answer {
  status: number;
  ms: number;
  /** Why there is no answer. */
  lost: string | null;
  retryAfter: string | null;
  replayed: boolean;
  text: string;
}

/** Written down before it is sent. */
export interface Attempt {
  key: string;
  order: Order;
  answer: Answer | null;
  requestId: string | null;
}

/** Which answers are allowed during a fault. */
export interface Rules {
  /** Whether a connection may break before the answer: never by default. */
  mayBeLost: boolean;
  /** Whether one key is used with several bodies on purpose. */
  mayMismatch: boolean;
  maxMs: number;
}

export const hung = 'hung';
const shownViolations = 12;

/** The shortest time limit of a request: how long it waits for a lock. */
const timeLimitMs = pools.requests.lockTimeoutMs;
/** The longest patience that is used on a quiet machine. */
const quietPatience = 3;

/** Everything that clients sent and were answered, and the violations found. */
export class Journal {
  readonly attempts: Attempt[] = [];
  readonly praises: Praise[] = [];
  /** Orders on the small budget. */
  readonly purchases: Purchase[] = [];
  /** What recipients have chosen there on the pages of their gifts. */
  readonly spendings: Spending[] = [];
  /** What a person has spent of several gifts there. */
  readonly spentTogether: SpentTogether[] = [];
  /** What tills have taken there. */
  readonly sales: Sale[] = [];
  /** What was decided there about requests, as it was answered, by redemption. */
  readonly spendingRequests = new Map<number, RedemptionState>();
  /** People whom an import adds, by identity, whether anybody recognizes them or not. */
  readonly imported = new Set<string>();
  /** The surviving record's identity, by the merged one's. */
  readonly merged = new Map<string, string>();
  readonly rules: Rules;
  /** How many histories the database has in the end: more than one if the fault lets it go back in time. */
  histories = 1;
  /** Whether the ledger was verified after the fault, and every cent was found. */
  ledgerAgrees = false;
  /** Multiplies every time limit, for a shared machine. */
  readonly patience: number;
  /** After this time a request is given up as hung. */
  readonly hungAfterMs: number;
  /** Orders that must fail, with their reason. */
  failureOf: (order: Order) => string | null = () => null;
  /** Responses with 503: what each said, and after how long. On a busy machine without those that a time limit has cut off. */
  readonly rejections: string[] = [];
  readonly #statuses = new Map<string, number>();
  readonly #finals = new Map<string, string>();
  readonly #violations: string[] = [];
  #sent = 0;

  constructor(patience: number) {
    this.patience = patience;
    this.hungAfterMs = 12_000 * patience;
    this.rules = { mayBeLost: false, mayMismatch: false, maxMs: 5_000 * patience };
  }

  write(key: string, order: Order): Attempt {
    const attempt: Attempt = { key, order, answer: null, requestId: null };
    this.attempts.push(attempt);
    return attempt;
  }

  writePraise(key: string, shoutout: Shoutout): Praise {
    const praise: Praise = { key, shoutout, id: null, asked: null, told: null };
    this.praises.push(praise);
    return praise;
  }

  answered(attempt: Attempt, answer: Answer): void {
    attempt.answer = answer;
    this.count(answer);
    this.judge(`POST with key ${attempt.key}`, answer, this.rules.mayMismatch ? [201, 422] : [201]);
    if (answer.status !== 201) return;
    const record = JSON.parse(answer.text) as OrderRequestStatus;
    attempt.requestId = record.requestId;
    if (!answer.replayed && record.requestStatus !== 'ACCEPTED')
      this.violated(`A fresh order was answered with ${record.requestStatus}.`);
    this.observe(record);
  }

  count({ status, lost, ms, text }: Answer): void {
    this.#sent++;
    const isCutOff = ms >= timeLimitMs && this.patience > quietPatience;
    if (status === 503 && !isCutOff) this.rejections.push(`${seconds(ms)}: ${text.slice(0, 200)}`);
    const name = lost ?? String(status);
    this.#statuses.set(name, (this.#statuses.get(name) ?? 0) + 1);
  }

  /** Checks that an answer has an expected status or is a 503 with Retry-After, and came in time. */
  judge(what: string, answer: Answer, good: readonly number[]): void {
    const { status, ms, lost, retryAfter, text } = answer;
    if (lost === hung) this.violated(`${what} was left without an answer for ${seconds(ms)}.`);
    else if (lost !== null && !this.rules.mayBeLost) this.violated(`${what} lost its connection (${lost}).`);
    if (lost !== null) return;
    if (ms > this.rules.maxMs + this.extraMs(what))
      this.violated(`${what} was answered ${status} only after ${seconds(ms)}.`);
    if (status === 503 && retryAfter === null) this.violated(`${what} was answered 503 without Retry-After.`);
    if (status !== 503 && !good.includes(status))
      this.violated(`${what} was answered ${status}: ${text.slice(0, 200)}.`);
  }

  /** A payroll export is closed in one transaction. On a server that hangs it waits for the time limit of its statements, longer than others. */
  extraMs(what: string): number {
    return what.includes('/payroll-exports') ? pools.payroll.statementTimeoutMs * this.patience : 0;
  }

  /** Checks that a final state never changes. */
  observe({ requestId, requestStatus, orderStep, orderId }: OrderRequestStatus): void {
    const seen = this.#finals.get(requestId);
    const now = `${requestStatus}/${orderStep} with orderId ${orderId}`;
    if (seen !== undefined && seen !== now) this.violated(`Order ${requestId} was ${seen} and became ${now}.`);
    const steps: Record<string, string> = { ACCEPTED: 'PENDING', COMPLETED: 'COMPLETED', FAILED: 'FAILED' };
    if (orderStep !== steps[requestStatus] || (orderId !== null) !== (requestStatus === 'COMPLETED'))
      this.violated(`Order ${requestId} is in the impossible state ${now}.`);
    if (requestStatus !== 'ACCEPTED') this.#finals.set(requestId, now);
  }

  violated(sentence: string): void {
    this.#violations.push(sentence);
  }

  require(holds: boolean, sentence: string): void {
    if (!holds) this.violated(sentence);
  }

  get sent(): number {
    return this.#sent;
  }

  get violations(): number {
    return this.#violations.length;
  }

  /** Answers by status, the most frequent first. */
  statuses(): [string, number][] {
    return [...this.#statuses].sort(([, a], [, b]) => b - a);
  }

  sentences(): string[] {
    const shown = this.#violations.slice(0, shownViolations);
    const rest = this.#violations.length - shown.length;
    return rest > 0 ? [...shown, `And ${rest} more.`] : shown;
  }

  /** The surviving identity after all merges. */
  whoIs(identity: string): string {
    let remaining = identity;
    for (let next = this.merged.get(remaining); next !== undefined; next = this.merged.get(remaining)) remaining = next;
    return remaining;
  }

  accepted(): Attempt[] {
    return this.attempts.filter(({ requestId }) => requestId !== null);
  }
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
