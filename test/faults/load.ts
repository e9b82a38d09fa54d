import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '../support/eventually.ts';
import type { Random } from '../support/random.ts';
import type { Client } from './client.ts';
import type { Stage } from './fault.ts';
import type { Attempt } from './journal.ts';
import { type Order, type OrderKind, randomOrder } from './orders.ts';
import { startPraise } from './praise.ts';
import { startSpending } from './spending.ts';

export interface LoadOptions extends Partial<OrderKind> {
  clients?: number;
  /** The longest pause of a client between two orders. */
  pauseMs?: number;
  /** How many times as long the pauses of all are in the quick sizes, for a fault that waits most of its time. */
  slower?: number;
  /** How many times as long the pauses of those who spend gifts are. */
  restOfSpending?: number;
}

export interface Load {
  /** Resolves when so many more orders were accepted. */
  accepted(count: number): Promise<void>;
  /** Sends no new orders. Orders under way are repeated until accepted. */
  stop(): Promise<void>;
}

const lastRetriesMs = 30_000;
/** Pauses are longer in the quick sizes: an order costs more to fulfil and to check than to send. */
const quickRest = 10;
const quickRestOfOthers = 3;

/**
 * Clients that order, and repeat with the same key what was refused or lost, as a careful integrator does; now and then
 * one gives up, so that its order may exist or not. Beside them one looks at orders that were accepted, some give shoutouts, and
 * some order more than their budget has.
 */
export function startLoad(
  { client, long }: Pick<Stage, 'client' | 'long'>,
  random: Random,
  options: LoadOptions = {},
): Load {
  const { clients = 12, people = 60, maxGifts = 4, slower = 1 } = options;
  const restOfOthers = long ? 1 : quickRestOfOthers * slower;
  const pauseMs = (options.pauseMs ?? 40) * (long ? 1 : quickRest * slower);
  const name = random.int(0, 0xffffff).toString(36);
  let running = true;
  let count = 0;

  const persist = async (own: Random, key: string, order: Order) => {
    const givesUp = own.chance(0.05);
    let deadline = Number.POSITIVE_INFINITY;
    for (;;) {
      const { requestId } = await client.create(key, order);
      if (requestId !== null) count++;
      if (requestId !== null || givesUp || client.isClosed) return;
      if (!running) deadline = Math.min(deadline, Date.now() + lastRetriesMs * client.journal.patience);
      if (Date.now() > deadline) return client.journal.violated(`Key ${key} was never accepted, however often sent.`);
      await sleep(own.int(50, 250));
    }
  };
  const work = Array.from({ length: clients }, async (_, index) => {
    for (let nth = 0; running && !client.isClosed; nth++) {
      // Each order has its own random stream, so retries do not change the next order.
      const own = random.fork(`client ${index} order ${nth}`);
      await persist(own, `${name}-${index}-${nth}`, randomOrder(own, { people, maxGifts }));
      await sleep(own.int(0, pauseMs));
    }
  });
  const looking = (async () => {
    const own = random.fork('reader');
    while (running && !client.isClosed) {
      const accepted = client.journal.attempts[own.int(0, Math.max(0, client.journal.attempts.length - 1))]?.requestId;
      if (accepted) await client.status(accepted);
      await sleep(own.int(0, pauseMs));
    }
  })();

  const praise = startPraise(client, random.fork('praise'), people, restOfOthers);
  const spending = startSpending(client, random.fork('spending'), options.restOfSpending ?? restOfOthers);

  return {
    async accepted(more) {
      const goal = count + more;
      const limit = lastRetriesMs * client.journal.patience;
      const reached = await within(limit, async () => count >= goal);
      client.journal.require(reached, `No ${more} orders were accepted within ${limit / 1_000} s.`);
    },
    async stop() {
      running = false;
      await Promise.all([...work, looking, praise.stop(), spending.stop()]);
    },
  };
}

/** Sends a number of orders, a few at a time, each until it is accepted. */
export async function sendOrders(
  client: Client,
  random: Random,
  count: number,
  make: (random: Random, nth: number) => Order,
): Promise<Attempt[]> {
  const name = random.int(0, 0xffffff).toString(36);
  const attempts: Attempt[] = [];
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const nth = next++;
      const order = make(random.fork(`order ${nth}`), nth);
      let attempt = await client.create(`${name}-${nth}`, order);
      for (let again = 0; attempt.requestId === null && again < 50 && !client.isClosed; again++) {
        await sleep(100);
        attempt = await client.create(`${name}-${nth}`, order);
      }
      client.journal.require(attempt.requestId !== null, `Key ${attempt.key} was never accepted, however often sent.`);
      attempts.push(attempt);
    }
  };
  await Promise.all(Array.from({ length: 24 }, lane));
  return attempts;
}
