import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRequestId } from '../../src/giving/orders/request-id.ts';

test('request ids are UUIDs of version 7 that begin with the time, and none comes twice', () => {
  const before = Date.now();
  const ids = Array.from({ length: 20_000 }, makeRequestId);
  const after = Date.now();
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const time = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
    assert.ok(time >= before && time <= after, id);
  }
  // Every digit behind the time is random but the version: each takes all the values that it may have.
  for (const [at, values] of [...Array(36).keys()].slice(15).map((at) => [at, at === 19 ? 4 : 16] as const)) {
    const seen = new Set(ids.map((id) => id[at]));
    assert.equal(seen.size, '-'.includes(ids[0]?.[at] ?? '') ? 1 : values, `digit ${at}`);
  }
});
