import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { type Recurring, startWorker } from '../../src/ground/jobs/worker.ts';
import { eventually } from '../support/eventually.ts';

const log = pino({ level: 'silent' });

test('a round that fails is repeated, and other work goes on', async () => {
  const rounds = { failing: 0, other: 0 };
  const work: Recurring[] = [
    {
      name: 'Work that fails',
      everyMs: 1,
      async run() {
        rounds.failing++;
        throw new Error('the database is away');
      },
    },
    { name: 'Other work', everyMs: 1, run: async () => void rounds.other++ },
  ];
  const worker = startWorker(work, log);
  await eventually(async () => rounds.failing > 2 && rounds.other > 2);
  await worker.stop();
});

test('a stopped worker is not running, ends the round under way and begins no further one', async () => {
  const round = Promise.withResolvers<void>();
  let begun = 0;
  let hasEnded = false;
  const run = async () => {
    begun++;
    await round.promise;
    hasEnded = true;
  };
  const worker = startWorker([{ name: 'A test', everyMs: 0, run }], log);
  await eventually(async () => begun === 1);
  assert.equal(worker.isRunning(), true);
  const stopped = worker.stop();
  assert.equal(worker.isRunning(), false);
  round.resolve();
  await stopped;
  assert.deepEqual([begun, hasEnded], [1, true]);
});
