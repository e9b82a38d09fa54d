import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchWrites } from '../../src/giving/orders/writability.ts';
import { holdClock } from '../support/held-time.ts';

test('whether orders can be stored is tried after a doubt and while it fails, at most every two seconds', async (t) => {
  const pass = holdClock(t);
  let writes = 0;
  let isFull = true;
  const { doubt, check } = watchWrites(async () => {
    writes++;
    if (isFull) throw new Error('full');
  });
  assert.equal(await check(), true);
  assert.equal(writes, 0, 'without a doubt nothing is written');
  doubt();
  const checks = async (times: number) => [...new Set(await Promise.all(Array.from({ length: times }, check)))];
  await check();
  assert.deepEqual([await checks(300), writes], [[false], 1]);
  pass(1_999);
  assert.deepEqual([await checks(300), writes], [[false], 1]);
  pass(1);
  assert.deepEqual([await check(), writes], [false, 2]);
  isFull = false;
  pass(2_000);
  assert.deepEqual([await check(), writes], [true, 3]);
  pass(2_000);
  assert.deepEqual([await check(), writes], [true, 3]);
});
