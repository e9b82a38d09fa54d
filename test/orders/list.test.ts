import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import type { OrderDetails, OrderPage } from '../../src/ground/contract/order-list.ts';
import { letFail } from '../support/failed-orders.ts';
import { aGift } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

const tokenKey = 'k'.repeat(32);
// Orders wait until a test starts a worker.
const service = await startService({ role: 'api', tokenKey });
const { database } = service;
const workspace = await openWorkspace(service);
const list = (query = '') => workspace.read<OrderPage>(`/api/v1/orders${query}`);
const idsOf = ({ orders }: OrderPage) => orders.map(({ requestId }) => requestId);
const toAda = aGift({ recipient: { email: 'ada@example.com', firstName: 'Ada' }, amount: 12.5 });

async function failedOrder(): Promise<string> {
  const requestId = await workspace.submit([toAda, toAda]);
  await inWorkspace(database, workspace.id, (tx, moment) => letFail(tx, workspace.id, moment, requestId));
  return requestId;
}

test('orders are listed newest first, page by page, with what they cost and who sent them', async () => {
  const first = await workspace.submit([toAda]);
  const second = await workspace.submit([toAda, toAda]);
  const page = await list('?size=1');
  assert.deepEqual([idsOf(page), page.next], [[second], second]);
  assert.partialDeepStrictEqual(page.orders[0], {
    requestStatus: 'ACCEPTED',
    senderName: 'Payroll',
    gifts: 2,
    total: 25,
    currency: 'CAD',
    failure: null,
  });
  assert.deepEqual(idsOf(await list(`?size=1&after=${page.next}`)), [first]);
  assert.deepEqual(idsOf(await list('?from=2199-01-01')), []);
  assert.deepEqual(idsOf(await list('?to=2020-01-01')), []);
});

test('a failed order is found by its status, says why, shows what was ordered, and can be tried again', async () => {
  const requestId = await failedOrder();
  const page = await list('?status=FAILED');
  assert.deepEqual([idsOf(page), page.orders[0]?.failure], [[requestId], 'the lines contradict each other']);
  const details = await workspace.read<OrderDetails>(`/api/v1/orders/${requestId}/details?size=1&page=1`);
  assert.partialDeepStrictEqual(details, {
    requestStatus: 'FAILED',
    totalElements: 2,
    totalPages: 2,
    lines: [{ giftId: null, firstName: 'Ada', email: 'ada@example.com', employeeNumber: null, amount: 12.5 }],
  });
  assert.doesNotMatch(JSON.stringify(details), /token/i);
  const worker = await startService({ role: 'worker', tokenKey, database });
  const again = await workspace.call(`/api/v1/orders/${requestId}/retry`, { method: 'POST' });
  assert.equal(again.status, 200);
  assert.equal((await workspace.finished(requestId)).requestStatus, 'COMPLETED');
  // It would fulfil the orders of the next test before that test lets them fail.
  await worker.stop();
  const done = await workspace.read<OrderDetails>(`/api/v1/orders/${requestId}/details`);
  assert.ok(done.lines.every(({ giftId }) => typeof giftId === 'number'));
  const third = await workspace.call(`/api/v1/orders/${requestId}/retry`, { method: 'POST' });
  assert.match(refusal(third, 409), /has not failed/);
});

test("another workspace's orders are in no list, not found and not tried again", async () => {
  const requestId = await failedOrder();
  const elsewhere = await openWorkspace(service);
  assert.deepEqual((await elsewhere.read<OrderPage>('/api/v1/orders')).orders, []);
  refusal(await elsewhere.call(`/api/v1/orders/${requestId}/details`), 404);
  refusal(await elsewhere.call(`/api/v1/orders/${requestId}/retry`, { method: 'POST' }), 404);
  assert.deepEqual(idsOf(await list('?status=FAILED')), [requestId]);
});

test('a parameter that is unknown or wrong is refused by its name', async () => {
  for (const [query, says] of [
    ['?state=FAILED', /state is not a parameter of this list/],
    ['?status=failed', /status must be one of ACCEPTED, /],
    ['?from=soon', /from must be a date/],
    ['?after=7', /after must be a UUID/],
  ] as const)
    assert.match(refusal(await workspace.call(`/api/v1/orders${query}`), 400), says, query);
});
