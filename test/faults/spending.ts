import { setTimeout as sleep } from 'node:timers/promises';
import type { OrderRecord, OrderRequestStatus } from '../../src/ground/contract/order.ts';
import { verifyLedger } from '../../src/insight/books/verify.ts';
import type { Random } from '../support/random.ts';
import { poolId, retailer, shortOf } from './budgets.ts';
import type { Client } from './client.ts';
import type { Answer } from './journal.ts';
import { type Order, randomOrder } from './orders.ts';
import { comparePayroll, Payroll } from './payroll.ts';
import { compareSpendings, type HeldGift, Recipient } from './recipient.ts';
import type { Rig } from './rig.ts';
import { compareSpentTogether } from './saver.ts';
import { compareRequests, Helpers } from './spending-requests.ts';
import { compareSales, Till } from './till.ts';
import type { Purchase } from './written.ts';

const lanes = 3;
const pauseMs = 200;
const lastRetriesMs = 30_000;
const highestCents = 20_000;
/** How often each is done. */
const mix =
  'order order order end end end spend spend spend sell sell fill close readAgain reverse decide decide'.split(' ');

/** Clients that order in the workspace with too small a budget, cancel gifts there, so that others fit again, and spend some. */
export function startSpending(client: Client, random: Random, rest: number): { stop(): Promise<void> } {
  const name = random.int(0, 0xffffff).toString(36);
  let stopsAt = Number.POSITIVE_INFINITY;
  const isOver = () => client.isClosed || Date.now() > stopsAt;
  const recipient = new Recipient(client, isOver);
  const shopper = new Shopper(client, isOver, recipient);
  const payroll = new Payroll(client, isOver);
  const helpers = new Helpers(client);
  const actions: Record<string, (key: string, own: Random) => Promise<void>> = {
    order: (key, own) => shopper.order(key, smallOrder(own), own),
    end: (_, own) => shopper.endOne(own),
    sell: (key, own) => shopper.sellToOne(key, own),
    spend: (_, own) => recipient.spend(uuidOf(own), own),
    fill: (_, own) => shopper.fillPool(own),
    close: (key, own) => payroll.close(key, own),
    readAgain: (_, own) => payroll.readAgain(own),
    reverse: (_, own) => payroll.reverse(own),
    decide: (_, own) => helpers.decide(own),
  };
  const lane = async (index: number) => {
    for (let nth = 0; stopsAt === Number.POSITIVE_INFINITY && !client.isClosed; nth++) {
      const own = random.fork(`spending ${index} ${nth}`);
      const key = `spending-${name}-${index}-${nth}`;
      await actions[own.pick(mix)]?.(key, own);
      await sleep(own.int(0, pauseMs * rest));
    }
  };
  const work = Array.from({ length: lanes }, (_, index) => lane(index));
  return {
    async stop() {
      stopsAt = Date.now() + lastRetriesMs * client.journal.patience;
      await Promise.all(work);
    },
  };
}

