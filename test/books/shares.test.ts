import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database, Queryable } from '../../src/ground/database/database.ts';
import { readContent } from '../../src/insight/books/checkpoint.ts';
import type { LedgerFault } from '../../src/insight/books/checks.ts';
import { sealedRecords } from '../../src/insight/books/sealed.ts';
import { verifySince } from '../../src/insight/books/since.ts';
import { verifyLedger } from '../../src/insight/books/verify.ts';
import { setBudget, tamper } from '../support/budgets.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { findInPieces, verifyFully } from '../support/verifications.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;
const workspace = await openWorkspace(service, {
  people: [{ email: 'ada@example.com', department: 'Sales' }, { email: 'bo@example.com' }],
});
const nothing = await readContent(database, workspace.id, sealedRecords);
const { id: budgetId } = await setBudget(database, workspace.id, { department: 'Sales', personCap: 60 });
const { token } = await service.addToken({ workspaces: [workspace.id], scopes: ['orders:write', 'orders:delegate'] });

async function send(...amounts: number[]): Promise<string> {
  const body = anOrder({
    sender: { email: 'ada@example.com' },
    orderItems: amounts.map((amount) => aGift({ amount })),
  });
  const asked = { method: 'POST', workspace: workspace.id, token, body };
  const { body: sent } = await service.call<{ requestId: string }>('/api/v1/orders', asked);
  await workspace.finished(sent.requestId);
  return sent.requestId;
}

await send(20, 10);
const requestId = await send(25);
const [cancelled] = await database.query<{ id: number }>(
  'select id from certificates where workspace_id = $1 and request_id = $2',
  [workspace.id, requestId],
);
await workspace.call(`/api/v1/gifts/${cancelled?.id}/cancel`, { method: 'POST', body: {} });

/** The verifications of everything, of everything in pieces and of what is new that find a problem. */
async function findEachWay(inside: Database, tx: Queryable): Promise<LedgerFault[]> {
  const ways = [
    (await verifyLedger(inside)).faults,
    await findInPieces(tx, workspace.id),
    await verifySince(tx, workspace.id, nothing),
  ];
  return ways.flatMap((faults) => faults.filter(({ problem }) => /Member \d+ has drawn/.test(problem)).slice(0, 1));
}

test('what a person has drawn in a month is what their orders cost, without gifts whose money went back', async () => {
  const drawn = await database.query('select amount from budget_shares where workspace_id = $1', [workspace.id]);
  assert.deepEqual(drawn, [{ amount: 30 }]);
  assert.deepEqual(await verifyFully(database, workspace.id), []);
  const since = await database.transaction((tx) => verifySince(tx, workspace.id, nothing));
  assert.deepEqual(since, []);
});

test('every column of a share that is changed is found by every verification', async () => {
  const of = `workspace_id = ${workspace.id}`;
  const columns = await database.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'budget_shares'`,
  );
  const changes: Record<string, string> = {
    budget_id: `budget_id = (select min(id) from budgets where ${of} and id <> ${budgetId})`,
    member_id: `member_id = (select max(id) from members where ${of})`,
    month: `month = (month - interval '1 month')::date`,
    amount: 'amount = amount - 10',
  };
  // Another workspace has no such budget, and the cap of an order is written with each order.
  assert.deepEqual(
    columns.map(({ name }) => name).filter((name) => !(name in changes)),
    ['workspace_id', 'month_cap'],
  );
  await setBudget(database, workspace.id, { amount: 10 });
  for (const change of Object.values(changes))
    assert.equal(
      (await tamper(database, `update budget_shares set ${change} where ${of}`, findEachWay)).length,
      3,
      change,
    );
  assert.equal((await tamper(database, `delete from budget_shares where ${of}`, findEachWay)).length, 3);
  const another = `update order_budgets set share_member_id = share_member_id + 1 where ${of} and share_member_id is not null`;
  assert.equal((await tamper(database, another, findEachWay)).length, 3);
});
