import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Me } from '../../src/ground/contract/me.ts';
import type { User } from '../../src/ground/contract/user.ts';
import { eventually } from '../support/eventually.ts';
import { connectScim, enterprise } from '../support/scim.ts';
import { startService } from '../support/service.ts';
import { addUser, type Browser, signIn } from '../support/sign-in.ts';
import { refusal } from '../support/workspace.ts';

const service = await startService();
const scim = await connectScim(service, service.workspaceId);
const boss = await signIn(service, { email: 'boss@example.com' });

const reasons = async ({ call }: Browser) => (await call('/api/v1/reasons')).status;
const memberOf = async ({ call }: Browser) => (await call<Me>('/api/v1/me')).body.workspaces[0]?.memberId;
const userIn = async (email: string) => {
  const { body } = await boss.call<{ users: User[] }>(`/api/v1/users?search=${email}`);
  return body.users[0] as User;
};

/** An owner links a user to the person who has their address. */
const link = async (email: string) => {
  const { id, role } = await userIn(email);
  assert.equal((await boss.call(`/api/v1/users/${id}`, { method: 'PATCH', body: { role } })).status, 200);
};

const waysOut: Record<string, (id: string) => Promise<unknown>> = {
  'the identity provider deactivates them': (id) =>
    scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }]),
  'the identity provider deletes them': (id) => scim.delete(`/Users/${id}`),
  'an owner says so in the console': (id) => boss.call(`/api/v1/members/${id}/leave`, { method: 'POST', body: {} }),
};

for (const [nth, [way, leave]] of Object.entries(waysOut).entries())
  test(`a user whom an owner has linked to a person loses the role when ${way}`, async () => {
    const email = `early${nth}@example.com`;
    const browser = await signIn(service, { email, role: 'PEOPLE_TEAM' });
    assert.equal(await reasons(browser), 200);
    // Their address is known as a login only.
    const { id } = await scim.addUser({ userName: email, emails: [{ value: `mail.${email}` }] });
    assert.equal((await userIn(email)).isLinked, false);
    await link(email);
    assert.partialDeepStrictEqual(await userIn(email), { memberId: Number(id), isLinked: true });
    await eventually(async () => (await memberOf(browser)) === Number(id));
    await leave(id);
    await eventually(async () => (await reasons(browser)) === 403);
    assert.deepEqual((await browser.call<Me>('/api/v1/me')).body.workspaces, []);
  });

test('a caller who may only write to the directory cannot take the access of a user away with a record that it adds', async () => {
  const email = 'target@example.com';
  const browser = await signIn(service, { email, role: 'PEOPLE_TEAM' });
  const before = await memberOf(browser);
  const { id } = await scim.addUser({ userName: email });
  await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }]);
  assert.equal(await reasons(browser), 200);
  assert.partialDeepStrictEqual(await userIn(email), { memberId: before, isLinked: false });
  // Another role does not link them to a person who has left.
  await link(email);
  assert.partialDeepStrictEqual(await userIn(email), { memberId: before, isLinked: false });
});

test('a user is not added for a person who has left', async () => {
  const { id } = await scim.addUser({ userName: 'gone@example.com', active: false });
  const body = { email: 'gone@example.com', name: 'Gone', role: 'AUDITOR' };
  const answer = await boss.call('/api/v1/users', { method: 'POST', body });
  assert.match(refusal(answer, 409), new RegExp(`^Member ${id} has left, .* name another member\\.$`));
});

test('a leaver does not get the role back when their address goes to somebody new', async () => {
  const email = 'john@example.com';
  const browser = await signIn(service, { email, role: 'PEOPLE_TEAM' });
  const first = await scim.addUser({ userName: email, [enterprise]: { employeeNumber: 'J-1' } });
  await link(email);
  await scim.delete(`/Users/${first.id}`);
  const second = await scim.addUser({ userName: email, [enterprise]: { employeeNumber: 'J-2' } });
  assert.notEqual(second.id, first.id);
  assert.equal((await userIn(email)).memberId, Number(first.id));
  assert.equal(await reasons(browser), 403);
});

