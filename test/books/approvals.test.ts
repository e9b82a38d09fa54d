import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database, Queryable } from '../../src/ground/database/database.ts';
import { readContent } from '../../src/insight/books/checkpoint.ts';
import type { LedgerFault } from '../../src/insight/books/checks.ts';
import { sealedRecords } from '../../src/insight/books/sealed.ts';
import { verifySince } from '../../src/insight/books/since.ts';
import { verifyLedger } from '../../src/insight/books/verify.ts';
import { openGate } from '../support/approvals.ts';
import { tamper } from '../support/budgets.ts';
import { startService } from '../support/service.ts';
import { findInPieces, verifyFully } from '../support/verifications.ts';

const service = await startService();
const { database } = service;
const anApprover = { approvers: [{ is: 'ROLE', role: 'APPROVER' }] };
const { users, workspace, send, decided } = await openGate(service, [{ levels: [anApprover, anApprover] as never }]);
const nothing = await readContent(database, workspace.id, sealedRecords);
const halfway = await send(null);
await decided(users.lucie, halfway, 'APPROVED');
const approved = await send(null);
await decided(users.lucie, approved, 'APPROVED');
await decided(users.elena, approved, 'APPROVED');
assert.equal((await workspace.finished(approved)).requestStatus, 'COMPLETED');
const declined = await send(null);
await decided(users.lucie, declined, 'DECLINED', 'Not this month.');

/** What the verifications of everything, of everything in pieces, and of what is new say. */
async function sayAll(inside: Database, tx: Queryable): Promise<LedgerFault[]> {
  const found = [
    (await verifyLedger(inside, { workspaceId: workspace.id })).faults,
    await findInPieces(tx, workspace.id),
    await verifySince(tx, workspace.id, nothing),
  ];
  return found.map((faults) => ({
    workspaceId: workspace.id,
    budgetId: null,
    number: null,
    problem: faults.map(({ problem }) => problem).join(' ') || 'nothing',
  }));
}

test('approvals that wait, were given and were declined agree with their orders', async () => {
  assert.deepEqual(await verifyFully(database, workspace.id), []);
});

test('an order that was sent, approved or declined with SQL is found by every verification', async () => {
  const of = (requestId: string) => `workspace_id = ${workspace.id} and request_id = '${requestId}'`;
  const isHeld = `insert into held_orders (workspace_id, request_id, gifts, recipient_keys) values (${workspace.id},`;
  const cases: Record<string, RegExp> = {
    [`delete from held_orders where ${of(halfway)}`]: /waits for approval and is not held/,
    [`update order_approvals set state = 'APPROVED' where ${of(halfway)}`]: /is approved and still held/,
    [`update order_approvals set level = 1 where ${of(halfway)}`]: /waits for level 1, and its decisions/,
    [`delete from order_decisions where ${of(halfway)}`]: /waits for level 2, and its decisions/,
    [`delete from order_decisions where ${of(approved)} and level = 2`]: /counts as approved, and not each/,
    [`update order_decisions set decision = 'DECLINED' where ${of(approved)} and level = 1`]: /counts as approved/,
    [`update order_approvals set levels = levels || levels where ${of(approved)}`]: /counts as approved, and not each/,
    [`update order_approvals set state = 'WAITING' where ${of(approved)}`]: /waits for approval and is not held/,
    [`${isHeld} '${approved}', 1, '{}')`]: /is approved and still held/,
    [`delete from order_decisions where ${of(halfway)}; delete from order_approvals where ${of(halfway)}`]:
      /is held, and no rule says why/,
    [`update order_requests set body = jsonb_set(body, '{orderItems,0,recipient,email}', '"eve@example.com"') where ${of(halfway)}`]:
      /was changed after it began to wait/,
    [`update order_requests set body = jsonb_set(body, '{orderItems,0,amount}', '900') where ${of(halfway)}`]:
      /was changed after it began to wait/,
    [`update order_approvals set total = 15 where ${of(halfway)}`]: /asks for other gifts than its approvers see/,
    [`update order_approvals set gifts = 2 where ${of(halfway)}`]: /asks for other gifts than its approvers see/,
    [`update order_approvals set body_hash = '\\x00' where ${of(halfway)}`]: /was changed after it began to wait/,
  };
  for (const [sql, problem] of Object.entries(cases)) {
    const said = await tamper(database, sql, sayAll);
    assert.equal(said.length, 3);
    for (const one of said) assert.match(one, problem, sql);
  }
  const asApproved = `update order_approvals set state = 'APPROVED' where ${of(declined)}`;
  assert.match((await tamper(database, asApproved)).join(' '), /counts as approved, and not each/);
  const decision = `update order_decisions set decision = 'APPROVED' where ${of(declined)}`;
  assert.match((await tamper(database, decision)).join(' '), /is declined, and its decisions/);
});