/** A key as the page makes it. */
function uuidOf(random: Random): string {
  const digits = Array.from({ length: 32 }, () => random.int(0, 15).toString(16)).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function smallOrder(random: Random): Order {
  const { orderItems, ...order } = randomOrder(random, { people: 20, maxGifts: 3 });
  const cheap = orderItems.map((gift) => ({ ...gift, amount: random.int(100, highestCents) / 100 }));
  return { ...order, currency: 'CAD', orderItems: cheap };
}

class Shopper {
  readonly #client: Client;
  readonly #isOver: () => boolean;
  readonly #recipient: Recipient;
  readonly #till: Till;
  /** Orders whose gifts are not known yet, and gifts that nobody has claimed or cancelled. */
  readonly #unread: string[] = [];
  readonly #gifts: HeldGift[] = [];

  constructor(client: Client, isOver: () => boolean, recipient: Recipient) {
    this.#client = client;
    this.#isOver = isOver;
    this.#recipient = recipient;
    this.#till = new Till(client, isOver);
  }

  /** Sends the order with its key until it is accepted or does not fit. */
  async order(key: string, order: Order, random: Random): Promise<void> {
    const purchase: Purchase = { key, order, requestId: null, isRefused: false };
    this.#client.journal.purchases.push(purchase);
    while (purchase.requestId === null && !purchase.isRefused && !this.#isOver()) {
      const { status, text } = await this.#send('POST', '/api/v1/orders', [201, 402], { key, body: order });
      if (status === 201) purchase.requestId = (JSON.parse(text) as OrderRequestStatus).requestId;
      else if (status === 402) purchase.isRefused = true;
      else await sleep(random.int(50, 250));
    }
    if (purchase.requestId !== null) this.#unread.push(purchase.requestId);
  }

  /** Shows a gift at a till. It stays in the list: what others try with it later is refused, or not. */
  async sellToOne(key: string, random: Random): Promise<void> {
    await this.#readGifts();
    if (this.#gifts.length > 0) await this.#till.sell(key, random.pick(this.#gifts), random);
  }

  /** Claims or cancels a gift. One whose claim or cancellation was not answered may have either: then the other is refused. */
  async endOne(random: Random): Promise<void> {
    await this.#readGifts();
    if (this.#gifts.length === 0) return;
    const gift = random.pick(this.#gifts);
    const isEnded = random.chance(0.5) ? await this.#recipient.claim(gift) : await this.#cancel(gift);
    if (isEnded) this.#gifts.splice(this.#gifts.indexOf(gift), 1);
  }

  async #cancel({ id }: HeldGift): Promise<boolean> {
    const { status } = await this.#send('POST', `/api/v1/gifts/${id}/cancel`, [200, 409]);
    return status === 200;
  }

  /** Codes that nobody else has: a file whose answer was lost is not sent again. */
  async fillPool(random: Random): Promise<void> {
    const lines = Array.from({ length: 3 }, () => `${retailer},5,CODE-${uuidOf(random).replaceAll('-', '')},,`);
    const text = ['retailer,value,code,pin,expiry', ...lines, ''].join('\n');
    await this.#send('POST', `/api/v1/pools/${poolId}/codes`, [201], { text, type: 'text/csv' });
  }

  async #readGifts(): Promise<void> {
    const requestId = this.#unread.shift();
    if (requestId === undefined) return;
    const { status, text } = await this.#send('GET', `/api/v1/orders/${requestId}`, [200]);
    const record = status === 200 ? (JSON.parse(text) as OrderRecord) : null;
    if (record?.state === 'COMPLETED')
      this.#gifts.push(...record.certificates.map(({ id, longToken: token, amount }) => ({ id, token, amount })));
    else this.#unread.push(requestId);
  }

  #send(method: string, path: string, good: readonly number[], sent = {}): Promise<Answer> {
    return this.#client.send(method, path, good, { ...sent, workspaceId: shortOf(this.#client.workspaceId) });
  }
}

/**
 * Checks that every cent is accounted for, that accepted orders and what recipients have spent are there, and that nothing is of those
 * that were refused.
 */
export async function compareSpending(rig: Rig, client: Client): Promise<void> {
  const { journal, workspaceId } = client;
  const { faults } = await verifyLedger(rig.database);
  for (const { budgetId, number, problem } of faults)
    journal.violated(`The ledger, budget ${budgetId}, entry ${number}: ${problem}`);
  journal.ledgerAgrees = faults.length === 0;
  await compareSpendings(rig, client);
  await compareSales(rig, client);
  await comparePayroll(rig, client);
  await compareRequests(rig, client);
  await compareSpentTogether(rig, client);
  const stored = await rig.database.query<{ key: string; requestId: string }>(
    'select idempotency_key as key, request_id as "requestId" from order_requests where workspace_id = $1',
    [shortOf(workspaceId)],
  );
  const byKey = new Map(stored.map(({ key, requestId }) => [key, requestId]));
  for (const { key, requestId, isRefused } of journal.purchases) {
    if (isRefused && byKey.has(key)) journal.violated(`Order ${byKey.get(key)} was answered 402 and is stored.`);
    if (requestId !== null && byKey.get(key) !== requestId)
      journal.violated(`Key ${key} was answered 201 and there is no such order.`);
  }
}
