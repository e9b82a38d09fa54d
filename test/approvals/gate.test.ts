import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderPage } from '../../src/ground/contract/order-list.ts';
import type { OrderValidation } from '../../src/ground/contract/order-validation.ts';
import { verifyNew } from '../../src/insight/books/verify.ts';
import { openGate } from '../support/approvals.ts';
import { balancesOf, checkLedger, setBudget } from '../support/budgets.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { verifyFully } from '../support/verifications.ts';
import { refusal } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

test('an order above the limit waits with its money reserved, and is fulfilled once approved', async () => {
  const gate = await openGate(service);
  const { workspace, users } = gate;
  const { id } = await setBudget(database, workspace.id, { amount: 500 });
  const requestId = await gate.send(null, { note: 'Two nights' });
  assert.deepEqual(await balancesOf(database, workspace.id, id), [350, 150, 0, 0]);
  const { requestStatus, orderStep } = await workspace.status(requestId);
  assert.deepEqual([requestStatus, orderStep], ['ACCEPTED', 'PENDING']);
  const { approval } = await gate.details(requestId);
  assert.deepEqual(
    [approval?.state, approval?.rule.name, approval?.level, approval?.levels, approval?.total, approval?.note],
    ['WAITING', 'Large gifts', 1, 1, 150, 'Two nights'],
  );
  assert.deepEqual(await gate.asked(requestId), ['Elena Brandt', 'Lucie Gagnon']);
  const days = (Date.parse(approval?.decideBy ?? '') - Date.parse(approval?.askedAt ?? '')) / 86_400_000;
  assert.equal(days, 7);

  const [decided] = await gate.decided(users.lucie, requestId, 'APPROVED', 'Well deserved.');
  assert.deepEqual([decided?.state, decided?.asked, decided?.decisions[0]?.by?.name], ['APPROVED', [], 'Lucie Gagnon']);
  assert.equal((await workspace.finished(requestId)).requestStatus, 'COMPLETED');
  assert.deepEqual(await balancesOf(database, workspace.id, id), [350, 0, 150, 0]);
  assert.equal((await gate.details(requestId)).approval?.decisions[0]?.comment, 'Well deserved.');
  await checkLedger(database);
});

test('the books agree while an order waits, also those verified since a checkpoint', async () => {
  const gate = await openGate(service);
  const { workspace, users } = gate;
  await setBudget(database, workspace.id, { amount: 500 });
  const first = await gate.send(null);
  const verify = async () => (await verifyNew(database, workspace.id)).faults;
  assert.deepEqual(await verifyFully(database, workspace.id), []);
  await gate.send(null);
  assert.deepEqual(await verify(), []);
  await gate.decided(users.lucie, first, 'DECLINED', 'No.');
  assert.deepEqual(await verify(), []);
});

test('a declined order fails with the comment, and its money returns', async () => {
  const gate = await openGate(service);
  const { workspace, users } = gate;
  const { id } = await setBudget(database, workspace.id, { amount: 500 });
  const requestId = await gate.send(null);
  assert.match(refusal(await gate.decide(users.lucie, requestId, 'DECLINED'), 400), /comment is required/);
  await gate.decided(users.lucie, requestId, 'DECLINED', 'Please send 100.00 CAD.');
  const { requestStatus, failure } = await gate.details(requestId);
  assert.deepEqual([requestStatus, failure], ['FAILED', 'Lucie Gagnon declined the order: Please send 100.00 CAD.']);
  assert.deepEqual(await balancesOf(database, workspace.id, id), [500, 0, 0, 0]);
  await checkLedger(database);
});

test('a rule rejects with its own message, and nothing is stored or reserved', async () => {
  const message = 'Gifts above 100.00 CAD are not allowed: send less.';
  const gate = await openGate(service, [{ outcome: 'REJECT', message }]);
  const { workspace } = gate;
  const { id } = await setBudget(database, workspace.id, { amount: 500 });
  const order = anOrder({ orderItems: [aGift({ amount: 100.01 })] });
  assert.equal(refusal(await workspace.call('/api/v1/orders', { method: 'POST', body: order }), 402), message);
  assert.deepEqual(await balancesOf(database, workspace.id, id), [500, 0, 0, 0]);
  assert.equal((await workspace.read<OrderPage>('/api/v1/orders')).orders.length, 0);
  const allowed = await gate.send(null, { orderItems: [aGift({ amount: 100 })] });
  assert.equal((await workspace.finished(allowed)).requestStatus, 'COMPLETED');
});

