import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addTeam, joinTeams } from '../../src/company/directory/teams.ts';
import { lockWorkspace } from '../../src/company/workspaces/lock.ts';
import { expireGifts } from '../../src/giving/delivery/expiry.ts';
import type { BudgetPage } from '../../src/ground/contract/budget.ts';
import type { OrderValidation } from '../../src/ground/contract/order-validation.ts';
import { balancesOf, checkLedger, setBudget } from '../support/budgets.ts';
import { whileBusy } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { sealAsIs } from '../support/seals.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Opening, openWorkspace, refusal, type TestWorkspace } from '../support/workspace.ts';

const tokenKey = 'the-key-that-both-nodes-of-this-file-share';
const node = await startService({ tokenKey });
const other = await startService({ tokenKey, database: node.database });
const { database } = node;

const people = [
  { email: 'ada@example.com', firstName: 'Ada', department: 'Sales', costCentre: '4711' },
  { email: 'bo@example.com', firstName: 'Bo', department: 'sales', costCentre: ' ' },
  { email: 'cy@example.com', firstName: 'Cy' },
];

async function open(opening: Opening = {}) {
  const workspace = await openWorkspace(node, { people, ...opening });
  await database.transaction(async (tx) => {
    await lockWorkspace(tx, workspace.id);
    const teamId = await addTeam(tx, workspace.id, { name: 'Platform', externalId: null });
    await joinTeams(tx, workspace.id, [{ teamId, memberId: workspace.memberIds[0] as number }]);
  });
  const delegate = await node.addToken({ workspaces: [workspace.id], scopes: ['orders:write', 'orders:delegate'] });
  return { ...workspace, delegate: delegate.token };
}
type Opened = Awaited<ReturnType<typeof open>>;

function orderOf(sender: string, amounts: number[]) {
  return anOrder({
    sender: { email: `${sender}@example.com` },
    orderItems: amounts.map((amount) => aGift({ amount })),
  });
}

function send(workspace: Opened, sender: string, amounts: number[], via: TestService = node) {
  const call = { method: 'POST', token: workspace.delegate, workspace: workspace.id, body: orderOf(sender, amounts) };
  return whileBusy(() => via.call<{ requestId: string }>('/api/v1/orders', call));
}

async function drawn(workspace: TestWorkspace, id: number): Promise<number> {
  const [available] = await balancesOf(database, workspace.id, id);
  return 100 - (available as number);
}

test('an order draws on the sender, else on the narrowest budget that they share, else on the workspace', async () => {
  const workspace = await open();
  const ids = {
    workspace: (await setBudget(database, workspace.id)).id,
    department: (await setBudget(database, workspace.id, { department: 'SALES' })).id,
    costCentre: (await setBudget(database, workspace.id, { costCentre: '4711' })).id,
    team: (await setBudget(database, workspace.id, { team: 'platform' })).id,
    own: (await setBudget(database, workspace.id, { memberId: workspace.memberIds[0] as number })).id,
  };
  const close = (id: number) => workspace.call(`/api/v1/budgets/${id}`, { method: 'DELETE' });
  for (const [sender, owner] of [
    ['ada', 'own'],
    ['ada', 'team'],
    ['ada', 'costCentre'],
    ['ada', 'department'],
    ['bo', 'department'],
    ['cy', 'workspace'],
  ] as const) {
    const before = await drawn(workspace, ids[owner]);
    const { body: said } = await workspace.call<OrderValidation>('/api/v1/orders/validate', {
      method: 'POST',
      token: workspace.delegate,
      body: orderOf(sender, [10]),
    });
    assert.deepEqual([said.budget?.id, said.budget?.isOwn], [ids[owner], owner === 'own'], `${sender} ${owner}`);
    const member = workspace.memberIds[['ada', 'bo', 'cy'].indexOf(sender)];
    const { budgets } = await workspace.read<BudgetPage>(`/api/v1/budgets?sender=${member}`);
    assert.deepEqual(
      budgets.map(({ id }) => id),
      [ids[owner]],
    );
    assert.equal((await send(workspace, sender, [10])).status, 201);
    assert.equal((await drawn(workspace, ids[owner])) - before, 10);
    if (['own', 'team', 'costCentre'].includes(owner)) await close(ids[owner]);
  }
  const token = await workspace.submit([aGift({ amount: 10 })]);
  await workspace.finished(token);
  assert.equal(await drawn(workspace, ids.workspace), 20, 'a token is not a person of its team');
  await checkLedger(database);
});

test('a person who changes department draws on the new budget, and earlier money returns to the old one', async () => {
  const workspace = await open();
  const sales = await setBudget(database, workspace.id, { department: 'Sales' });
  const support = await setBudget(database, workspace.id, { department: 'Support' });
  const first = await send(workspace, 'bo', [30]);
  await workspace.change(workspace.memberIds[1] as number, { department: 'Support' });
  const [gift] = (await workspace.outcome(first.body.requestId)).certificates;
  await workspace.finished((await send(workspace, 'bo', [20])).body.requestId);
  assert.deepEqual([await drawn(workspace, sales.id), await drawn(workspace, support.id)], [30, 20]);
  await workspace.cancelGift(gift?.id);
  assert.deepEqual([await drawn(workspace, sales.id), await drawn(workspace, support.id)], [0, 20]);
  assert.match(refusal(await send(workspace, 'bo', [81]), 402), /is left in the budget of the department Support/);
  await checkLedger(database);
});

