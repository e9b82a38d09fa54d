import assert from 'node:assert/strict';
import { test } from 'node:test';
import { theService } from '../../src/company/workspaces/audit.ts';
import { advanceClock } from '../../src/company/workspaces/clock.ts';
import { declineOverdue } from '../../src/giving/approvals/expire.ts';
import { retryOrder } from '../../src/giving/orders/retry.ts';
import type { AuditPage } from '../../src/ground/contract/audit.ts';
import type { Overview } from '../../src/ground/contract/overview.ts';
import { acceptSteps, declineSteps } from '../../src/steps.ts';
import { openGate } from '../support/approvals.ts';
import { balancesOf, checkLedger, setBudget } from '../support/budgets.ts';
import { followEvents } from '../support/events.ts';
import { aGift } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { refusal } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

const passDays = (workspaceId: number, days: number) =>
  database.transaction((tx) => advanceClock(tx, workspaceId, days * 86_400));

test('an order without a decision in time is declined once, its money returns, and later decisions are too late', async () => {
  const gate = await openGate(service);
  const { workspace, users } = gate;
  const { id } = await setBudget(database, workspace.id, { amount: 500 });
  const [first, second] = [await gate.send(null), await gate.send(null)];
  await passDays(workspace.id, 6.9);
  await declineOverdue(database, declineSteps);
  assert.equal((await gate.details(first)).approval?.state, 'WAITING');
  await gate.decided(users.lucie, second, 'APPROVED');
  await passDays(workspace.id, 0.2);
  await Promise.all([declineOverdue(database, declineSteps), declineOverdue(database, declineSteps)]);
  const { approval, failure, requestStatus } = await gate.details(first);
  assert.deepEqual([approval?.state, failure, requestStatus], ['EXPIRED', 'No approver decided in time.', 'FAILED']);
  assert.match(refusal(await gate.decide(users.lucie, first, 'APPROVED'), 409), /The time to decide .* ended at/);
  assert.equal((await workspace.finished(second)).requestStatus, 'COMPLETED');
  assert.deepEqual(await balancesOf(database, workspace.id, id), [350, 0, 150, 0]);
  const events = (await followEvents(workspace).next()).filter(({ data }) => data.requestId === first);
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.decidedBy]),
    [
      ['order.waiting', undefined],
      ['order.declined', null],
      ['order.failed', undefined],
    ],
  );
  const { entries } = await workspace.read<AuditPage>('/api/v1/audit?action=order.expired');
  assert.deepEqual(
    entries.map(({ actor, subjectId }) => [actor, subjectId]),
    [['SYSTEM', first]],
  );
  await checkLedger(database);
});

test('Home counts an order that failed after its approval, and not those that were declined or not decided in time', async () => {
  const gate = await openGate(service);
  const { workspace, users } = gate;
  const [declined, approved, overdue] = [await gate.send(null), await gate.send(null), await gate.send(null)];
  await gate.decided(users.lucie, declined, 'DECLINED', 'Not this year.');
  await database.pool.query(`
    create function curse() returns trigger language plpgsql as $$ begin raise exception 'cursed'; end $$;
    create trigger curse before insert on certificates for each row execute function curse()`);
  await gate.decided(users.lucie, approved, 'APPROVED');
  assert.equal((await workspace.finished(approved)).requestStatus, 'FAILED');
  await database.pool.query('drop trigger curse on certificates');
  await passDays(workspace.id, 7.1);
  await declineOverdue(database, declineSteps);
  assert.equal((await gate.details(overdue)).requestStatus, 'FAILED');
  const { attention } = await workspace.read<Overview>('/api/v1/reports/overview');
  assert.equal(attention.failedOrders, 1);
});

test('a second level has its own days', async () => {
  const approvers = [{ is: 'ROLE' as const, role: 'APPROVER' as const }];
  const gate = await openGate(service, [{ levels: [{ approvers }, { approvers }], days: 2 }]);
  const requestId = await gate.send(null);
  await passDays(gate.workspace.id, 1.5);
  await gate.decided(gate.users.lucie, requestId, 'APPROVED');
  await passDays(gate.workspace.id, 1.5);
  await declineOverdue(database, declineSteps);
  assert.equal((await gate.details(requestId)).approval?.state, 'WAITING');
  await passDays(gate.workspace.id, 0.6);
  await declineOverdue(database, declineSteps);
  assert.equal((await gate.details(requestId)).approval?.state, 'EXPIRED');
});

test('a declined order that is retried passes the gate again', async () => {
  const gate = await openGate(service);
  const { workspace, users } = gate;
  const { id } = await setBudget(database, workspace.id, { amount: 500 });
  const requestId = await gate.send(null);
  await gate.decided(users.lucie, requestId, 'DECLINED', 'Not yet.');
  await retryOrder(database, theService, requestId, acceptSteps);
  const { approval, requestStatus } = await gate.details(requestId);
  assert.deepEqual([requestStatus, approval?.state, approval?.decisions], ['ACCEPTED', 'WAITING', []]);
  assert.deepEqual(await balancesOf(database, workspace.id, id), [350, 150, 0, 0]);
  await gate.decided(users.lucie, requestId, 'APPROVED');
  assert.equal((await workspace.finished(requestId)).requestStatus, 'COMPLETED');
  await checkLedger(database);
});

test('a retry that a rule rejects leaves the order failed', async () => {
  const gate = await openGate(service);
  const requestId = await gate.send(null, { orderItems: [aGift({ amount: 150 })] });
  await gate.decided(gate.users.lucie, requestId, 'DECLINED', 'No.');
  await gate.changeRule({ outcome: 'REJECT', levels: [], days: null, message: 'Never.' });
  await assert.rejects(retryOrder(database, theService, requestId, acceptSteps), /Never/);
  assert.equal((await gate.details(requestId)).requestStatus, 'FAILED');
  await checkLedger(database);
});
