import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { unavailable } from '../../src/ground/errors.ts';
import { atMostOneUnavailable, logLostConnections } from '../../src/ground/log.ts';
import { holdClock } from '../support/held-time.ts';

test('a problem that many share is logged once a second, and the next line says how many were left out', (t) => {
  const pass = holdClock(t);
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { hooks: { logMethod: atMostOneUnavailable() } },
    { write: (line: string) => lines.push(JSON.parse(line)) },
  );
  const taken = () => lines.splice(0).map(({ msg, leftOut }) => [msg, leftOut]);
  const answered = () => log.child({}).error({ err: unavailable(new Error('no response')) }, 'answered 503');
  const lost = () => logLostConnections(log)(new Error('terminated'));
  for (let nth = 1; nth <= 3; nth++) [answered, lost].forEach((say) => void say());
  log.warn('Something else.');
  assert.match(JSON.stringify(lines[0]), /no response/);
  assert.deepEqual(taken(), [
    ['answered 503', undefined],
    ['Something else.', undefined],
  ]);
  pass(999);
  lost();
  assert.deepEqual(taken(), []);
  pass(1);
  lost();
  pass(1_000);
  answered();
  assert.deepEqual(taken(), [
    ['A database connection was lost.', 6],
    ['answered 503', undefined],
  ]);
});
