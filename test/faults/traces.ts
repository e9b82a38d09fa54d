import { setTimeout as sleep } from 'node:timers/promises';
import type { EventPage } from '../../src/ground/contract/event-list.ts';
import type { OrderRecord, OrderRequestStatus } from '../../src/ground/contract/order.ts';
import { within } from '../support/eventually.ts';
import type { Random } from '../support/random.ts';
import { cookieFrom, useLink } from '../support/sign-in.ts';
import { tracedOf } from './budgets.ts';
import type { Client } from './client.ts';
import type { Journal } from './journal.ts';
import type { Order } from './orders.ts';

/** What was there before some work, in the workspace of that work. */
export interface Before {
  budgetId: number;
  /** An order that was fulfilled; its gift gets another address. */
  corrected: string;
  /** Orders that were not fulfilled. */
  waiting: string[];
  latestEvent: number;
  latestAudit: number;
}

/** What callers and recipients got to know by some work. None of it may ever refer to anything else (src/ground/database/history.ts). */
export interface Traces {
  /** Ids, numbers, links, codes and secrets, by kind. */
  issued: Record<string, readonly (string | number)[]>;
  gifts: readonly { longToken: string; shortToken: string }[];
  /** Addresses that find what was created. */
  paths: readonly string[];
  eventNumbers: readonly number[];
  apiToken: string;
  /** The secret of a link that was not used. */
  signInLink: string;
  cookie: string;
}

const finishedWithinMs = 30_000;
const repeatMs = 100;
const budgetAmount = 100_000;

/** A caller in the workspace of traces, who repeats what the service is too busy for. */
export class Tracer {
  readonly #client: Client;
  readonly #random: Random;

  constructor(client: Client, random: Random) {
    this.#client = client;
    this.#random = random;
  }

