import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailOutcomeOf, type SendingError } from '../../src/giving/delivery/send/outcome.ts';
import { pauseAfter } from '../../src/giving/delivery/send/schedule.ts';

function outcome(error: Partial<SendingError>, hasBegun = false): string {
  return mailOutcomeOf({ message: 'x', ...error }, hasBegun).is;
}

test('an answer about one mail concerns that mail alone', () => {
  assert.equal(outcome({ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 }), 'refused');
  assert.equal(outcome({ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 451 }), 'later');
  assert.equal(outcome({ code: 'EMESSAGE', command: 'DATA', responseCode: 554 }, true), 'refused');
  assert.equal(outcome({ code: 'EMESSAGE', command: 'DATA', responseCode: 452 }, true), 'later');
  assert.equal(outcome({ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 552 }), 'refused');
  assert.equal(outcome({ code: 'EENVELOPE', command: 'API' }), 'refused');
  assert.equal(outcome({ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 421 }), 'later');
  assert.equal(outcome({ code: 'ETIMEDOUT', command: 'CONN', message: 'Timeout' }), 'later');
});

test('a server that cannot be used is nobody else’s fault', () => {
  assert.equal(outcome({ code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535 }), 'unreachable');
  assert.equal(outcome({ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550 }), 'unreachable');
  assert.equal(outcome({ code: 'EPROTOCOL', command: 'CONN', responseCode: 421 }), 'unreachable');
  for (const code of ['ECONNECTION', 'ESOCKET', 'ETIMEDOUT', 'EDNS', 'ETLS'])
    assert.equal(outcome({ code, command: 'CONN' }), 'unreachable');
});

test('without an answer after the mail was handed over nobody knows', () => {
  for (const code of ['ECONNECTION', 'ESOCKET', 'ETIMEDOUT'])
    assert.equal(outcome({ code, command: 'CONN' }, true), 'later');
});

test('a mail that cannot be made does not pause the others', () => {
  assert.equal(outcome({ message: 'a defect' }), 'later');
});

test('pauses grow and end after five days', () => {
  const pauses = Array.from({ length: 20 }, (_, attempts) => pauseAfter(attempts + 1, 0.5)).filter(
    (one) => one !== null,
  );
  assert.deepEqual(
    [...pauses].sort((a, b) => a - b),
    pauses,
  );
  const days = pauses.reduce((sum, pause) => sum + pause, 0) / 86_400_000;
  assert.ok(days > 4.5 && days < 5.5, `${days}`);
  assert.ok((pauseAfter(1, 0) as number) < (pauseAfter(1, 1) as number));
});
