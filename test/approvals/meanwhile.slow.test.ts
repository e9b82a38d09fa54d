import assert from 'node:assert/strict';
import { test } from 'node:test';
import { giveRole } from '../../src/company/access/users.ts';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { noteHeld } from '../../src/giving/approvals/hold.ts';
import { judgeByRules } from '../../src/giving/approvals/judge.ts';
import { deleteRule } from '../../src/giving/approvals/rules.ts';
import type { AcceptedOrder, Hold } from '../../src/giving/orders/order-steps.ts';
import type { AuditPage } from '../../src/ground/contract/audit.ts';
import type { OrderValidation } from '../../src/ground/contract/order-validation.ts';
import { aRule, heard, openGate } from '../support/approvals.ts';
import { balancesOf, checkLedger, setBudget } from '../support/budgets.ts';
import { eventually } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { type Browser, signIn } from '../support/sign-in.ts';
import { refusal, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

const retry = (by: Browser, requestId: string) => by.call(`/api/v1/orders/${requestId}/retry`, { method: 'POST' });

async function setCap(workspace: TestWorkspace, amount: number): Promise<void> {
  const body = { recipientCaps: [{ currency: 'CAD', amount }] };
  assert.equal((await workspace.call('/api/v1/settings', { method: 'PATCH', body })).status, 200);
}

test('a budget that is set while an order waits limits it: the approver gets 402, and the order waits on', async () => {
  const gate = await openGate(service);
  const { workspace, users } = gate;
  const [large, small] = [
    await gate.send(null, { orderItems: [aGift({ amount: 300 })] }),
    await gate.send(null, { orderItems: [aGift({ amount: 150 })] }),
  ];
  const { id } = await setBudget(database, workspace.id, { amount: 200 });
  assert.match(refusal(await gate.decide(users.lucie, [large, small], 'APPROVED'), 402), /200.00 CAD is left/);
  assert.equal((await gate.listed(users.lucie)).totalElements, 2);
  await gate.decided(users.lucie, small, 'APPROVED');
  assert.equal((await workspace.finished(small)).requestStatus, 'COMPLETED');
  assert.deepEqual(await balancesOf(database, workspace.id, id), [50, 0, 150, 0]);
  await gate.decided(users.lucie, large, 'DECLINED', 'Too much.');
  assert.deepEqual(await balancesOf(database, workspace.id, id), [50, 0, 150, 0]);
  await checkLedger(database);
});

test('a limit for one gift that is set while an order waits with its money reserved holds too', async () => {
  const gate = await openGate(service);
  const { workspace, users } = gate;
  const { id } = await setBudget(database, workspace.id, { amount: 500 });
  const requestId = await gate.send(null);
  const limited = await workspace.call(`/api/v1/budgets/${id}`, { method: 'PATCH', body: { giftLimit: 120 } });
  assert.equal(limited.status, 200, JSON.stringify(limited.body));
  assert.match(
    refusal(await gate.decide(users.lucie, requestId, 'APPROVED'), 402),
    /limit of 120\.00 CAD for one gift in .*: decline the order, or have the limit raised and approve it again\.$/,
  );
  assert.deepEqual(await balancesOf(database, workspace.id, id), [350, 150, 0, 0]);
});

test('orders that wait do not count against each other when one is approved', async () => {
  const gate = await openGate(service, [{ above: 0 }]);
  const { workspace, users } = gate;
  const orderItems = [aGift({ amount: 60 })];
  const [first, second] = [await gate.send(null, { orderItems }), await gate.send(null, { orderItems })];
  await setCap(workspace, 100);
  assert.match(refusal(await gate.decide(users.lucie, [first, second], 'APPROVED'), 402), /limit for one person/);
  await gate.decided(users.lucie, second, 'APPROVED');
  assert.match(refusal(await gate.decide(users.lucie, first, 'APPROVED'), 402), /limit for one person/);
  await gate.decided(users.lucie, first, 'DECLINED', 'Enough.');
});

test('a large file that waits rejects no other order, and can be approved', async () => {
  const gate = await openGate(service);
  const { workspace, users } = gate;
  const large = await gate.send(null);
  await database.query('update held_orders set gifts = 100001 where request_id = $1', [large]);
  await setCap(workspace, 1_000);
  await workspace.finished(await gate.send(null, { orderItems: [aGift({ amount: 5 })] }));
  await gate.decided(users.lucie, await gate.send(null), 'APPROVED');
  await gate.decided(users.lucie, large, 'APPROVED');
});

test('a limit for one person counts what waits for them by any of their keys, and reads no order that waits for others', async () => {
  const gate = await openGate(service, [{ above: 0 }]);
  const { workspace, users } = gate;
  await setCap(workspace, 100);
  const priya = { email: 'Priya@Example.com', employeeNumber: '3' };
  const waiting = await gate.send(users.olga, { orderItems: [aGift({ amount: 60, recipient: priya })] });
  const other = await gate.send(users.olga, {
    orderItems: [aGift({ amount: 60, recipient: { employeeNumber: '2' } })],
  });
  // It could not be read.
  await database.query(`update order_requests set body = jsonb_set(body, '{orderItems}', '0') where request_id = $1`, [
    other,
  ]);
  for (const recipient of [{ employeeNumber: '3' }, { email: 'priya@example.com' }]) {
    const body = anOrder({ orderItems: [aGift({ amount: 50, recipient })] });
    refusal(await users.olga.call('/api/v1/orders', { method: 'POST', body }), 402);
  }
  await gate.decided(users.lucie, waiting, 'DECLINED', 'No.');
  await gate.send(users.olga, { orderItems: [aGift({ amount: 50, recipient: { employeeNumber: '3' } })] });
});

test('a retry is judged by the role and the department that the order came from', async () => {
  const gate = await openGate(service, [{ from: { role: 'PEOPLE_TEAM' }, above: 0 }]);
  const { workspace, users, ids } = gate;
  const requestId = await gate.send(users.priya);
  await gate.decided(users.lucie, requestId, 'DECLINED', 'No.');
  await database.transaction((tx) =>
    giveRole(tx, atTheCommandLine, users.priya.user, { workspaceId: workspace.id, role: 'OWNER' }),
  );
  assert.equal((await retry(users.olga, requestId)).status, 200);
  assert.equal((await gate.details(requestId)).approval?.state, 'WAITING');

  const other = await openGate(service, [{ from: { department: 'Sales' }, above: 0 }]);
  const sent = await other.send(other.users.priya);
  await other.decided(other.users.lucie, sent, 'DECLINED', 'No.');
  await other.workspace.change(other.ids.priya, { department: 'Support' });
  assert.equal((await retry(other.users.olga, sent)).status, 200);
  assert.equal((await other.details(sent)).approval?.state, 'WAITING');
  assert.notEqual(ids.priya, other.ids.priya);
});

test('a rule by token holds for the tokens that replace it, during the overlap too', async () => {
  const gate = await openGate(service, []);
  const { workspace } = gate;
  const { status } = await workspace.call('/api/v1/rules', {
    method: 'POST',
    body: aRule({ from: { tokenId: workspace.tokenId }, above: 0 }),
  });
  assert.equal(status, 201);
  await heard(service, workspace);
  const state = async (token: string) =>
    (await gate.details(await gate.send(null, { orderItems: [aGift({ amount: 5 })] }, { token }))).approval?.state;
  assert.equal(await state(workspace.token), 'WAITING');
  let { token, tokenId } = workspace;
  for (let times = 0; times < 2; times++) {
    const rotated = await workspace.call<{ token: string; id: number }>(`/api/v1/tokens/${tokenId}/rotate`, {
      method: 'POST',
      body: { overlapHours: 1 },
    });
    assert.equal(rotated.status, 200, JSON.stringify(rotated.body));
    ({ token, id: tokenId } = rotated.body);
    assert.equal(await state(token), 'WAITING');
  }
  assert.equal(await state(workspace.token), 'WAITING');
  const { token: other } = await service.addToken({ workspaces: [workspace.id] });
  assert.equal(await state(other), undefined);
});

test('an order that is retried and not held shows no approval', async () => {
  const gate = await openGate(service);
  const { workspace, users, rules } = gate;
  const requestId = await gate.send(null);
  await gate.decided(users.lucie, requestId, 'DECLINED', 'No.');
  await inWorkspace(database, workspace.id, (tx) =>
    deleteRule(tx, atTheCommandLine, workspace.id, rules[0]?.id as number),
  );
  assert.equal((await retry(users.olga, requestId)).status, 200);
  assert.equal((await workspace.finished(requestId)).requestStatus, 'COMPLETED');
  assert.equal((await gate.details(requestId)).approval, null);
  assert.equal((await gate.listed(users.olga, '?state=DECLINED&mine=false')).totalElements, 0);
});

test('the audit log names the person who retried an order that waits again', async () => {
  const gate = await openGate(service);
  const requestId = await gate.send(gate.users.priya);
  await gate.decided(gate.users.lucie, requestId, 'DECLINED', 'No.');
  assert.equal((await retry(gate.users.olga, requestId)).status, 200);
  const { entries } = await gate.workspace.read<AuditPage>('/api/v1/audit?action=order.held');
  assert.deepEqual(
    entries.map(({ actorName }) => actorName),
    ['Olga Owner', 'Priya Nair'],
  );
});

test('a retry that a rule rejects gets 402 with its message', async () => {
  const gate = await openGate(service);
  const requestId = await gate.send(null);
  await gate.decided(gate.users.lucie, requestId, 'DECLINED', 'No.');
  await gate.changeRule({ outcome: 'REJECT', levels: [], days: null, message: 'Never.' });
  assert.equal(refusal(await retry(gate.users.olga, requestId), 402), 'Never.');
});

test('recipients are looked up before budgets are locked', async () => {
  const gate = await openGate(service);
  const requestId = await gate.send(null);
  await inWorkspace(database, gate.workspace.id, async (tx) => {
    const [order] = await tx.query<AcceptedOrder>(
      `select workspace_id as "workspaceId", request_id as "requestId", token_id as "tokenId", sender_id as "senderId", body as "order"
         from order_requests where request_id = $1`,
      [requestId],
    );
    const hold = (await judgeByRules(tx, [order as AcceptedOrder], async () => new Map())).get(requestId) as Hold;
    await tx.query('delete from order_approvals where request_id = $1', [requestId]);
    const seen: string[] = [];
    const { query } = tx;
    tx.query = (sql, ...rest) => {
      seen.push(sql);
      return query(sql, ...rest);
    };
    await noteHeld(tx, [{ ...(order as AcceptedOrder), hold }]);
    assert.ok(seen.length > 0 && !seen.some((sql) => /from (members|former_addresses)/.test(sql)));
  });
});

test('a manager learns from nothing whose address a recipient has', async () => {
  const gate = await openGate(service);
  const { workspace } = gate;
  await workspace.addPeople([{ email: 'manager@example.com' }]);
  const manager = await signIn(service, { role: 'MANAGER', email: 'manager@example.com', workspace: workspace.id });
  const body = anOrder({ orderItems: [aGift({ amount: 150, recipient: { email: 'lucie@example.com' } })] });
  const namesOf = async (call: Browser['call']) => {
    const { body: tried } = await call<OrderValidation>('/api/v1/orders/validate', { method: 'POST', body });
    return tried.rule?.asked.map(({ name }) => name);
  };
  assert.deepEqual(await namesOf(manager.call), ['Elena Brandt', 'Lucie Gagnon']);
  assert.deepEqual(await namesOf(gate.users.olga.call), ['Elena Brandt']);
  const requestId = await gate.send(manager, { orderItems: body.orderItems });
  const shown = await manager.call<{ asked: { name: string }[] }>(`/api/v1/approvals/orders/${requestId}`);
  assert.deepEqual(
    shown.body.asked?.map(({ name }) => name),
    ['Elena Brandt', 'Lucie Gagnon'],
  );
  refusal(await gate.decide(gate.users.lucie, requestId, 'APPROVED'), 404);
});

test('a deputy needs a role that may decide, and the audit log names the deputy once', async () => {
  const gate = await openGate(service);
  const { workspace, users, ids } = gate;
  const [stranger] = await workspace.addPeople([{ email: 'stranger@example.com' }]);
  await signIn(service, { role: 'AUDITOR', email: 'stranger@example.com', workspace: workspace.id });
  const name = (memberId: number, to = '2100-01-01') =>
    users.lucie.call('/api/v1/approvals/deputy', { method: 'PUT', body: { memberId, from: '2020-01-01', to } });
  assert.match(
    refusal(await name(stranger as number), 400),
    /memberId must be another person .* whose role may decide/,
  );
  refusal(await name(ids.lucie), 400);
  for (const to of ['2100-01-01', '2100-01-01', '2100-01-02']) assert.equal((await name(ids.elena, to)).status, 200);
  assert.equal((await users.lucie.call('/api/v1/approvals/deputy', { method: 'DELETE' })).status, 204);
  const { entries } = await workspace.read<AuditPage>('/api/v1/audit?action=member');
  const elena = [String(ids.elena), 'Elena Brandt', 'Lucie Gagnon'];
  assert.deepEqual(
    entries
      .filter(({ action }) => action.startsWith('member.deputy'))
      .map(({ action, subjectId, subjectName, actorName }) => [action, subjectId, subjectName, actorName]),
    [
      ['member.deputy_removed', ...elena],
      ['member.deputy_named', ...elena],
      ['member.deputy_named', ...elena],
    ],
  );
});

test('a rule cannot ask a role that may not decide', async () => {
  const gate = await openGate(service, []);
  const levels = [{ approvers: [{ is: 'ROLE' as const, role: 'AUDITOR' as const }] }];
  const { workspace } = gate;
  assert.match(
    refusal(await workspace.call('/api/v1/rules', { method: 'POST', body: aRule({ levels }) }), 400),
    /role must be a role that may decide/,
  );
});

test('an order that is named twice, in upper and lower case, gives 400', async () => {
  const gate = await openGate(service);
  const requestId = await gate.send(null);
  assert.match(
    refusal(await gate.decide(gate.users.lucie, [requestId, requestId.toUpperCase()], 'APPROVED'), 400),
    /requestIds must name each order once/,
  );
});

test('a declined order counts as failed', async () => {
  const gate = await openGate(service);
  const failed = async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return Number(/^giftwire_orders_failed_total (\d+)/m.exec(text)?.[1]);
  };
  const before = await failed();
  await gate.decided(gate.users.lucie, await gate.send(null), 'DECLINED', 'No.');
  await eventually(failed, (count) => count === before + 1);
});