  /** Creates what later work changes. */
  async prepare(): Promise<Before> {
    const budget = await this.#post<{ id: number }>('budgets', { currency: 'CAD', amount: budgetAmount });
    const [corrected] = (await this.#orders('prepared', 1)) as [string];
    await this.#fulfilled(corrected);
    const before = { budgetId: budget.id, corrected, waiting: [], latestEvent: 0, latestAudit: 0 };
    // Nodes have their connections then, and every kind of number has begun.
    await this.work(before, 'first');
    return before;
  }

  /** Sends an order that no worker is there to fulfil, and says how far the numbers are. */
  async wait(before: Before, name: string): Promise<Before> {
    const waiting = await this.#orders(name, 1);
    const { latest } = await this.#get<EventPage>('events?size=1');
    const { entries } = await this.#get<{ entries: { id: number }[] }>('audit?size=1');
    return { ...before, waiting, latestEvent: latest, latestAudit: entries[0]?.id ?? 0 };
  }

  /** Lets everything be issued that leaves the service. Its idempotency keys begin with the name. */
  async work(before: Before, name: string): Promise<Traces> {
    const requestIds = await this.#orders(name, 2);
    const orders = await Promise.all(requestIds.map((requestId) => this.#fulfilled(requestId)));
    const waited = await Promise.all(before.waiting.map((requestId) => this.#fulfilled(requestId)));
    const corrected = await this.#correct(before.corrected);
    const payroll = await this.#closePayroll(orders[0] as OrderRecord, name);
    const entry = await this.#grant(before.budgetId);
    const shoutout = await this.#post<{ id: number }>('shoutouts', this.#shoutout(), `${name}-shoutout`);
    const webhook = await this.#post<{ id: number; secret: string }>('webhooks', { url: 'https://example.com/hook' });
    const rotated = await this.#post<{ secret: string }>(`webhooks/${webhook.id}/rotate`);
    const token = await this.#post<{ id: number; token: string }>('tokens', { name: 'Trace', scopes: ['orders:read'] });
    const [invited, signedIn] = [await this.#invite(), await this.#invite()];
    const reason = await this.#post<{ id: number }>('reasons', { description: `Reason ${this.#number()}` });
    const pool = await this.#post<{ id: number }>('pools', { name: `Pool ${this.#number()}`, currency: 'CAD' });
    const answer = await useLink(this.#client.url, signedIn.secret);
    // The node keeps in memory that it may call.
    await this.#call(token.token, 200);
    const { events } = await this.#get<EventPage>(`events?after=${before.latestEvent}&size=1000`);
    const { entries } = await this.#get<{ entries: { id: number }[] }>('audit?size=100');
    const gifts = [...orders, ...waited].flatMap(({ certificates }) => certificates);
    return {
      issued: {
        orders: [...orders, ...waited].map(({ id }) => id as number),
        requests: requestIds,
        gifts: gifts.map(({ id }) => id),
        members: gifts.map(({ recipientUser }) => recipientUser),
        links: [...gifts, corrected].map(({ longToken }) => longToken),
        codes: [...gifts, corrected].map(({ shortToken }) => shortToken),
        'payroll exports': [payroll],
        'ledger entries': [entry],
        shoutouts: [shoutout.id],
        webhooks: [webhook.id],
        secrets: [webhook.secret, rotated.secret],
        tokens: [token.id, token.token, invited.id, signedIn.id],
        reasons: [reason.id],
        pools: [pool.id],
        events: events.map(({ id }) => id),
        'audit entries': entries.map(({ id }) => id).filter((id) => id > before.latestAudit),
      },
      gifts: [...gifts, corrected],
      paths: [
        ...requestIds.map((requestId) => `orders/${requestId}`),
        ...gifts.map(({ id }) => `gifts/${id}`),
        ...orders.flatMap(({ certificates }) => certificates.map(({ recipientUser }) => `members/${recipientUser}`)),
        ...events.map(({ id }) => `events/${id}`),
        `shoutouts/${shoutout.id}`,
        `webhooks/${webhook.id}`,
        `pools/${pool.id}`,
        `payroll-exports/${payroll}`,
        `budgets/${before.budgetId}/entries/${entry}`,
      ],
      eventNumbers: events.map(({ number }) => number),
      apiToken: token.token,
      signInLink: invited.secret,
      cookie: cookieFrom(answer),
    };
  }

  /** Checks that nothing of a lost time opens, finds or continues anything. */
  async expectLost(lost: Traces): Promise<void> {
    for (const { longToken, shortToken } of lost.gifts) {
      await this.#page('/g', { token: longToken }, [404]);
      await this.#page('/g', { code: shortToken }, [404]);
      await this.#send('POST', '/api/v1/gifts/check', [404], { body: { token: longToken } });
      await this.#send('POST', '/api/v1/gifts/check', [404], { body: { token: shortToken } });
    }
    for (const path of lost.paths) await this.#send('GET', `/api/v1/${path}`, [404]);
    for (const number of lost.eventNumbers) await this.#send('GET', `/api/v1/events?after=${number}`, [410]);
    await this.#call(lost.apiToken, 401);
    const { journal, url } = this.#client;
    const { status } = await useLink(url, lost.signInLink);
    journal.require(status === 401, `A sign-in link of the lost time was answered ${status}.`);
    const headers = { Cookie: lost.cookie, Origin: url, 'X-Workspace-id': String(this.#workspaceId) };
    const session = await fetch(`${url}/api/v1/me`, { headers });
    journal.require(session.status === 401, `A session of the lost time was answered ${session.status}.`);
  }

  get #workspaceId(): number {
    return tracedOf(this.#client.workspaceId);
  }

  /** Calls with another token. */
  async #call(token: string, good: number): Promise<void> {
    const other = this.#client.as(token);
    await other.send('GET', '/api/v1/me', [good], { workspaceId: this.#workspaceId });
    other.close();
  }

  #number(): number {
    return this.#random.int(0, 0xffffffff);
  }

  #order(gifts: number): Order {
    const orderItems = Array.from({ length: gifts }, (_, nth) => ({
      message: `Thank you ${this.#number()}`,
      amount: 10 * (nth + 1),
      recipient: { email: `trace.${this.#number()}@example.com`, firstName: 'Trace' },
    }));
    return { currency: 'CAD', language: 'EN_CA', orderItems };
  }

  #shoutout() {
    return { message: `Well done ${this.#number()}`, recipient: { email: `trace.${this.#number()}@example.com` } };
  }

  /** A response that was stored in a lost time is not repeated: with the same key, another order is a new one. */
  async #orders(name: string, count: number): Promise<string[]> {
    const requestIds: string[] = [];
    for (let nth = 0; nth < count; nth++) {
      const key = `${name}-${nth}`;
      const { text, replayed } = await this.#send('POST', '/api/v1/orders', [201], {
        key,
        body: this.#order(count - nth),
      });
      this.#client.journal.require(!replayed, `The key ${key} of a lost time was answered with the lost order.`);
      requestIds.push((JSON.parse(text) as OrderRequestStatus).requestId);
    }
    return requestIds;
  }

  async #fulfilled(requestId: string): Promise<OrderRecord> {
    let record: OrderRecord | null = null;
    const isFulfilled = await within(finishedWithinMs * this.#client.journal.patience, async () => {
      record = await this.#get<OrderRecord>(`orders/${requestId}?size=1000`);
      return record.state === 'COMPLETED';
    });
    if (!isFulfilled) throw new Error(`the order ${requestId} is not fulfilled`);
    return record as unknown as OrderRecord;
  }

  /** Sends the first gift of an order to another address. Returns its new tokens. */
  async #correct(requestId: string): Promise<OrderRecord['certificates'][number]> {
    const [gift] = (await this.#fulfilled(requestId)).certificates as [OrderRecord['certificates'][number]];
    const body = { email: `corrected.${this.#number()}@example.com` };
    // It cannot be corrected while it is being emailed.
    const isCorrected = await within(finishedWithinMs * this.#client.journal.patience, async () => {
      const answer = await this.#send('POST', `/api/v1/gifts/${gift.id}/correct`, [200, 409], { body });
      return answer.status === 200;
    });
    if (!isCorrected) throw new Error(`the gift ${gift.id} is not corrected`);
    return (await this.#fulfilled(requestId)).certificates[0] as typeof gift;
  }

  async #closePayroll({ certificates }: OrderRecord, name: string): Promise<number> {
    const [{ longToken: token, amount }] = certificates as [OrderRecord['certificates'][number]];
    await this.#page('/g/claim', { token }, [200]);
    const key = crypto.randomUUID();
    await this.#page('/g/spend', { token, option: 'payroll', amount: String(amount), key }, [200]);
    return (await this.#post<{ number: number }>('payroll-exports', undefined, `${name}-payroll`)).number;
  }

  async #grant(budgetId: number): Promise<number> {
    await this.#post(`budgets/${budgetId}/grants`, { amount: 1 });
    const { entries } = await this.#get<{ entries: { number: number }[] }>(`budgets/${budgetId}/entries?size=1`);
    return entries[0]?.number as number;
  }

  async #invite(): Promise<{ id: number; secret: string }> {
    const email = `user.${this.#number()}@example.com`;
    const user = await this.#post<{ id: number; link: string }>('users', { email, name: 'Ada', role: 'AUDITOR' });
    return { id: user.id, secret: new URL(user.link).hash.slice(1) };
  }

