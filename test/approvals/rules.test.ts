import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeMembers } from '../../src/company/directory/merge.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import type { AuditPage } from '../../src/ground/contract/audit.ts';
import type { Rule, RuleList } from '../../src/ground/contract/rule.ts';
import { aRule, heard, openGate } from '../support/approvals.ts';
import { eventually } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { openWorkspace, refusal, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();

const post = (workspace: TestWorkspace, body: object) =>
  workspace.call<Rule>('/api/v1/rules', { method: 'POST', body });
const named = async (workspace: TestWorkspace) =>
  (await workspace.read<RuleList>('/api/v1/rules')).rules.map(({ name, position }) => `${position} ${name}`);

const merge = ({ workspace }: { workspace: TestWorkspace }, from: number, into: number) =>
  service.database.transaction((tx) => mergeMembers(tx, theService, workspace.id, from, into));

test('a rule is added, read, changed, moved and deleted, and the audit log has each change', async () => {
  const workspace = await openWorkspace(service);
  const added = await post(workspace, aRule({ name: 'One', from: { role: 'MANAGER' } }));
  assert.equal(added.status, 201, JSON.stringify(added.body));
  const { id } = added.body;
  const expected = { ...aRule({ name: 'One', from: { role: 'MANAGER' } }), id, position: 1, isOn: true, message: null };
  assert.deepEqual(await workspace.read(`/api/v1/rules/${id}`), expected);
  await post(workspace, aRule({ name: 'Two' }));
  await post(workspace, aRule({ name: 'First', position: 1 }));
  assert.deepEqual(await named(workspace), ['1 First', '2 One', '3 Two']);
  const change = (body: object, headers = {}) =>
    workspace.call<Rule>(`/api/v1/rules/${id}`, { method: 'PATCH', body, headers });
  await change({ position: 3, isOn: false });
  assert.deepEqual(await named(workspace), ['1 First', '2 Two', '3 One']);
  assert.equal((await workspace.read<Rule>(`/api/v1/rules/${id}`)).isOn, false);
  refusal(await change({ above: 5 }, { 'If-Match': '"another"' }), 412);
  assert.equal((await workspace.call(`/api/v1/rules/${id}`, { method: 'DELETE' })).status, 204);
  assert.deepEqual(await named(workspace), ['1 First', '2 Two']);
  refusal(await workspace.call(`/api/v1/rules/${id}`), 404);
  const { entries } = await workspace.read<AuditPage>('/api/v1/audit?action=rule');
  assert.deepEqual(
    entries.map(({ action, subjectName }) => `${action} ${subjectName}`),
    ['rule.deleted One', 'rule.changed One', 'rule.added First', 'rule.added Two', 'rule.added One'],
  );
});

test('a rule that contradicts itself is rejected with every fault', async () => {
  const workspace = await openWorkspace(service);
  const faultsOf = async (body: object) => refusal(await post(workspace, body), 400);
  assert.match(await faultsOf({ ...aRule(), levels: [] }), /levels must have one or two levels/);
  assert.match(await faultsOf({ ...aRule(), days: null }), /days is required/);
  assert.match(await faultsOf({ ...aRule(), message: 'No.' }), /message must be left out/);
  assert.match(await faultsOf({ ...aRule(), above: 1.234 }), /above must have at most 2 decimals/);
  const rejecting = { ...aRule({ outcome: 'REJECT' }), levels: aRule().levels, days: 3 };
  assert.match(await faultsOf(rejecting), /message is required.*levels must be empty.*days must be left out/);
  assert.match(await faultsOf({ ...aRule(), from: { role: 'OWNER', teamId: 1 } }), /from must have one field at most/);
  const levels = [
    { approvers: [{ is: 'MEMBER' }, { is: 'MANAGER', role: 'OWNER' }, { is: 'MEMBER', memberId: 999_999 }] },
  ];
  assert.match(
    await faultsOf({ ...aRule(), levels }),
    /\[0\]\.memberId.*\[1\]\.role.*\[2\]\.memberId must be the id of a person/,
  );
});

test('owners and the people team change rules, auditors read them, and others do neither', async () => {
  const workspace = await openWorkspace(service);
  const statuses: Record<string, number[]> = {};
  for (const role of ['OWNER', 'PEOPLE_TEAM', 'AUDITOR', 'APPROVER'] as const) {
    const user = await signIn(service, { role, workspace: workspace.id, email: `${role}@rules.example.com` });
    const listed = await user.call('/api/v1/rules');
    const added = await user.call('/api/v1/rules', { method: 'POST', body: aRule() });
    statuses[role] = [listed.status, added.status];
  }
  assert.deepEqual(statuses, { OWNER: [200, 201], PEOPLE_TEAM: [200, 201], AUDITOR: [200, 403], APPROVER: [403, 403] });
});

test('orders that wait keep their approvers when the rule changes or is deleted', async () => {
  const gate = await openGate(service);
  const requestId = await gate.send(null);
  await gate.changeRule({ levels: [{ approvers: [{ is: 'ROLE', role: 'OWNER' }] }], days: 1 });
  assert.deepEqual(await gate.asked(requestId), ['Elena Brandt', 'Lucie Gagnon']);
  await gate.workspace.call(`/api/v1/rules/${gate.rules[0]?.id}`, { method: 'DELETE' });
  assert.deepEqual(await gate.asked(requestId), ['Elena Brandt', 'Lucie Gagnon']);
  await gate.decided(gate.users.elena, requestId, 'APPROVED');
});

test('every node knows a new rule soon', async () => {
  const workspace = await openWorkspace(service);
  const send = () =>
    workspace.call('/api/v1/orders', { method: 'POST', body: anOrder({ orderItems: [aGift({ amount: 150 })] }) });
  assert.equal((await send()).status, 201);
  await post(workspace, aRule({ outcome: 'REJECT', message: 'No.' }));
  await eventually(send, ({ status }) => status === 402);
});

test('a rule whose approver was merged can be turned off, and a merged record counts as the person', async () => {
  const gate = await openGate(service);
  const { workspace, ids } = gate;
  const [double] = await workspace.addPeople([{ email: 'double@example.com', firstName: 'Elena' }]);
  const levels = [{ approvers: [{ is: 'MEMBER' as const, memberId: double as number }] }];
  await gate.changeRule({ levels });
  await merge(gate, double as number, ids.elena);
  assert.equal((await gate.changeRule({ isOn: false })).isOn, false);
  await gate.changeRule({ isOn: true, levels });
  await heard(service, workspace);
  assert.deepEqual(await gate.asked(await gate.send(null)), ['Elena Brandt']);
});

test('a deputy of a merged record can be read, replaced and removed', async () => {
  const gate = await openGate(service);
  const { workspace, users, ids } = gate;
  const [double] = await workspace.addPeople([{ email: 'double@example.com', firstName: 'Lucie' }]);
  await service.database.query(
    `insert into deputies (workspace_id, member_id, deputy_id, from_day, to_day) values ($1, $2, $3, '2020-01-01', '2100-01-01')`,
    [workspace.id, double, ids.elena],
  );
  await merge(gate, double as number, ids.lucie);
  const path = '/api/v1/approvals/deputy';
  const { body } = await users.lucie.call<{ name: string }>(path);
  assert.equal(body.name, 'Elena Brandt');
  const named = { memberId: ids.olga, from: '2020-01-01', to: '2100-01-01' };
  assert.equal((await users.lucie.call(path, { method: 'PUT', body: named })).status, 200);
  assert.equal((await users.lucie.call<{ name: string }>(path)).body.name, 'Olga Owner');
  assert.equal((await users.lucie.call(path, { method: 'DELETE' })).status, 204);
  assert.equal((await users.lucie.call(path)).status, 404);
});

test('a rule by department fits however the name is written', async () => {
  const gate = await openGate(service, [{ from: { department: 'Ve\u0301lo\u200b' }, above: 0 }]);
  assert.deepEqual(gate.rules[0]?.from, { department: 'V\u00e9lo' });
  await gate.workspace.change(gate.ids.priya, { department: 'V\u00c9LO' });
  assert.equal((await gate.details(await gate.send(gate.users.priya))).approval?.state, 'WAITING');
});
