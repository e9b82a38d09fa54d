import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGuessLimit } from '../../src/doors/http/limits/pace.ts';
import { Failure } from '../../src/ground/errors.ts';

const isTooMany = (error: unknown) => error instanceof Failure && error.kind === 'tooMany';

test('the addresses of one IPv6 network share a limit, and those of another have their own', async () => {
  const noteFailure = createGuessLimit();
  for (let nth = 0; nth < 1_000; nth++) await noteFailure(`2001:db8:7:1::${nth.toString(16)}`);
  for (const address of ['2001:db8:7:1::ffff', '2001:db8:7:1:1:2:3:4'])
    await assert.rejects(noteFailure(address), isTooMany, address);
  for (const address of ['2001:db8:7:2::1', '2001:db8::1', '::1']) await noteFailure(address);
});

test('each IPv4 address has a limit of its own, also where it is written as IPv6', async () => {
  const noteFailure = createGuessLimit();
  for (let nth = 0; nth < 1_000; nth++) await noteFailure('::ffff:192.0.2.1');
  await assert.rejects(noteFailure('::ffff:192.0.2.1'), isTooMany);
  await noteFailure('::ffff:192.0.2.2');
});
