import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { countWaiting } from '../support/held-locks.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

/** Sends an order once: it is not repeated if the answer is 503. */
const send = ({ id, token }: TestWorkspace, body: unknown, headers: Record<string, string> = {}) =>
  service.call<Record<string, string>>('/api/v1/orders', { method: 'POST', token, workspace: id, body, headers });

test('a workspace that looks for many unknown employee numbers leaves connections to others', async () => {
  const strict = await openWorkspace(service, { refusesUnknownEmployeeNumbers: true });
  const neighbour = await openWorkspace(service);
  const requestId = await neighbour.submit([aGift()]);
  await neighbour.finished(requestId);
  const unknown = anOrder({ orderItems: [aGift({ recipient: { employeeNumber: '7' } })] });
  const { answers } = await database.transaction(async (tx) => {
    // Whoever looks into the orders that wait has to wait, as if there were very many of them.
    await tx.query('lock table pending_orders in access exclusive mode');
    const answers = Array.from({ length: 60 }, () => send(strict, unknown));
    await eventually(async () => (await countWaiting(database, 'requests')) > 0);
    const { id, token } = neighbour;
    const status = await service.call(`/api/v1/orders/status/${requestId}`, { token, workspace: id });
    assert.equal(status.status, 200, JSON.stringify(status.body));
    assert.ok((await countWaiting(database, 'requests')) <= 1, 'one search has a connection');
    return { answers };
  });
  const outcomes = await Promise.all(answers);
  for (const { status, headers } of outcomes) {
    assert.ok(status === 400 || status === 503, `${status}`);
    assert.equal(headers.get('retry-after') !== null, status === 503);
  }
  const { status, body } = await strict.call('/api/v1/orders', { method: 'POST', body: unknown });
  assert.equal(status, 400);
  assert.match(`${body.message}`, /is not known in this workspace/);
});
