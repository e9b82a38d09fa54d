import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { joinAccounts } from '../../src/company/access/join-accounts.ts';
import { usualScopes } from '../../src/company/access/scopes.ts';
import { addUser as addAccount, giveRole } from '../../src/company/access/users.ts';
import { saveEmails } from '../../src/company/directory/emails.ts';
import { splitMember } from '../../src/company/directory/split.ts';
import { atTheCommandLine, theService } from '../../src/company/workspaces/audit.ts';
import { lockWorkspace } from '../../src/company/workspaces/lock.ts';
import { findParties } from '../../src/giving/approvals/parties.ts';
import type { AcceptedOrder } from '../../src/giving/orders/order-steps.ts';
import { openGate } from '../support/approvals.ts';
import { aGift } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { type Browser, signIn } from '../support/sign-in.ts';
import { refusal } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

type Gate = Awaited<ReturnType<typeof openGate>>;
const approvers = (...roles: string[]) => ({
  approvers: roles.map((role) => ({ is: 'ROLE' as const, role })) as never,
});
const byThePeopleTeam = [{ levels: [approvers('PEOPLE_TEAM', 'OWNER')] }];

/** Lets a user act as another person, who is new. Returns that person's id. */
async function relink({ workspace }: Gate, { user }: Browser, role: 'PEOPLE_TEAM' | 'APPROVER' = 'PEOPLE_TEAM') {
  const [id] = await workspace.addPeople([{ email: `other-${user.id}@example.com`, firstName: 'Other' }]);
  await database.transaction((tx) =>
    giveRole(tx, atTheCommandLine, user, { workspaceId: workspace.id, role, member: String(id) }),
  );
  return id as number;
}

async function cannotApprove(gate: Gate, by: Browser, requestId: string): Promise<void> {
  const { status, body } = await gate.decide(by, requestId, 'APPROVED');
  assert.ok([403, 404].includes(status), `${status} ${JSON.stringify(body)}`);
  assert.ok(!(await gate.asked(requestId)).includes('Other'));
  assert.equal((await gate.details(requestId)).approval?.state, 'WAITING');
}

test('who sent an order cannot approve it after their account acts as another member', async () => {
  const gate = await openGate(service, byThePeopleTeam);
  const { priya } = gate.users;
  const requestId = await gate.send(priya);
  await relink(gate, priya);
  assert.match(refusal(await gate.decide(priya, requestId, 'APPROVED'), 403), /You sent or requested/);
  await cannotApprove(gate, priya, requestId);
});

test('who sent an order without a member record cannot approve it after their account is linked to one', async () => {
  const gate = await openGate(service, byThePeopleTeam);
  const zoe = await signIn(service, { role: 'PEOPLE_TEAM', email: 'zoe@example.com', workspace: gate.workspace.id });
  const requestId = await gate.send(zoe);
  await relink(gate, zoe);
  await cannotApprove(gate, zoe, requestId);
});

test('who is behind an order is a party by account and address, also without a role at that time', async () => {
  const { workspace, ids } = await openGate(service, byThePeopleTeam);
  const email = 'formerly@example.com';
  const account = await database.transaction((tx) => addAccount(tx, { email, name: 'Formerly' }));
  const requestId = randomUUID();
  const order = { currency: 'CAD', orderItems: [aGift()] } as AcceptedOrder['order'];
  const sent = { workspaceId: workspace.id, requestId, tokenId: 0, senderId: ids.priya, order };
  const [parties] = await database.transaction((tx) => findParties(tx, [sent], new Map([[requestId, [account.id]]])));
  for (const key of [`u:${account.id}`, `a:${email}`]) assert.ok(parties?.askers.includes(key), key);
});

test('the person of a token cannot approve its orders, also after their account acts as another member', async () => {
  const gate = await openGate(service, byThePeopleTeam);
  const { id: workspaceId } = gate.workspace;
  const { token } = await service.addToken({ workspaces: [workspaceId], actsAs: 'priya@example.com' });
  const requestId = await gate.send(null, {}, { token });
  await cannotApprove(gate, gate.users.priya, requestId);
  await relink(gate, gate.users.priya);
  await cannotApprove(gate, gate.users.priya, requestId);
});

