import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Acceptance } from '../../src/giving/orders/accept.ts';
import type { Database } from '../../src/ground/database/database.ts';
import { eventually } from '../support/eventually.ts';
import { createGrant } from '../support/grant.ts';
import { countWaiting } from '../support/held-locks.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { isReplay, openWorkspace, refusal, type TestWorkspace } from '../support/workspace.ts';

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

/** A full order with the longest messages, about as large as one can be. */
const large = anOrder({
  orderItems: Array.from({ length: 1_000 }, (_, nth) =>
    aGift({ message: `${nth} ${'🎁'.repeat(990)}`, recipient: { email: `p${nth}@example.com` } }),
  ),
});

test('two hundred small orders with the key of a very large one are each a 422, and nobody else notices', async () => {
  const [workspace, neighbour] = [await openWorkspace(service), await openWorkspace(service)];
  const headers = { 'Idempotency-Key': 'monday' };
  const first = await workspace.call('/api/v1/orders', { method: 'POST', body: large, headers });
  assert.equal(first.status, 201);
  const repeated = Array.from({ length: 200 }, () => send(workspace, anOrder({ currency: 'USD' }), headers));
  const others = Array.from({ length: 20 }, () => send(neighbour, anOrder()));
  for (const { status } of await Promise.all(others)) assert.equal(status, 201);
  for (const answer of await Promise.all(repeated))
    assert.match(refusal(answer, 422), /which differs in currency, orderItems: /);
  const orderItems = large.orderItems.with(7, aGift());
  const changed = { method: 'POST', headers, body: { ...large, orderItems } };
  assert.match(
    refusal(await workspace.call('/api/v1/orders', changed), 422),
    /differs in orderItems\[7\]\.message, orderItems\[7\]\.recipient\.email: /,
  );
  const again = await workspace.call('/api/v1/orders', { method: 'POST', body: large, headers });
  assert.deepEqual([again.status, again.body.requestId, isReplay(again)], [201, first.body.requestId, true]);
});

test('requests that repeat a key are answered apart from acceptance, and no more is read than they have sent', async () => {
  const workspace = await createGrant(database);
  const held = Promise.withResolvers<void>();
  const read: unknown[] = [];
  const watched: Database = {
    ...database,
    async query<Row>(...statement: Parameters<Database['query']>) {
      if (!statement[0].includes('as asked (workspace_id, idempotency_key')) return database.query<Row>(...statement);
      await held.promise;
      const rows = await database.query<Row>(...statement);
      read.push(...rows);
      return rows;
    },
  };
  const acceptance = new Acceptance(watched);
  const submit = (order: unknown, idempotencyKey: string | null) =>
    acceptance.accept({ tokenId: 1, workspace, customerRequestId: null, idempotencyKey, order: order as never });
  await submit(large, 'monday');
  const repeated = Promise.allSettled(Array.from({ length: 15 }, () => submit(anOrder(), 'monday')));
  // In the same batch, and while those who repeat the key still wait.
  assert.equal((await submit(anOrder(), null)).replayed, false);
  assert.equal((await submit(anOrder(), 'tuesday')).replayed, false);
  held.resolve();
  for (const answer of await repeated) {
    assert.equal(answer.status, 'rejected');
    assert.match(answer.reason.message, /which differs in orderItems: /);
  }
  assert.equal(read.length, 1, 'once for all');
  assert.ok(JSON.stringify(read).length < 1_000, 'without the gifts');
});
