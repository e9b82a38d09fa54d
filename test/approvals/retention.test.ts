import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advanceClock } from '../../src/company/workspaces/clock.ts';
import { beginRetention, type Retention, runRetention } from '../../src/company/workspaces/retention.ts';
import { partyRetention } from '../../src/giving/approvals/party-retention.ts';
import { senderMonthOrderRetention, senderMonthRetention } from '../../src/giving/approvals/sender-month-retention.ts';
import { openGate } from '../support/approvals.ts';
import { aGift } from '../support/orders.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;

/** Removes in batches of one what is due. With another name, so that the worker leaves it alone; with 0 days everything is old. */
async function remove(declared: Retention, workspaceId: number): Promise<number> {
  const retention = { ...declared, runsAs: `${declared.kind} of a test`, usualDays: 0 };
  await beginRetention(database, [retention]);
  await database.query('update retention_runs set next_at = now() where workspace_id = $1 and kind = $2', [
    workspaceId,
    retention.runsAs,
  ]);
  let removed = 0;
  for (;;) {
    const batch = await runRetention(database, [retention], 1);
    if (!batch) return removed;
    removed += batch.removed;
  }
}

test('what senders sent in past months is removed, and no total that a rule reads', async () => {
  const gate = await openGate(service, [{ measure: 'SENDER_MONTH', above: 100 }]);
  const { workspace, users } = gate;
  const send = (amount: number) => gate.send(users.priya, { orderItems: [aGift({ amount })] });
  const past = [await send(60), await send(30)];
  assert.equal(await remove(senderMonthOrderRetention, workspace.id), 0);
  assert.equal(await remove(senderMonthRetention, workspace.id), 0);
  await database.transaction((tx) => advanceClock(tx, workspace.id, 32 * 86_400));
  const current = await send(100);
  assert.equal(await remove(senderMonthOrderRetention, workspace.id), past.length);
  assert.equal(await remove(senderMonthRetention, workspace.id), 1);
  const left = await database.query<{ requestId: string }>(
    'select request_id as "requestId" from sender_month_orders where workspace_id = $1',
    [workspace.id],
  );
  assert.deepEqual(left, [{ requestId: current }]);
  assert.equal((await gate.details(await send(1))).approval?.state, 'WAITING');
});

test('addresses of people who could not decide are removed with age from completed orders, and stay while an order can be decided', async () => {
  const gate = await openGate(service);
  const { workspace, users } = gate;
  const completed = await gate.send(users.priya);
  await gate.decided(users.lucie, completed, 'APPROVED');
  await workspace.finished(completed);
  const [declined, waiting] = [await gate.send(users.priya), await gate.send(users.priya)];
  await gate.decided(users.lucie, declined, 'DECLINED', 'No.');
  assert.equal(await remove(partyRetention, workspace.id), 1);
  const left = await database.query<{ requestId: string }>(
    'select request_id as "requestId" from order_parties where workspace_id = $1 order by request_id',
    [workspace.id],
  );
  assert.deepEqual(left, [{ requestId: declined }, { requestId: waiting }]);
  assert.equal((await gate.details(completed)).approval?.state, 'APPROVED');
});

test('no workspace can remove what a change of its time zone could need again', () => {
  for (const { leastDays } of [senderMonthRetention, senderMonthOrderRetention]) assert.ok(leastDays >= 62);
});