test('who sent an order cannot approve it with an account into which theirs was joined', async () => {
  const gate = await openGate(service, byThePeopleTeam);
  const { priya } = gate.users;
  const requestId = await gate.send(priya);
  const account = await database.transaction((tx) => addAccount(tx, { email: 'priya@example.com', name: 'Priya' }));
  await relink(gate, priya);
  await database.transaction((tx) => joinAccounts(tx, account, [priya.user]));
  const { memberIds } = gate.workspace;
  const other = await signIn(service, {
    role: 'PEOPLE_TEAM',
    email: 'priya@example.com',
    workspace: gate.workspace.id,
  });
  assert.deepEqual([other.user.id, memberIds.length], [account.id, 4]);
  await cannotApprove(gate, other, requestId);
});

test('a person who approved at the first level cannot decide at the second as another member', async () => {
  const gate = await openGate(service, [{ levels: [approvers('APPROVER'), approvers('APPROVER')] }]);
  const { lucie, elena } = gate.users;
  const requestId = await gate.send(null);
  await gate.decided(lucie, requestId, 'APPROVED');
  await relink(gate, lucie, 'APPROVER');
  assert.match(refusal(await gate.decide(lucie, requestId, 'APPROVED', 'Again.'), 403), /approved order .* already/);
  assert.deepEqual(await gate.asked(requestId), ['Elena Brandt']);
  await gate.decided(elena, requestId, 'APPROVED');
});

test('a person who approved at the first level cannot decide at the second with an account into which theirs was joined', async () => {
  const gate = await openGate(service, [{ levels: [approvers('APPROVER'), approvers('APPROVER')] }]);
  const { lucie, elena } = gate.users;
  const { email } = lucie.user;
  const requestId = await gate.send(null);
  await gate.decided(lucie, requestId, 'APPROVED');
  await relink(gate, lucie, 'APPROVER');
  const account = await database.transaction((tx) => addAccount(tx, { email, name: 'Lucie' }));
  await database.transaction((tx) => joinAccounts(tx, account, [lucie.user]));
  const other = await signIn(service, { role: 'APPROVER', email, workspace: gate.workspace.id });
  assert.equal(other.user.id, account.id);
  assert.match(refusal(await gate.decide(other, requestId, 'APPROVED', 'Again.'), 403), /approved order .* already/);
  await gate.decided(elena, requestId, 'APPROVED');
});

test('a gift to the address with which an approver signs in counts as theirs', async () => {
  const gate = await openGate(service, byThePeopleTeam);
  const { priya } = gate.users;
  await relink(gate, priya);
  await gate.workspace.change(gate.ids.priya, { email: 'someone@example.com' });
  await database.query('delete from former_addresses where workspace_id = $1', [gate.workspace.id]);
  const orderItems = [aGift({ amount: 150, recipient: { email: 'Priya@example.com' } })];
  await cannotApprove(gate, priya, await gate.send(null, { orderItems }));
});

test('a recipient cannot approve after their record was split or their employee number changed', async () => {
  const gate = await openGate(service, byThePeopleTeam);
  const { workspace, ids, users } = gate;
  const orderItems = [aGift({ amount: 150, recipient: { employeeNumber: '3' } })];
  const requestId = await gate.send(null, { orderItems });
  await workspace.change(ids.priya, { employeeNumber: '33' });
  await cannotApprove(gate, users.priya, requestId);
  await database.transaction((tx) => splitMember(tx, theService, workspace.id, ids.priya, ['email', 'employeeNumber']));
  await cannotApprove(gate, users.priya, requestId);
});