test('the first rule that fits decides, and rules that are off or of another currency do not fit', async () => {
  const gate = await openGate(service, [
    { name: 'Off', isOn: false, above: 0 },
    { name: 'Euros', currency: 'EUR', above: 0 },
    { name: 'Orders', measure: 'ORDER', above: 300 },
    { name: 'Gifts', above: 100 },
  ]);
  const ruleOf = async (amounts: number[]) => {
    const orderItems = amounts.map((amount) => aGift({ amount }));
    const { approval } = await gate.details(await gate.send(null, { orderItems }));
    return approval?.rule.name ?? null;
  };
  assert.equal(await ruleOf([100]), null);
  assert.equal(await ruleOf([100, 100, 100]), null);
  assert.equal(await ruleOf([100, 100, 100, 1]), 'Orders');
  assert.equal(await ruleOf([150]), 'Gifts');
});

test('a rule fits orders of its role, department, cost centre, team or token alone', async () => {
  const gate = await openGate(service, [
    { name: 'Owners', from: { role: 'OWNER' }, above: 0 },
    { name: 'Sales', from: { department: 'sales' }, above: 0 },
  ]);
  const ruleOf = async (requestId: string) => (await gate.details(requestId)).approval?.rule.name ?? null;
  assert.equal(await ruleOf(await gate.send(gate.users.olga)), 'Owners');
  assert.equal(await ruleOf(await gate.send(gate.users.priya)), 'Sales');
  assert.equal(await ruleOf(await gate.send(null)), null);
  await gate.workspace.change(gate.ids.priya, { department: 'Support' });
  assert.equal(await ruleOf(await gate.send(gate.users.priya)), null);
  const { workspace } = gate;
  const byToken = await openGate(service, [{ from: { tokenId: workspace.tokenId }, above: 0 }]);
  assert.equal((await byToken.details(await byToken.send(null))).approval, null);
});

test('a trial says which rule would apply and who would be asked, and stores nothing', async () => {
  const gate = await openGate(service, [
    {},
    { name: 'Never', measure: 'ORDER', above: 200, outcome: 'REJECT', message: 'Too much.' },
  ]);
  const validate = async (orderItems: object[]) => {
    const body = anOrder({ orderItems });
    return (await gate.workspace.call<OrderValidation>('/api/v1/orders/validate', { method: 'POST', body })).body;
  };
  const { valid, rule } = await validate([aGift({ amount: 150, recipient: { email: 'lucie@example.com' } })]);
  assert.equal(valid, true);
  assert.deepEqual(
    [rule?.name, rule?.outcome, rule?.levels, rule?.days, rule?.ownersAsked],
    ['Large gifts', 'ASK', 1, 7, false],
  );
  assert.deepEqual(
    rule?.asked.map(({ name }) => name),
    ['Elena Brandt'],
  );
  const rejected = await validate([aGift({ amount: 100 }), aGift({ amount: 100 }), aGift({ amount: 1 })]);
  assert.deepEqual(
    [rejected.valid, rejected.rule?.outcome, rejected.faults[0]?.problem],
    [false, 'REJECT', 'Too much.'],
  );
  assert.equal((await validate([aGift()])).rule, null);
  assert.equal((await gate.listed(gate.users.elena)).totalElements, 0);
});

test('an order that waits is listed among those that are accepted', async () => {
  const gate = await openGate(service);
  const requestId = await gate.send(null);
  const { orders } = await gate.workspace.read<OrderPage>('/api/v1/orders?status=ACCEPTED');
  assert.deepEqual(
    orders.map((one) => one.requestId),
    [requestId],
  );
});

test('a request that repeats its key gets the order that waits', async () => {
  const gate = await openGate(service);
  const again = { headers: { 'Idempotency-Key': 'once' } };
  assert.equal(await gate.send(null, {}, again), await gate.send(null, {}, again));
  assert.equal((await gate.listed(gate.users.lucie)).totalElements, 1);
});

test('an order that is over its budget is rejected, not held', async () => {
  const gate = await openGate(service);
  await setBudget(database, gate.workspace.id, { amount: 100 });
  const order = anOrder({ orderItems: [aGift({ amount: 150 })] });
  await gate.workspace.call('/api/v1/orders', { method: 'POST', body: order }).then((answer) => refusal(answer, 402));
  assert.equal((await gate.listed(gate.users.lucie)).totalElements, 0);
  await checkLedger(database);
});
