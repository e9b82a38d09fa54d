import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Postponed } from '../../src/giving/orders/postponed.ts';

test('an order that keeps failing is retried after growing pauses of at most a minute', (t) => {
  t.mock.method(performance, 'now', () => 1_000);
  const postponed = new Postponed();
  const pauses = Array.from({ length: 20 }, () => {
    postponed.add(7);
    return postponed.next()?.afterMs as number;
  });
  // Each is twice the one before.
  assert.deepEqual(
    pauses.slice(0, 8),
    Array.from({ length: 8 }, (_, nth) => 250 * 2 ** nth),
  );
  assert.ok(pauses.every((pause) => pause <= 60_000));
});

test('an order is skipped during its pause, and no longer once it is forgotten', () => {
  const postponed = new Postponed();
  for (const number of [3, 5, 5]) postponed.add(number);
  assert.deepEqual(postponed.split(), { due: [], notYet: [3, 5] });
  assert.equal(postponed.next()?.number, 3, 'the one that is due first');
  postponed.forget(3);
  assert.equal(postponed.next()?.number, 5);
  postponed.forget(5);
  assert.equal(postponed.next(), null);
});
