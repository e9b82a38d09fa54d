import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Batcher, type BatcherOptions } from '../../src/ground/database/batcher.ts';
import { Failure, unavailable } from '../../src/ground/errors.ts';
import fc from '../support/fast-check.ts';
import { runs } from '../support/runs.ts';

const double = async (items: number[]) => items.map((item) => item * 2);
const plenty = { run: double, maxItems: 100, concurrency: 2, maxWaiting: 1_000 };
const isUnavailable = (error: unknown) => error instanceof Failure && error.kind === 'unavailable';

function outcomes<In, Out>(batcher: Batcher<In, Out>, items: readonly In[]): Promise<PromiseSettledResult<Out>[]> {
  return Promise.allSettled(items.map((item) => batcher.add(item)));
}

/** A batcher whose runs wait until they are released, with a list of what each has got. */
function held(options: Partial<BatcherOptions<number, number>> = {}) {
  const runs: number[][] = [];
  const gate = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const run = async (items: number[]) => {
    runs.push(items);
    started.resolve();
    await gate.promise;
    return (options.run ?? double)(items);
  };
  const batcher = new Batcher<number, number>({ ...plenty, concurrency: 1, ...options, run });
  return { batcher, runs, started: started.promise, release: gate.resolve };
}

test('callers that wait at the same time share one batch', async () => {
  const { batcher, runs, release } = held();
  release();
  assert.deepEqual(
    (await outcomes(batcher, [1, 2, 3])).map((outcome) => outcome.status === 'fulfilled' && outcome.value),
    [2, 4, 6],
  );
  assert.deepEqual(runs, [[1, 2, 3]]);
});

test('the next batch begins before the callers of the one before get their results', async () => {
  const happened: string[] = [];
  const run = async (items: number[]) => {
    happened.push(`run ${items}`);
    return items;
  };
  const batcher = new Batcher<number, number>({ ...plenty, run, maxItems: 1, concurrency: 1 });
  await Promise.all([1, 2].map((item) => batcher.add(item).then(() => happened.push(`answer ${item}`))));
  assert.deepEqual(happened, ['run 1', 'run 2', 'answer 1', 'answer 2']);
});

test('each caller gets its own outcome and no limit is exceeded, for any arrivals, limits and failures', async () => {
  const item = fc.record({ weight: fc.integer({ min: 0, max: 12 }), bad: fc.boolean(), turn: fc.nat(3) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { maxLength: 40 }),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 3 }),
      fc.scheduler(),
      async (items, maxItems, maxWeight, concurrency, scheduler) => {
        let running = 0;
        const batcher = new Batcher({
          maxItems,
          maxWeight,
          concurrency,
          maxWaiting: 1_000,
          weigh: (index: number) => items[index]?.weight ?? 0,
          run: async (indexes: number[]) => {
            assert.ok(++running <= concurrency, 'more runs at once than allowed');
            const weight = indexes.reduce((sum, index) => sum + (items[index]?.weight ?? 0), 0);
            assert.ok(indexes.length <= maxItems, 'too many items');
            assert.ok(indexes.length === 1 || weight <= maxWeight, 'too heavy');
            await scheduler.schedule(Promise.resolve());
            running--;
            const bad = indexes.find((index) => items[index]?.bad);
            if (bad !== undefined) throw new Error(`item ${bad} is at fault`);
            return indexes.map((index) => `result ${index}`);
          },
        });
        const answers = items.map(async ({ turn }, index) => {
          for (let later = 0; later < turn; later++) await new Promise(setImmediate);
          return batcher.add(index);
        });
        const settled = Promise.allSettled(answers);
        await scheduler.waitFor(settled);
        for (const [index, outcome] of (await settled).entries()) {
          if (items[index]?.bad) {
            assert.equal(outcome.status, 'rejected');
            assert.equal((outcome as PromiseRejectedResult).reason.message, `item ${index} is at fault`);
          } else assert.deepEqual(outcome, { status: 'fulfilled', value: `result ${index}` });
        }
      },
    ),
    { numRuns: runs(100) },
  );
});

test('an item heavier than a whole batch gets a batch of its own', async () => {
  const { batcher, runs, release } = held({ weigh: (item) => item, maxWeight: 10 });
  release();
  await outcomes(batcher, [3, 99, 4, 5, 6]);
  assert.deepEqual(runs, [[3], [99], [4, 5], [6]]);
});

test('an unavailable database fails all waiting callers at once, and the next caller is served again', async () => {
  let away = true;
  const { batcher, runs, started, release } = held({
    maxItems: 2,
    run: async (items) => {
      if (away) throw unavailable();
      return double(items);
    },
  });
  const waiting = outcomes(batcher, [1, 2, 3, 4, 5]);
  await started;
  release();
  const settled = await waiting;
  assert.ok(settled.every((outcome) => outcome.status === 'rejected' && isUnavailable(outcome.reason)));
  assert.deepEqual(runs, [[1, 2]]);
  away = false;
  assert.equal(await batcher.add(6), 12);
});

test('a database that becomes unavailable while a batch is being halved fails the rest of the batch at once', async () => {
  const runs: number[][] = [];
  const batcher = new Batcher<number, number>({
    ...plenty,
    run: async (items) => {
      runs.push(items);
      throw items.length > 1 ? new Error('one of them is at fault') : unavailable();
    },
  });
  const settled = await outcomes(batcher, [1, 2, 3, 4]);
  assert.ok(settled.every((outcome) => outcome.status === 'rejected' && isUnavailable(outcome.reason)));
  assert.deepEqual(runs, [[1, 2, 3, 4], [1]], 'each further run would cost one more timeout');
});

test('an item over the limit of waiting items is refused as unavailable, and the others go on', async () => {
  const { batcher, started, release } = held({ maxItems: 1, maxWaiting: 3 });
  const first = batcher.add(0);
  await started;
  const waiting = [1, 2, 3].map((item) => batcher.add(item));
  await assert.rejects(batcher.add(4), isUnavailable);
  release();
  assert.deepEqual(await Promise.all([first, ...waiting]), [0, 2, 4, 6]);
  assert.equal(await batcher.add(5), 10);
});

test('a batch that throws synchronously fails like any other', async () => {
  const batcher = new Batcher<number, number>({
    ...plenty,
    run: (items) => {
      if (items.includes(2)) throw new Error('at once');
      return double(items);
    },
  });
  const settled = await outcomes(batcher, [1, 2, 3]);
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('an item that has waited too long is refused without being run, and the next one is served', async () => {
  const { batcher, runs, started, release } = held({ maxItems: 1, maxWaitMs: 500 });
  const first = batcher.add(1);
  await started;
  const late = batcher.add(2);
  await sleep(600);
  release();
  assert.equal(await first, 2);
  await assert.rejects(late, isUnavailable);
  assert.equal(await batcher.add(3), 6);
  assert.deepEqual(runs, [[1], [3]]);
});
