import assert from 'node:assert/strict';
import { test } from 'node:test';
import { balancesOf, checkLedger, setBudget } from '../support/budgets.ts';
import { eventually, whileBusy } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

const tokenKey = 'the-key-that-both-nodes-of-this-file-share';
const node = await startService({ tokenKey });
const other = await startService({ tokenKey, database: node.database });
const { database } = node;

/** Sends orders of one gift each, to both nodes in turns. Returns how many got which status. */
async function sendAll(workspace: { id: number; token: string }, amounts: number[]) {
  const answers = await Promise.all(
    amounts.map((amount, nth) => {
      const call = { method: 'POST', token: workspace.token, workspace: workspace.id };
      const body = anOrder({ orderItems: [aGift({ amount })] });
      return whileBusy(() => (nth % 2 ? node : other).call('/api/v1/orders', { ...call, body }));
    }),
  );
  return Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, some]) => [status, some.length]),
  );
}

test('four hundred orders at once over two nodes, on a budget for exactly 200 of them', async () => {
  const workspace = await openWorkspace(node);
  const { id } = await setBudget(database, workspace.id, { amount: 200 * 7.25 });
  const statuses = await sendAll(
    workspace,
    Array.from({ length: 400 }, () => 7.25),
  );
  assert.deepEqual(statuses, { 201: 200, 402: 200 });
  await eventually(
    () => balancesOf(database, workspace.id, id),
    ([, committed]) => committed === 0,
  );
  assert.deepEqual(await balancesOf(database, workspace.id, id), [0, 0, 1_450, 0]);
  await checkLedger(database);
});

test('an exhausted workspace takes nothing from its neighbours', async () => {
  const [poor, rich, free] = await Promise.all([1, 2, 3].map(() => openWorkspace(node)));
  assert.ok(poor && rich && free);
  await setBudget(database, poor.id, { amount: 1 });
  const { id } = await setBudget(database, rich.id, { amount: 500 });
  const answers = await Promise.all([
    sendAll(
      poor,
      Array.from({ length: 50 }, () => 5),
    ),
    sendAll(
      rich,
      Array.from({ length: 50 }, () => 10),
    ),
    sendAll(
      free,
      Array.from({ length: 50 }, () => 10),
    ),
  ]);
  assert.deepEqual(answers, [{ 402: 50 }, { 201: 50 }, { 201: 50 }]);
  assert.equal((await balancesOf(database, rich.id, id))[0], 0);
  refusal(await rich.call('/api/v1/orders', { method: 'POST', body: anOrder() }), 402);
});

test('a budget that somebody else has locked holds up the orders of its own workspace alone', async () => {
  const [held, rich, free] = await Promise.all([1, 2, 3].map(() => openWorkspace(node)));
  assert.ok(held && rich && free);
  await setBudget(database, held.id);
  await setBudget(database, rich.id, { amount: 10_000 });
  /** Not repeated: neighbours must get their answer the first time. */
  const send = ({ id, token }: { id: number; token: string }) =>
    node
      .call('/api/v1/orders', { method: 'POST', token, workspace: id, body: anOrder() })
      .then(({ status, headers }) => [status, headers.get('retry-after')]);
  const workspaces = [held, rich, free, held, rich, free, held, rich, free];
  const expected = workspaces.map((workspace) => (workspace === held ? [503, '1'] : [201, null]));
  await database.transaction(async (tx) => {
    await tx.query('select from budgets where workspace_id = $1 for update', [held.id]);
    for (let round = 0; round < 3; round++) assert.deepEqual(await Promise.all(workspaces.map(send)), expected);
  });
  assert.deepEqual(await sendAll(held, [25]), { 201: 1 }, 'its orders are accepted again');
  await checkLedger(database);
});
