import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkspaceGrant } from '../../src/company/access/grants.ts';
import { lockWorkspace } from '../../src/company/workspaces/lock.ts';
import { Acceptance } from '../../src/giving/orders/accept.ts';
import type { AcceptStep } from '../../src/giving/orders/order-steps.ts';
import { acceptSteps } from '../../src/steps.ts';
import { openGate } from '../support/approvals.ts';
import { balancesOf, checkLedger, setBudget } from '../support/budgets.ts';
import { eventually, whileBusy } from '../support/eventually.ts';
import { createGrant } from '../support/grant.ts';
import { countWaiting } from '../support/held-locks.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { sealAsIs } from '../support/seals.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

/** The advisory locks of senders, as in approvals/sender-months.ts. */
const senderLocks = 0x73_00_00_00_00_00;

/** Accepts an order of one gift. Between the check of the budgets and the reservation, `meanwhile` happens, once. */
async function accept(workspace: WorkspaceGrant, amount: number, meanwhile: () => Promise<unknown>) {
  let times = 0;
  const meddle: AcceptStep = {
    async refuse() {
      if (times++ === 0) await meanwhile();
      return new Map();
    },
  };
  const acceptance = new Acceptance(database, [...acceptSteps, meddle]);
  const order = anOrder({ orderItems: [aGift({ amount })] }) as never;
  const submission = { tokenId: 1, workspace, customerRequestId: null, idempotencyKey: null, order };
  const failure = await acceptance.accept(submission).then(
    () => null,
    (error: Error & { kind?: string }) => error.kind ?? String(error),
  );
  return { failure, times };
}

test('an order whose sender gets another budget while it is accepted draws on that one, or is rejected because of it', async () => {
  const { id, memberIds } = await openWorkspace(service, {
    people: [{ email: 'ada@example.com' }, { email: 'bo@example.com' }],
  });
  const [ada, bo] = memberIds as [number, number];
  await setBudget(database, id);
  const grant = { ...(await createGrant(database)), workspaceId: id, hasBudgets: true };
  const giveOwn = (memberId: number) => async () => setBudget(database, id, { memberId, amount: 5 });
  const dear = await accept({ ...grant, memberId: ada }, 50, giveOwn(ada));
  assert.deepEqual(dear, { failure: 'overBudget', times: 1 });
  assert.deepEqual(await accept({ ...grant, memberId: bo }, 3, giveOwn(bo)), { failure: null, times: 1 });
  await checkLedger(database);
});

test('an order that lets money lapse waits for the lock of its workspace while it holds no other lock', async () => {
  const gate = await openGate(service, [{ measure: 'SENDER_MONTH', above: 1_000 }]);
  const { workspace, users, ids } = gate;
  const { id } = await setBudget(database, workspace.id, { amount: 100, lapses: 'YEAR' });
  await database.query(`update budgets set lapses_at = date_trunc('year', now()) where workspace_id = $1`, [
    workspace.id,
  ]);
  await sealAsIs(database, workspace.id);
  const order = { method: 'POST', body: anOrder({ orderItems: [aGift({ amount: 5 })] }) };
  const sent = await database.transaction(async (tx) => {
    await lockWorkspace(tx, workspace.id);
    const sent = whileBusy(() => users.priya.call('/api/v1/orders', order));
    await eventually(
      () => countWaiting(database, 'requests'),
      (waiting) => waiting > 0,
    );
    // As a retry of an order of the same sender does.
    const [sender] = await tx.query<{ isFree: boolean }>('select pg_try_advisory_xact_lock($1::bigint) as "isFree"', [
      senderLocks + ids.priya,
    ]);
    await tx.query(`set local lock_timeout = '200ms'`);
    await tx.query('select from budgets where workspace_id = $1 for update', [workspace.id]);
    return { sent, isFree: sender?.isFree };
  });
  assert.equal(sent.isFree, true);
  assert.match(refusal(await sent.sent, 402), /0\.00 CAD is left/);
  assert.deepEqual(await balancesOf(database, workspace.id, id), [0, 0, 0, 0]);
  await checkLedger(database);
});

test('an order that is tried again after the end of a period draws on nothing of it', async () => {
  const gate = await openGate(service);
  const { workspace, users } = gate;
  const { id } = await setBudget(database, workspace.id, { amount: 200, lapses: 'YEAR' });
  const requestId = await gate.send(users.priya);
  await gate.decided(users.lucie, requestId, 'DECLINED', 'Later.');
  await database.query(`update budgets set lapses_at = date_trunc('year', now()) where workspace_id = $1`, [
    workspace.id,
  ]);
  await sealAsIs(database, workspace.id);
  const retried = await users.olga.call(`/api/v1/orders/${requestId}/retry`, { method: 'POST' });
  assert.match(refusal(retried, 402), /0\.00 CAD is left/);
  assert.deepEqual(await balancesOf(database, workspace.id, id), [0, 0, 0, 0]);
  await checkLedger(database);
});
