import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getHeapSpaceStatistics } from 'node:v8';
import { createTestDatabase } from '../support/database.ts';

const megabyte = 1024 * 1024;
const text = JSON.stringify(Array.from({ length: 300 }, (_, id) => ({ id, name: `person ${id} of the company` })));

function oldSpace(): number {
  return (
    (getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0) / megabyte
  );
}

// V8 collects young objects within a millisecond, and old ones in pauses that callers notice.
test('rows that nobody reads any longer are collected while they are young', async () => {
  const { query, transaction } = await createTestDatabase();
  const ask = async () => {
    await query('select $1::json as value', [text]);
    await transaction((tx) => tx.query('select $1::json as value', [text]));
  };
  for (let nth = 0; nth < 200; nth++) await ask();
  const before = oldSpace();
  let most = before;
  for (let nth = 0; nth < 1_000; nth++) {
    await ask();
    most = Math.max(most, oldSpace());
  }
  assert.ok(most - before < 8, `the old space has grown from ${before.toFixed(1)} to ${most.toFixed(1)} MB`);
});