test('a budget follows its renamed department, and one department has one budget in a currency', async () => {
  const workspace = await open();
  const { id } = await setBudget(database, workspace.id, { department: 'Sales' });
  const post = (body: object) => workspace.call('/api/v1/budgets', { method: 'POST', body });
  const patch = (body: object) => workspace.call(`/api/v1/budgets/${id}`, { method: 'PATCH', body });
  refusal(await post({ currency: 'CAD', department: 'sALES' }), 409);
  assert.equal((await post({ currency: 'USD', department: 'sALES' })).status, 201);
  assert.match(
    refusal(await post({ currency: 'CAD', department: 'Sales', costCentre: '1' }), 400),
    /^costCentre is one/,
  );
  assert.match(refusal(await post({ currency: 'CAD', department: '  ' }), 400), /department/);
  assert.match(refusal(await post({ currency: 'CAD', team: 'Nobody' }), 400), /team must be the name of a team/);
  refusal(await patch({ costCentre: '4711' }), 400);
  const { body } = await patch({ department: 'Revenue' });
  assert.equal((body as { department: string }).department, 'Revenue');
  await workspace.change(workspace.memberIds[1] as number, { department: 'revenue' });
  await send(workspace, 'bo', [25]);
  assert.equal(await drawn(workspace, id), 25);
  await checkLedger(database);
});

test('one person draws no more than the cap in a month, with all their records, and what returns is theirs again', async () => {
  const workspace = await open();
  const { id } = await setBudget(database, workspace.id, { department: 'Sales', personCap: 40 });
  const first = await send(workspace, 'ada', [15, 15]);
  assert.equal(first.status, 201);
  assert.equal(
    refusal(await send(workspace, 'ada', [10.01]), 402),
    'The order costs 10.01 CAD, and the sender can draw 10.00 CAD more this month on the budget of the department Sales, which allows 40.00 CAD for each person and month: send gifts for less, or have the cap raised.',
  );
  assert.equal((await send(workspace, 'bo', [30])).status, 201);
  const [ada, bo] = workspace.memberIds as [number, number];
  const [gift] = (await workspace.outcome(first.body.requestId)).certificates;
  await workspace.cancelGift(gift?.id);
  const { body: said } = await workspace.call<OrderValidation>('/api/v1/orders/validate', {
    method: 'POST',
    token: workspace.delegate,
    body: orderOf('ada', [1]),
  });
  assert.equal(said.budget?.personLeft, 25);
  await workspace.merge(bo, ada);
  refusal(await send(workspace, 'ada', [1]), 402);
  await workspace.call(`/api/v1/budgets/${id}`, { method: 'PATCH', body: { personCap: 50 } });
  assert.equal((await send(workspace, 'ada', [5])).status, 201);
  refusal(await send(workspace, 'ada', [1]), 402);
  await workspace.call(`/api/v1/budgets/${id}`, { method: 'PATCH', body: { personCap: null } });
  assert.equal((await send(workspace, 'ada', [20])).status, 201);
  await checkLedger(database);
});

test('an expired gift is extended only within the cap of its sender in the month of its order', async () => {
  const workspace = await open();
  const { id } = await setBudget(database, workspace.id, { department: 'Sales', personCap: 40 });
  const { body } = await send(workspace, 'ada', [30]);
  const [gift] = (await workspace.outcome(body.requestId)).certificates;
  await database.query('update certificates set expires_at = now() - interval $$1 second$$ where workspace_id = $1', [
    workspace.id,
  ]);
  await sealAsIs(database, workspace.id);
  await expireGifts(database);
  assert.equal((await send(workspace, 'ada', [20])).status, 201);
  const extend = () =>
    workspace.call(`/api/v1/gifts/${gift?.id}/extend`, { method: 'POST', body: { expiresOn: null } });
  assert.equal(
    refusal(await extend(), 402),
    'The gift costs 30.00 CAD, which went back to its budget when it expired, and its sender can draw 20.00 CAD more on the budget in the month of the order: have the cap for each person raised, then extend the gift.',
  );
  await workspace.call(`/api/v1/budgets/${id}`, { method: 'PATCH', body: { personCap: 50 } });
  assert.equal((await extend()).status, 200);
  assert.equal(await drawn(workspace, id), 50);
  refusal(await send(workspace, 'ada', [1]), 402);
  await checkLedger(database);
});

test('orders of three people at once over two nodes never exceed the budget or the cap of a person', async () => {
  const workspace = await open();
  for (const id of workspace.memberIds) await workspace.change(id, { department: 'Sales' });
  const { id } = await setBudget(database, workspace.id, { department: 'Sales', amount: 100, personCap: 40 });
  const answers = await Promise.all(
    Array.from({ length: 90 }, async (_, nth) => {
      const sender = ['ada', 'bo', 'cy'][nth % 3] as string;
      return { sender, status: (await send(workspace, sender, [4], [node, other][nth % 2])).status };
    }),
  );
  const accepted = answers.filter(({ status }) => status === 201);
  assert.equal(accepted.length, 25);
  for (const some of Map.groupBy(accepted, ({ sender }) => sender).values()) assert.ok(some.length <= 10);
  assert.deepEqual((await balancesOf(database, workspace.id, id))[0], 0);
  await checkLedger(database);
});
