import { setTimeout as sleep } from 'node:timers/promises';
import { killAtWork, stopAtWork } from '../at-work.ts';
import { type Fault, Skipped } from '../fault.ts';
import { sendOrders, startLoad } from '../load.ts';
import { randomOrder } from '../orders.ts';

const workerKilled: Fault = {
  name: 'worker-killed',
  what: 'a worker is killed at random moments beside a running API; the next one continues its work',
  async run(stage) {
    const { rig, random, long } = stage;
    let [worker] = await Promise.all([rig.start('worker'), rig.start('api')]);
    const load = startLoad(stage, random.fork('load'), { clients: 8, pauseMs: 80, maxGifts: 12 });
    for (let kill = 0; kill < (long ? 10 : 2); kill++) {
      await sleep(random.int(100, 1_200));
      // Also between two pieces of work.
      if (kill % 2 === 0) await killAtWork(stage, worker);
      else await worker.end('SIGKILL');
      worker = await rig.start('worker');
    }
    await load.stop();
    return undefined;
  },
};

const stoppedMs = 16_000;

const workerStopped: Fault = {
  name: 'worker-stopped',
  what: 'a worker is stopped for 16 s in the middle of its work while another goes on; awake again, it issues nothing twice',
  async run(stage) {
    const { rig, random, long } = stage;
    const [stale] = await Promise.all([rig.start('worker'), rig.start('api')]);
    const load = startLoad(stage, random.fork('load'), {
      clients: 6,
      pauseMs: 150,
      maxGifts: 12,
      slower: 3,
    });
    await load.accepted(long ? 20 : 5);
    // Statements that were running end soon; a transaction that is still open afterwards stays open.
    const isCaught = await stopAtWork(stage, stale, { settleMs: 60, states: ['idle in transaction'] });
    if (!isCaught) throw new Skipped('the worker could not be caught inside a transaction');
    await rig.start('worker');
    await sleep(stoppedMs);
    stale.signal('SIGCONT');
    await sleep(1_000);
    await load.stop();
    return undefined;
  },
};

const contention: Fault = {
  name: 'contention',
  what: 'several workers at once on a backlog of orders for few people; no deadlock surfaces and nobody is added twice',
  async run({ rig, client, random, long }) {
    await rig.start('api');
    await sendOrders(client, random.fork('orders'), long ? 10_000 : 200, (own) =>
      randomOrder(own, { people: 9, maxGifts: 5 }),
    );
    await Promise.all(Array.from({ length: long ? 8 : 3 }, () => rig.start('worker')));
    return undefined;
  },
};

const reason = 'this gift is poisoned';
const mark = ' (poison)';

const poison: Fault = {
  name: 'poison',
  what: 'one order in a hundred fails inside its fulfilment; it is FAILED alone with its reason and no neighbour with it',
  async run({ rig, client, journal, random, long }) {
    journal.failureOf = ({ orderItems }) => (orderItems.some(({ message }) => message.endsWith(mark)) ? reason : null);
    await rig.database.pool.query(
      `create function refuse_poison() returns trigger language plpgsql as
       $$ begin raise exception '${reason}'; end $$;
       create trigger poison before insert on certificates for each row
         when (new.message like '%${mark}') execute function refuse_poison()`,
    );
    await rig.start('api');
    const count = long ? 5_000 : 200;
    await sendOrders(client, random.fork('orders'), count, (own, nth) => {
      const order = randomOrder(own, { people: 60, maxGifts: 4 });
      // The third of each hundred, in one of its gifts.
      const poisoned = nth % 100 === 2 ? own.int(0, order.orderItems.length - 1) : -1;
      const orderItems = order.orderItems.map((gift, index) =>
        index === poisoned ? { ...gift, message: gift.message + mark } : gift,
      );
      return { ...order, orderItems };
    });
    await rig.start('worker');
    return undefined;
  },
};

export const workerFaults = [workerKilled, workerStopped, contention, poison];
