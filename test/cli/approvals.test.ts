import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderApproval } from '../../src/ground/contract/approval.ts';
import type { Rule } from '../../src/ground/contract/rule.ts';
import { openGate } from '../support/approvals.ts';
import { eventually } from '../support/eventually.ts';
import { aGift } from '../support/orders.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const env = { DATABASE_URL: service.database.url };

/** Runs a command in a workspace, and returns what it prints. */
async function run(workspaceId: number, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await giftwire([...args, '--workspace', String(workspaceId)], env);
  assert.equal(code, 0, stderr);
  return stdout;
}

async function refused(workspaceId: number, ...args: string[]): Promise<string> {
  const { code, stderr } = await giftwire([...args, '--workspace', String(workspaceId)], env);
  assert.notEqual(code, 0);
  return stderr;
}

test('an operator records the decision of an approver, and the audit log says so', async () => {
  const { workspace, send } = await openGate(service);
  const [one, two] = [await send(null), await send(null)];
  const list = JSON.parse(await run(workspace.id, 'approval', 'list', '--json')) as OrderApproval[];
  assert.deepEqual(
    list.map(({ requestId }) => requestId),
    [one, two],
  );
  assert.match(await run(workspace.id, 'approval', 'list'), /Large gifts\n {2}waits for Elena Brandt, Lucie Gagnon/);
  assert.match(await run(workspace.id, 'approval', 'show', one), /^waits for +Elena Brandt, Lucie Gagnon$/m);

  const lucie = ['--for', 'lucie@example.com'];
  await run(workspace.id, 'approval', 'approve', one, ...lucie, '--json');
  const declined = await run(workspace.id, 'approval', 'decline', two, ...lucie, '--comment', 'Too much.');
  assert.match(declined, /^decision +DECLINED by Lucie Gagnon: Too much\.$/m);
  assert.equal((await workspace.finished(one)).requestStatus, 'COMPLETED');
  assert.equal((await workspace.finished(two)).requestStatus, 'FAILED');
  assert.match(await run(workspace.id, 'approval', 'list', '--state', 'DECLINED'), new RegExp(two));

  const entries = await service.database.query<{ action: string; actor: string; actorName: string; approver: string }>(
    `select action, actor, actor_name as "actorName", detail ->> 'approver' as approver
       from audit_log
      where workspace_id = $1 and action in ('order.approved', 'order.declined')
      order by id`,
    [workspace.id],
  );
  assert.deepEqual(entries, [
    { action: 'order.approved', actor: 'CLI', actorName: null, approver: 'Lucie Gagnon' },
    { action: 'order.declined', actor: 'CLI', actorName: null, approver: 'Lucie Gagnon' },
  ]);
});

test('the orders of a batch are listed, shown and decided as one', async () => {
  const { workspace, send, listed, users } = await openGate(service);
  const batch = { id: 'year-end', orders: 2 };
  const [one, two] = [await send(null, { batch }), await send(null, { batch })];
  await eventually(
    () => listed(users.lucie),
    ({ totalElements }) => totalElements === 1,
  );
  const list = await run(workspace.id, 'approval', 'list');
  assert.match(list, new RegExp(`^${one}.*\n {2}2 gifts in 2 orders, 300\\.00 CAD, sent by`));
  assert.doesNotMatch(list, new RegExp(two));
  assert.match(await run(workspace.id, 'approval', 'show', two), /^total +300\.00 CAD$/m);
  await run(workspace.id, 'approval', 'approve', one, '--for', 'lucie@example.com');
  for (const id of [one, two]) assert.equal((await workspace.finished(id)).requestStatus, 'COMPLETED');
});

test('an operator records no decision of a person who may not decide', async () => {
  const { workspace, send } = await openGate(service);
  const toOlga = aGift({ amount: 150, recipient: { email: 'owner@example.com' } });
  const requestId = await send(null, { orderItems: [toOlga] });
  const approve = (email: string) => refused(workspace.id, 'approval', 'approve', requestId, '--for', email);
  assert.match(await approve('owner@example.com'), /^owner@example.com may not decide.*You sent or requested order/);
  assert.match(await approve('priya@example.com'), /You are not asked/);
  assert.match(await approve('nobody@example.com'), /does not sign in to workspace/);
  const elsewhere = await openGate(service);
  const other = elsewhere.workspace.id;
  assert.match(await refused(other, 'approval', 'show', requestId), /No order/);
  assert.match(await refused(other, 'approval', 'approve', requestId, '--for', 'elena@example.com'), /No order/);
  assert.equal((await workspace.status(requestId)).requestStatus, 'ACCEPTED');
});

