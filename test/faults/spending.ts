import { setTimeout as sleep } from 'node:timers/promises';
import { verifyLedger } from '../../src/budgets/verify.ts';
import type { OrderRecord, OrderRequestStatus } from '../../src/contract/order.ts';
import { shortOf } from './budgets.ts';
import type { Client } from './client.ts';
import type { Answer } from './journal.ts';
import { type Order, randomOrder } from './orders.ts';
import type { Random } from './random.ts';
import type { Rig } from './rig.ts';

/** An order on the small budget, written down before it is sent. */
export interface Purchase {
  key: string;
  order: Order;
  requestId: string | null;
  /** Whether it did not fit into the budget. It was not sent again after that. */
  isRefused: boolean;
}

const lanes = 2;
const pauseMs = 200;
const lastRetriesMs = 30_000;
const highestCents = 20_000;

/** Clients that order in the workspace with too small a budget, and cancel gifts there, so that others fit again. */
export function startSpending(client: Client, random: Random): { stop(): Promise<void> } {
  const name = random.int(0, 0xffffff).toString(36);
  let stopsAt = Number.POSITIVE_INFINITY;
  const shopper = new Shopper(client, () => client.isClosed || Date.now() > stopsAt);
  const lane = async (index: number) => {
    for (let nth = 0; stopsAt === Number.POSITIVE_INFINITY && !client.isClosed; nth++) {
      const own = random.fork(`spending ${index} ${nth}`);
      if (own.chance(0.4)) await shopper.cancel(own);
      else await shopper.order(`spending-${name}-${index}-${nth}`, smallOrder(own), own);
      await sleep(own.int(0, pauseMs));
    }
  };
  const work = Array.from({ length: lanes }, (_, index) => lane(index));
  return {
    async stop() {
      stopsAt = Date.now() + lastRetriesMs;
      await Promise.all(work);
    },
  };
}

function smallOrder(random: Random): Order {
  const { orderItems, ...order } = randomOrder(random, { people: 20, maxGifts: 3 });
  const cheap = orderItems.map((gift) => ({ ...gift, amount: random.int(100, highestCents) / 100 }));
  return { ...order, currency: 'CAD', orderItems: cheap };
}

class Shopper {
  readonly #client: Client;
  readonly #isOver: () => boolean;
  /** Orders whose gifts are not known yet, and gifts that can be cancelled. */
  readonly #unread: string[] = [];
  readonly #gifts: number[] = [];

  constructor(client: Client, isOver: () => boolean) {
    this.#client = client;
    this.#isOver = isOver;
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

  /** A gift whose cancellation was not answered is cancelled again some day. */
  async cancel(random: Random): Promise<void> {
    await this.#readGifts();
    if (this.#gifts.length === 0) return;
    const gift = random.pick(this.#gifts);
    const { status } = await this.#send('POST', `/api/v1/gifts/${gift}/cancel`, [200]);
    if (status === 200) this.#gifts.splice(this.#gifts.indexOf(gift), 1);
  }

  async #readGifts(): Promise<void> {
    const requestId = this.#unread.shift();
    if (requestId === undefined) return;
    const { status, text } = await this.#send('GET', `/api/v1/orders/${requestId}`, [200]);
    const record = status === 200 ? (JSON.parse(text) as OrderRecord) : null;
    if (record?.state === 'COMPLETED') this.#gifts.push(...record.certificates.map(({ id }) => id));
    else this.#unread.push(requestId);
  }

  #send(method: string, path: string, good: readonly number[], sent = {}): Promise<Answer> {
    return this.#client.send(method, path, good, { ...sent, workspaceId: shortOf(this.#client.workspaceId) });
  }
}

/** Checks that every cent is accounted for, that accepted orders are there, and that nothing is of those that were refused. */
export async function compareSpending(rig: Rig, { journal, workspaceId }: Client): Promise<void> {
  const { faults } = await verifyLedger(rig.database);
  for (const { budgetId, number, problem } of faults)
    journal.violated(`The ledger, budget ${budgetId}, entry ${number}: ${problem}`);
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
