import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { type Recurring, repeat } from '../../src/jobs/recurring.ts';
import type { JobRunner } from '../../src/jobs/runner.ts';

/** Runs the rounds one after the other, each with what happens to the runner before it; returns which were fresh. */
async function runRounds(rounds: ((runner: { restarts: number }) => void)[]) {
  const runner = { restarts: 0 };
  const fresh: boolean[] = [];
  const stopping = new AbortController();
  const recurring: Recurring = {
    name: 'A test',
    everyMs: 1,
    async run(round) {
      fresh.push(round.isFresh);
      if (fresh.length === rounds.length) stopping.abort();
      rounds[fresh.length - 1]?.(runner);
    },
  };
  await repeat(recurring, runner as unknown as JobRunner, pino({ level: 'silent' }), stopping.signal);
  return fresh;
}

const nothing = () => {};

test('the first round is fresh, and the first one after the runner was started again', async () => {
  const startedAgain = (runner: { restarts: number }) => void runner.restarts++;
  const fresh = await runRounds([nothing, startedAgain, nothing, nothing]);
  assert.deepEqual(fresh, [true, false, true, false]);
});

test('a round that fails is repeated, as fresh as it was', async () => {
  const failing = () => {
    throw new Error('the database is away');
  };
  const fresh = await runRounds([failing, failing, nothing, nothing]);
  assert.deepEqual(fresh, [true, true, true, false]);
});