test('rules are added, moved, turned off and deleted by commands, as the list of the API shows', async () => {
  const { workspace, ids } = await openGate(service, []);
  const add = (...args: string[]) =>
    run(workspace.id, 'rule', 'add', 'Large', '--measure', 'order', '--currency', 'CAD', '--above', '500', ...args);
  const asks = ['--ask', `manager,id:${ids.lucie}`, '--then-ask', 'role:OWNER', '--days', '5'];
  const first = JSON.parse(await add(...asks, '--from', 'role:MANAGER', '--json')) as Rule;
  const second = JSON.parse(await add('--reject', 'Ask Lucie.', '--position', '1', '--json')) as Rule;
  const { rules } = await workspace.read<{ rules: Rule[] }>('/api/v1/rules');
  assert.deepEqual(rules, [second, { ...first, position: 2 }]);
  assert.deepEqual(JSON.parse(await run(workspace.id, 'rule', 'list', '--json')), rules);
  assert.deepEqual(first.levels, [
    { approvers: [{ is: 'MANAGER' }, { is: 'MEMBER', memberId: ids.lucie }] },
    { approvers: [{ is: 'ROLE', role: 'OWNER' }] },
  ]);
  const shown = await run(workspace.id, 'rule', 'show', String(first.id));
  assert.match(shown, /^asks +manager, id:\d+\nthen asks +role:OWNER$/m);
  assert.match(shown, /^from +role:MANAGER$/m);

  const off = JSON.parse(
    await run(workspace.id, 'rule', 'change', String(first.id), '--off', '--above', '0', '--json'),
  );
  assert.deepEqual([off.isOn, off.above, off.levels], [false, 0, first.levels]);
  assert.match(await refused(workspace.id, 'rule', 'delete', String(second.id)), /confirmation needs a terminal/);
  await run(workspace.id, 'rule', 'delete', String(second.id), '--yes');
  assert.match(await run(workspace.id, 'rule', 'list'), /^1 +\d+ +Large +no +ORDER above 0\.00 CAD +ASK$/m);
});

test('a rule that says too little is rejected, with what is missing', async () => {
  const { workspace } = await openGate(service, []);
  const add = (...args: string[]) =>
    refused(workspace.id, 'rule', 'add', 'Large', '--measure', 'GIFT', '--currency', 'CAD', '--above', '500', ...args);
  assert.match(await add(), /--ask for approval, or --reject/);
  assert.match(await add('--ask', 'manager'), /approvers have with --days/);
  assert.match(await add('--ask', 'lucie', '--days', '3'), /manager, role:APPROVER or id:5/);
  assert.match(await add('--ask', 'role:AUDITOR', '--days', '3'), /"AUDITOR" must be one of/);
  assert.match(await add('--ask', 'manager', '--reject', 'No.'), /cannot be used with/);
  assert.match(
    await add('--then-ask', 'manager', '--ask', 'manager', '--days', '3', '--from', 'sales'),
    /role:MANAGER/,
  );
  assert.match(await refused(workspace.id, 'rule', 'change', '1'), /Say what to change/);
});

test('a gift that waits for approval is sent, and the command says who is asked', async () => {
  const { workspace } = await openGate(service);
  const client = { GIFTWIRE_URL: service.url, GIFTWIRE_TOKEN: workspace.token };
  const gift = ['send', '--to', 'zoe@example.com', '--amount', '600', '--message', 'Hi'];
  const { code, stdout } = await giftwire(gift, { ...client, GIFTWIRE_WORKSPACE: String(workspace.id) });
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^The order [0-9a-f-]{36} waits for approval \(Large gifts\)\. .*\n .*approval show [0-9a-f-]{36} /,
  );
});
