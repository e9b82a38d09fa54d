import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSecret } from '../../src/company/access/token-secret.ts';
import { anOrder } from '../support/orders.ts';
import { head, sendTogether } from '../support/raw.ts';
import { createRoutesOnly } from '../support/routes-only.ts';
import { startService } from '../support/service.ts';

test('nothing under /api is open to everyone', async () => {
  const { routeTable } = await createRoutesOnly();
  assert.deepEqual(
    routeTable.filter(({ access, url }) => access === 'public' && url.startsWith('/api')),
    [],
  );
});

test('beyond a thousand failed credentials a minute, an address gets 429 for further ones and is served with a good one', async () => {
  const guessed = await startService();
  const path = '/api/v1/reports/teams/activity';
  const guess = (nth: number) => {
    // Well-formed and malformed tokens count alike, whatever X-Forwarded-For says.
    const token = nth % 2 === 0 ? makeSecret('test') : `guess-${nth}`;
    const forwarded = `X-Forwarded-For: 10.0.${nth >> 8}.${nth & 255}`;
    return head('GET', path, `Authorization: Bearer ${token}`, `X-Workspace-id: ${guessed.workspaceId}`, forwarded);
  };
  const guesses = Array.from({ length: 1_010 }, (_, nth) => guess(nth));
  const statuses: number[] = [];
  for (let nth = 0; nth < 1_000; nth += 50) {
    const answers = await sendTogether(guessed.url, guesses.slice(nth, nth + 50));
    statuses.push(...answers.map(({ status }) => status));
    assert.equal((await guessed.call(path)).status, 200);
  }
  assert.equal(statuses.length, 1_000);
  assert.deepEqual(new Set(statuses), new Set([401]));
  const late = await sendTogether(guessed.url, guesses.slice(1_000));
  assert.equal(late.length, 10);
  for (const { status, headers, text } of late) {
    const body = JSON.parse(text);
    assert.equal(status, 429);
    assert.deepEqual(Object.keys(body), ['status', 'message', 'type']);
    assert.deepEqual([body.status, body.type], [429, 'security_error']);
    const seconds = Number(headers.get('retry-after'));
    assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`);
  }
  assert.equal((await guessed.call(path)).status, 200);
  assert.equal((await guessed.create(anOrder())).status, 201);
  assert.equal((await guessed.call('/health/live', { token: null })).status, 200);
});
