import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sparingly } from '../../src/ground/log.ts';
import { holdClock } from '../support/held-time.ts';

test('a problem that many share is logged once a second, and the next line says how many were left out', (t) => {
  const pass = holdClock(t);
  const lines: unknown[] = [];
  const write = sparingly<{ nth: number }>((details, message) => lines.push([message, details]));
  for (let nth = 1; nth <= 5; nth++) write({ nth }, 'away');
  assert.deepEqual(lines.splice(0), [['away', { nth: 1 }]]);
  pass(999);
  write({ nth: 6 }, 'away');
  assert.deepEqual(lines, []);
  pass(1);
  write({ nth: 7 }, 'away');
  pass(1_000);
  write({ nth: 8 }, 'away');
  assert.deepEqual(lines, [
    ['away', { nth: 7, leftOut: 5 }],
    ['away', { nth: 8 }],
  ]);
});
