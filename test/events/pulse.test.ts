import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventPulse } from '../../src/company/events/pulse.ts';
import type { Queryable } from '../../src/ground/database/database.ts';
import { holdPauses } from '../support/held-time.ts';

/** Counters of workspaces, and how often they were read. */
function openCounters(latest: Record<number, number>) {
  const counters = {
    latest,
    looks: 0,
    query: async () => {
      counters.looks++;
      return Object.entries(counters.latest).map(([workspaceId, number]) => ({
        workspaceId: Number(workspaceId),
        latest: number,
      }));
    },
  };
  return { counters, pulse: new EventPulse(counters as unknown as Queryable) };
}

/** Readers by name, and which of them wait no longer. */
function follow(readers: Record<string, Promise<void>>): string[] {
  const woken: string[] = [];
  for (const [name, reader] of Object.entries(readers)) reader.then(() => woken.push(name));
  return woken;
}

const never = new AbortController().signal;

test('a reader waits until the workspace has an event after the last one that it knows', async (t) => {
  const pass = holdPauses(t);
  const { counters, pulse } = openCounters({ 1: 3, 2: 3 });
  const woken = follow({ one: pulse.wait(1, 3, 30_000, never), two: pulse.wait(2, 3, 30_000, never) });
  for (let look = 0; look < 10; look++) await pass(200);
  assert.deepEqual(woken, []);
  counters.latest[2] = 4;
  await pass(200);
  assert.deepEqual(woken, ['two']);
  counters.latest[1] = 4;
  await pass(200);
  assert.deepEqual(woken, ['two', 'one']);
});

test('without an event a reader waits for its whole time, and no longer', async (t) => {
  const pass = holdPauses(t);
  const { pulse } = openCounters({ 1: 3 });
  const woken = follow({ short: pulse.wait(1, 3, 1_000, never), long: pulse.wait(1, 3, 30_000, never) });
  await pass(999);
  assert.deepEqual(woken, []);
  await pass(1);
  assert.deepEqual(woken, ['short']);
  await pass(28_999);
  assert.deepEqual(woken, ['short']);
  await pass(1);
  assert.deepEqual(woken, ['short', 'long']);
});

test('a reader who goes away waits no longer', async (t) => {
  const pass = holdPauses(t);
  const { pulse } = openCounters({ 1: 3 });
  const gone = new AbortController();
  const woken = follow({ gone: pulse.wait(1, 3, 30_000, gone.signal), other: pulse.wait(1, 3, 30_000, never) });
  gone.abort();
  await pass(0);
  assert.deepEqual(woken, ['gone']);
});

test('all readers together look every 200 ms, and without a reader nobody looks', async (t) => {
  const pass = holdPauses(t);
  const { counters, pulse } = openCounters({ 1: 3 });
  for (let reader = 0; reader < 20; reader++) void pulse.wait(1, 3, 1_000, never);
  await pass(199);
  assert.equal(counters.looks, 1);
  await pass(1);
  assert.equal(counters.looks, 2);
  // Their time is over, and the pause after the last look too.
  await pass(1_000);
  await pass(200);
  const { looks } = counters;
  for (let pause = 0; pause < 10; pause++) await pass(200);
  assert.equal(counters.looks, looks);
});