test('the last owner who is here stays an owner, also if others who have left were owners', async () => {
  const workspace = await service.addWorkspace({ name: 'Owned' });
  const people = await connectScim(service, workspace);
  const last = await signIn(service, { email: 'last@example.com', workspace });
  const early = await people.addUser({ userName: 'early@example.com' });
  await addUser(service, { email: 'early@example.com', workspace });
  const late = await people.addUser({ userName: 'late@example.com' });
  await addUser(service, { email: 'late@example.com', workspace });
  for (const { id } of [early, late]) await people.delete(`/Users/${id}`);
  const own = `/api/v1/users/${last.user.id}`;
  const demoted = await last.call(own, { method: 'PATCH', body: { role: 'AUDITOR' } });
  assert.match(refusal(demoted, 409), /last owner/);
  assert.match(refusal(await last.call(own, { method: 'DELETE' }), 409), /last owner/);
  const { user: next } = await addUser(service, { email: 'next@example.com', workspace });
  assert.equal((await last.call(own, { method: 'PATCH', body: { role: 'AUDITOR' } })).status, 200);
  const { body } = await last.call<{ users: User[] }>('/api/v1/users');
  const owners = body.users.filter(({ role }) => role === 'OWNER').map(({ email }) => email);
  assert.deepEqual(owners.sort(), ['early@example.com', 'late@example.com', next.email]);
});

test('another role leaves the member that somebody acts as', async () => {
  const email = 'private@example.com';
  const { id } = await scim.addUser({ userName: 'maya@example.com' });
  const other = await scim.addUser({ userName: 'other@example.com' });
  const { user } = await addUser(service, { email, role: 'AUDITOR', member: 'maya@example.com' });
  const change = async (body: object) =>
    (await boss.call<User>(`/api/v1/users/${user.id}`, { method: 'PATCH', body })).body;
  const asMaya = (role: string) => ({ role, memberId: Number(id) });
  assert.partialDeepStrictEqual(await change({ role: 'MANAGER' }), asMaya('MANAGER'));
  // Their address leads to somebody else in the meantime.
  await scim.patch(`/Users/${other.id}`, [{ op: 'replace', path: 'emails', value: [{ value: email, type: 'work' }] }]);
  assert.partialDeepStrictEqual(await change({ role: 'AUDITOR' }), asMaya('AUDITOR'));
  assert.equal((await change({ member: 'other@example.com' })).memberId, Number(other.id));
});

test('a former address makes nobody act as the person who had it before', async () => {
  const email = 'anna@example.com';
  const old = await scim.addUser({ userName: email, [enterprise]: { employeeNumber: 'A-1' } });
  await scim.patch(`/Users/${old.id}`, [
    { op: 'replace', path: 'userName', value: 'anna.married@example.com' },
    { op: 'replace', path: 'emails', value: [{ value: 'anna.married@example.com', type: 'work' }] },
  ]);
  const browser = await signIn(service, { email, role: 'PEOPLE_TEAM' });
  assert.notEqual(await memberOf(browser), Number(old.id));
  await scim.delete(`/Users/${old.id}`);
  assert.equal(await reasons(browser), 200);
});

test('a user is linked to a person and not to an address: they lose the role when the person leaves with another address', async () => {
  const email = 'renamed@example.com';
  const browser = await signIn(service, { email, role: 'PEOPLE_TEAM' });
  const { id } = await scim.addUser({ userName: email, [enterprise]: { employeeNumber: 'R-1' } });
  await link(email);
  await scim.patch(`/Users/${id}`, [
    { op: 'replace', path: 'userName', value: 'renamed.2@example.com' },
    { op: 'replace', path: 'emails', value: [{ value: 'renamed.2@example.com', type: 'work' }] },
  ]);
  assert.equal((await userIn(email)).memberId, Number(id));
  await scim.delete(`/Users/${id}`);
  await eventually(async () => (await reasons(browser)) === 403);
});

test('another role lets somebody in whose address a leaver had', async () => {
  const email = 'jane@example.com';
  const first = await scim.addUser({ userName: email, [enterprise]: { employeeNumber: 'N-1' } });
  const { user } = await addUser(service, { email, role: 'AUDITOR' });
  await scim.delete(`/Users/${first.id}`);
  const second = await scim.addUser({ userName: email, [enterprise]: { employeeNumber: 'N-2' } });
  const { body } = await boss.call<User>(`/api/v1/users/${user.id}`, { method: 'PATCH', body: { role: 'APPROVER' } });
  assert.equal(body.memberId, Number(second.id));
});