  async #post<Body>(path: string, body?: unknown, key?: string): Promise<Body> {
    const sent = { ...(body !== undefined && { body }), ...(key !== undefined && { key }) };
    const { text } = await this.#send('POST', `/api/v1/${path}`, [200, 201], sent);
    return JSON.parse(text) as Body;
  }

  async #get<Body>(path: string): Promise<Body> {
    return JSON.parse((await this.#send('GET', `/api/v1/${path}`, [200])).text) as Body;
  }

  #page(path: string, fields: Record<string, string>, good: readonly number[]) {
    const text = new URLSearchParams(fields).toString();
    return this.#send('POST', path, good, { text, type: 'application/x-www-form-urlencoded' });
  }

  async #send(method: string, path: string, good: readonly number[], sent: Parameters<Client['send']>[3] = {}) {
    const deadline = Date.now() + finishedWithinMs * this.#client.journal.patience;
    for (;;) {
      const answer = await this.#client.send(method, path, good, { ...sent, workspaceId: this.#workspaceId });
      if (good.includes(answer.status)) return answer;
      if (answer.status !== 503 || Date.now() > deadline)
        throw new Error(`${method} ${path} was answered ${answer.status}`);
      await sleep(repeatMs);
    }
  }
}

/** Checks that nothing that was issued later was issued in the lost time. */
export function expectDisjoint(journal: Journal, lost: Traces, later: Traces): void {
  for (const [kind, ids] of Object.entries(later.issued)) {
    const again = ids.filter((id) => lost.issued[kind]?.includes(id));
    journal.require(again.length === 0, `Issued again after the loss, ${kind}: ${again.join(', ')}.`);
    journal.require(ids.length > 0, `Nothing was issued after the loss, ${kind}.`);
  }
}
