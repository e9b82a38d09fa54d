import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMember } from '../../src/company/directory/members.ts';
import { mergeMembers } from '../../src/company/directory/merge.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { importAll } from '../support/imports.ts';
import { assertScimError, connectScim, enterprise, openWithScim } from '../support/scim.ts';
import { startService } from '../support/service.ts';
import { aShoutout, refusal, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

/** Somebody whose login is not their e-mail address. */
const ada = {
  userName: 'ada@login.example',
  emails: [{ value: 'ada.lovelace@example.com', type: 'work' }],
  [enterprise]: { employeeNumber: 'E-1' },
};

const people = async ({ members }: TestWorkspace) =>
  (await members('?includeInactive=true')).members.map(({ id }) => id);

test('a gift or shoutout to a login reaches its person and adds nobody', async () => {
  const { scim, workspace } = await openWithScim(service);
  const { id } = await scim.addUser(ada);
  await workspace.gift({ email: 'Ada@login.example', employeeNumber: 'E-7' });
  const { receiver } = await workspace.given(aShoutout({ recipient: { email: 'ADA@LOGIN.example' } }));
  assert.equal(String(receiver.id), id);
  assert.deepEqual((await people(workspace)).map(String), [id]);
  const { activities } = await workspace.activity();
  assert.deepEqual(
    activities.map((activity) => String(activity.receiver.id)),
    [id, id],
  );
});

test('a deactivated user gets no gift under any of their addresses', async () => {
  const { scim, workspace } = await openWithScim(service);
  const { id } = await scim.addUser(ada);
  await workspace.gift({ email: 'ada@login.example' });
  await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'emails[type eq "work"].value', value: 'ada@example.com' }]);
  await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'userName', value: 'countess@login.example' }]);
  const addresses = ['ada@example.com', 'ada.lovelace@example.com', 'ada@login.example', 'countess@login.example'];
  for (const email of addresses) await workspace.gift({ email });
  const left = await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }]);
  assert.deepEqual([left.status, left.body.active], [200, false]);
  for (const email of addresses) {
    const body = { orderItems: [{ message: 'Hi', amount: 5, recipient: { email } }], currency: 'CAD' };
    const order = await workspace.call('/api/v1/orders', { method: 'POST', body });
    assert.match(refusal(order, 400), /has left the workspace/, email);
    assert.match(refusal(await workspace.give(aShoutout({ recipient: { email } })), 400), /has left/, email);
  }
  assert.deepEqual((await people(workspace)).map(String), [id]);
});

test('deactivating always works, even if two records share what must be unique', async () => {
  const { scim, workspace } = await openWithScim(service);
  const { id } = await scim.addUser(ada);
  // As an older version added one, before logins were searched.
  await workspace.addPeople([{ email: 'ada@login.example' }, { email: 'other@example.com' }]);
  const off = await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }]);
  assert.deepEqual([off.status, off.body.active], [200, false]);
  const on = await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: true }]);
  assert.deepEqual([on.status, on.body.active], [200, true]);
  const { [enterprise]: work } = ada;
  const profile = { ...ada, emails: [{ value: 'other@example.com', type: 'work' }], [enterprise]: work };
  assert.equal((await scim.put(`/Users/${id}`, { ...profile, active: true })).status, 409);
  const put = await scim.put(`/Users/${id}`, { ...profile, name: { givenName: 'Ada' }, active: false });
  assert.deepEqual([put.status, put.body.active, put.body.name.givenName], [200, false, 'Ada']);
  assert.equal(put.body.emails[0].value, 'ada.lovelace@example.com');
  assert.equal((await scim.delete(`/Users/${id}`)).status, 204);
});

test('somebody who is shown by their number is deactivated beside a user with that login', async () => {
  const { scim, workspace } = await openWithScim(service);
  const [id] = await workspace.addPeople([{ employeeNumber: '42' }]);
  await scim.addUser({ userName: '4x' });
  await database.query(`update members set user_name = '42' where workspace_id = $1 and user_name = '4x'`, [
    workspace.id,
  ]);
  const off = await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }]);
  assert.deepEqual([off.status, off.body.active], [200, false]);
});

