import assert from 'node:assert/strict';
import { test } from 'node:test';
import { balancesOf, checkLedger, setBudget } from '../support/budgets.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { isReplay, openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

const orderOf = (...amounts: number[]) => ({
  method: 'POST',
  body: anOrder({ orderItems: amounts.map((amount) => aGift({ amount })) }),
});

test('an order draws on the budget of its workspace, and one that does not fit is refused', async () => {
  const workspace = await openWorkspace(service);
  const { id } = await setBudget(database, workspace.id, { amount: 100 });
  const send = (...amounts: number[]) => workspace.call<{ requestId: string }>('/api/v1/orders', orderOf(...amounts));
  const first = await send(25, 35);
  assert.equal(first.status, 201, JSON.stringify(first.body));
  await workspace.finished(first.body.requestId);
  assert.deepEqual(await balancesOf(database, workspace.id, id), [40, 0, 60, 0]);
  assert.equal(
    refusal(await send(50.5), 402),
    "The order costs 50.50 CAD, and 40.00 CAD is left in the workspace's budget: send gifts for less, or have the budget raised and send the same request again.",
  );
  assert.equal((await send(40)).status, 201);
  refusal(await send(1), 402);
  await checkLedger(database);
});

test('a refused order leaves its key free, and a repeated one reserves nothing', async () => {
  const workspace = await openWorkspace(service);
  const { id } = await setBudget(database, workspace.id, { amount: 30 });
  const headers = { 'Idempotency-Key': 'monday' };
  const send = (amount: number) =>
    workspace.call<{ requestId: string }>('/api/v1/orders', { ...orderOf(amount), headers });
  refusal(await send(31), 402);
  const accepted = await send(30);
  assert.equal(accepted.status, 201);
  const repeated = await send(30);
  assert.deepEqual(
    [repeated.status, isReplay(repeated), repeated.body.requestId],
    [201, true, accepted.body.requestId],
  );
  await workspace.finished(accepted.body.requestId);
  assert.deepEqual(await balancesOf(database, workspace.id, id), [0, 0, 30, 0]);
});
