import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareAnswer } from '../../src/doors/http/areas/health/shared-answer.ts';
import { holdClock } from '../support/held-time.ts';

test('callers share a reading while it is under way and as long as it is good, from its beginning on', async (t) => {
  const pass = holdClock(t);
  let reads = 0;
  const readings: PromiseWithResolvers<number>[] = [];
  const read = shareAnswer(
    () => {
      reads++;
      const reading = Promise.withResolvers<number>();
      readings.push(reading);
      return reading.promise;
    },
    () => 1_000,
  );
  const first = Array.from({ length: 50 }, read);
  pass(700);
  first.push(read());
  readings[0]?.resolve(1);
  assert.deepEqual(new Set(await Promise.all(first)), new Set([1]));
  pass(299);
  assert.equal(await read(), 1);
  assert.equal(reads, 1);
  pass(1);
  const second = read();
  readings[1]?.resolve(2);
  assert.equal(await second, 2);
  assert.equal(reads, 2);
});

test('a reading that failed is not shared with later callers', async () => {
  let reads = 0;
  const read = shareAnswer(
    async () => {
      if (reads++ === 0) throw new Error('away');
      return reads;
    },
    () => 1_000,
  );
  await assert.rejects(read(), /away/);
  assert.equal(await read(), 2);
});