test('an address finds its current owner before a former one', async () => {
  const { scim, workspace } = await openWithScim(service);
  const first = await scim.addUser({ userName: 'first', emails: [{ value: 'sales@example.com' }] });
  await scim.patch(`/Users/${first.id}`, [{ op: 'replace', path: 'emails', value: [{ value: 'first@example.com' }] }]);
  assert.equal(await findMember(database, workspace.id, 'sales@example.com'), Number(first.id));
  const second = await scim.addUser({ userName: 'second', emails: [{ value: 'sales@example.com' }] });
  assert.notEqual(second.id, first.id);
  assert.equal(await findMember(database, workspace.id, 'sales@example.com'), Number(second.id));
  await scim.patch(`/Users/${second.id}`, [{ op: 'remove', path: 'emails' }]);
  assert.equal(await findMember(database, workspace.id, 'sales@example.com'), Number(second.id));
  await database.transaction((tx) => mergeMembers(tx, theService, workspace.id, Number(second.id), Number(first.id)));
  assert.equal(await findMember(database, workspace.id, 'sales@example.com'), Number(first.id));
});

test('an HR file finds people by their login, and can give them a former address back', async () => {
  const { scim, workspace } = await openWithScim(service);
  const { id } = await scim.addUser(ada);
  const take = (file: string) => importAll(database, workspace.id, file);
  const email = async () => (await scim.get(`/Users/${id}`)).body.emails[0].value;
  await take('email,department\nada@login.example,Lab\n');
  assert.equal((await scim.get(`/Users/${id}`)).body[enterprise].department, 'Lab');
  await take('email,employeeNumber\nnew@example.com,E-1\n');
  assert.equal(await email(), 'new@example.com');
  await take('email,employeeNumber\nada.lovelace@example.com,E-1\n');
  assert.equal(await email(), 'ada.lovelace@example.com');
  assert.deepEqual((await people(workspace)).map(String), [id]);
  // A former address with another number is somebody else's now.
  await take('email,employeeNumber\nnew@example.com,E-2\n');
  const [, other] = await people(workspace);
  assert.equal(await findMember(database, workspace.id, 'new@example.com'), other);
  assert.equal((await scim.get(`/Users/${id}`)).body[enterprise].employeeNumber, 'E-1');
});

test('a sender and a manager may be named by their login', async () => {
  const { scim, workspace } = await openWithScim(service);
  const { id } = await scim.addUser(ada);
  await scim.addUser({ userName: 'bob@example.com', [enterprise]: { manager: { value: id } } });
  const shoutout = aShoutout({ recipient: { email: 'bob@example.com' }, sender: { email: 'ada@login.example' } });
  assert.equal(String((await workspace.given(shoutout)).sender.id), id);
  const { members } = await workspace.members('?manager=ada@login.example');
  assert.deepEqual(
    members.map(({ email }) => email),
    ['bob@example.com'],
  );
});

test('deactivating always works, even if other attributes are at fault, which then stay as they were', async () => {
  const scim = await connectScim(service);
  const boss = await scim.addUser({ userName: 'boss@example.com' });
  const userName = 'ida@example.com';
  const named = { department: 'Sales', manager: { value: boss.id } };
  const { id } = await scim.addUser({ userName, emails: [{ value: userName, type: 'work' }], [enterprise]: named });
  const atFault = {
    userName,
    name: { givenName: 'x'.repeat(300), familyName: 'Roy' },
    emails: [{ value: 'no address', type: 'work' }],
    [enterprise]: { department: 'Care', manager: { value: userName } },
  };
  assertScimError(await scim.put(`/Users/${id}`, { ...atFault, active: true }), 400, 'invalidValue');
  const put = await scim.put(`/Users/${id}`, { ...atFault, active: false });
  assert.equal(put.status, 200, JSON.stringify(put.body));
  const { active, emails, name } = put.body;
  assert.deepEqual([active, emails[0].value, name.familyName, name.givenName], [false, userName, 'Roy', undefined]);
  assert.deepEqual([put.body[enterprise].department, put.body[enterprise].manager.value], ['Care', boss.id]);
  const own = { op: 'replace', path: `${enterprise}:manager`, value: id };
  assertScimError(
    await scim.patch(`/Users/${id}`, [own, { op: 'replace', path: 'active', value: true }]),
    400,
    'invalidValue',
  );
  const patched = await scim.patch(`/Users/${id}`, [own, { op: 'replace', path: 'active', value: false }]);
  assert.deepEqual([patched.status, patched.body[enterprise].manager.value], [200, boss.id]);
});