test('a sender who had no account cannot approve after their address belongs to another record', async () => {
  const changes: ((gate: Gate, id: number) => Promise<unknown>)[] = [
    ({ workspace }, id) =>
      database.transaction((tx) => splitMember(tx, theService, workspace.id, id, ['email', 'employeeNumber'])),
    async ({ workspace }, id) => {
      await workspace.change(id, { email: 'left@example.com' });
      await workspace.addPeople([{ email: 'nils@example.com', firstName: 'Other' }]);
    },
  ];
  for (const change of changes) {
    const gate = await openGate(service, byThePeopleTeam);
    const { workspace } = gate;
    const scopes = [...usualScopes, 'orders:delegate'];
    const { token } = await service.addToken({ workspaces: [workspace.id], scopes });
    const sender = { email: 'nils@example.com' };
    const [id] = await workspace.addPeople([{ ...sender, firstName: 'Other', employeeNumber: '9' }]);
    const requestId = await gate.send(null, { sender }, { token });
    await change(gate, id as number);
    await cannotApprove(
      gate,
      await signIn(service, { role: 'PEOPLE_TEAM', workspace: workspace.id, ...sender }),
      requestId,
    );
  }
});

test('a deputy does not decide for a person who sent the order', async () => {
  const gate = await openGate(service);
  const { users, ids } = gate;
  await gate.changeRule({ levels: [{ approvers: [{ is: 'MEMBER', memberId: ids.priya }] }] });
  const named = await users.priya.call('/api/v1/approvals/deputy', {
    method: 'PUT',
    body: { memberId: ids.elena, from: '2020-01-01', to: '2100-01-01' },
  });
  assert.equal(named.status, 200, JSON.stringify(named.body));
  assert.deepEqual(await gate.asked(await gate.send(null)), ['Elena Brandt', 'Priya Nair']);
  const requestId = await gate.send(users.priya);
  assert.deepEqual(await gate.asked(requestId), ['Olga Owner']);
  refusal(await gate.decide(users.elena, requestId, 'APPROVED'), 404);
});

test('who retries an order cannot approve it, now or after a further retry by another person', async () => {
  const gate = await openGate(service, byThePeopleTeam);
  const { users } = gate;
  const retry = async (by: Browser, requestId: string) =>
    assert.equal((await by.call(`/api/v1/orders/${requestId}/retry`, { method: 'POST' })).status, 200);
  const requestId = await gate.send(null);
  await gate.decided(users.olga, requestId, 'DECLINED', 'No.');
  await retry(users.priya, requestId);
  assert.deepEqual(await gate.asked(requestId), ['Olga Owner']);
  assert.match(refusal(await gate.decide(users.priya, requestId, 'APPROVED'), 403), /You sent or requested/);
  await gate.decided(users.olga, requestId, 'DECLINED', 'Still no.');
  await retry(users.olga, requestId);
  assert.deepEqual(await gate.asked(requestId), []);
  await cannotApprove(gate, users.priya, requestId);
});

test('who receives a gift at a further address, which only SCIM lists, cannot approve it', async () => {
  const gate = await openGate(service, byThePeopleTeam);
  const { workspace, users, ids } = gate;
  await database.transaction(async (tx) => {
    await lockWorkspace(tx, workspace.id);
    const further = { value: 'Priya.Private@example.com', type: 'home', primary: false, isOwn: false };
    await saveEmails(tx, workspace.id, ids.priya, [further]);
  });
  const recipient = { email: 'priya.private@example.com' };
  const requestId = await gate.send(null, { orderItems: [aGift({ amount: 150, recipient })] });
  await cannotApprove(gate, users.priya, requestId);
  await gate.decided(users.olga, requestId, 'APPROVED');
});

test('a token decides nothing and names no deputy, and gets the rights to decide and to change rules only by name', async () => {
  const gate = await openGate(service);
  const { workspace, ids } = gate;
  const requestId = await gate.send(gate.users.priya);
  const { token } = await service.addToken({ workspaces: [workspace.id], actsAs: 'lucie@example.com' });
  const decisions = { requestIds: [requestId], decision: 'APPROVED' };
  const calls: [string, string, object?][] = [
    ['POST', '/api/v1/approvals/decisions', decisions],
    ['PUT', '/api/v1/approvals/deputy', { memberId: ids.elena, from: '2020-01-01', to: '2100-01-01' }],
    ['DELETE', '/api/v1/approvals/deputy'],
  ];
  for (const [method, path, body] of calls)
    assert.match(
      refusal(await workspace.call(path, { method, token, ...(body && { body }) }), 403),
      /Only a person who has signed in/,
    );
  assert.deepEqual(
    usualScopes.filter((scope) => ['rules:manage', 'approvals:decide'].includes(scope)),
    [],
  );
});
