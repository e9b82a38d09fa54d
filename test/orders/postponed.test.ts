import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Postponed } from '../../src/orders/postponed.ts';

test('an order that keeps failing is retried after growing pauses of at most a minute', () => {
  const postponed = new Postponed();
  const pauses = Array.from({ length: 20 }, () => {
    postponed.add(7);
    return postponed.next()?.afterMs as number;
  });
  // Each is about twice the one before; a little of it has passed when it is asked for.
  for (const [nth, pause] of pauses.slice(0, 8).entries())
    assert.ok(pause > 125 * 2 ** nth && pause <= 250 * 2 ** nth, `${nth + 1}: ${pause}`);
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
