import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMember } from '../../src/company/directory/members.ts';
import { mergeMembers } from '../../src/company/directory/merge.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { importAll } from '../support/imports.ts';
import { connectScim, enterprise } from '../support/scim.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;

const take = (workspaceId: number, file: string) => importAll(database, workspaceId, file);

test('a PUT without them keeps the employee number and what an HR file said', async () => {
  const scim = await connectScim(service);
  await take(scim.workspaceId, 'email,employeeNumber,department,costCentre\nada@example.com,77,Sales,C-1\n');
  const user = await scim.addUser({
    userName: 'ada@example.com',
    emails: [{ value: 'ada@example.com', type: 'work' }],
  });
  const put = await scim.put(`/Users/${user.id}`, { userName: 'ada@example.com', name: { givenName: 'Ada' } });
  assert.deepEqual(put.body[enterprise], { employeeNumber: '77', costCenter: 'C-1', department: 'Sales' });
  assert.deepEqual(
    put.body.emails.map(({ value }: { value: string }) => value),
    ['ada@example.com'],
  );
  const cleared = await scim.put(`/Users/${user.id}`, {
    userName: 'ada@example.com',
    [enterprise]: { department: 'Care' },
  });
  assert.deepEqual(cleared.body[enterprise], { employeeNumber: '77', department: 'Care' });
});

test("a group may have the name of the workspace's own team, and that team is never shown as a group", async () => {
  const scim = await connectScim(service);
  const created = await scim.post('/Groups', { displayName: 'Everyone' });
  assert.equal(created.status, 201);
  assert.equal((await scim.find('Groups', 'displayName eq "Everyone"')).length, 1);
  const user = await scim.addUser({ userName: 'a@example.com' });
  await scim.patch(`/Groups/${created.body.id}`, [{ op: 'add', path: 'members', value: [{ value: user.id }] }]);
  await take(scim.workspaceId, 'email,team\na@example.com,\n');
  assert.equal((await scim.get(`/Groups/${created.body.id}`)).body.members.length, 1);
  const [own] = await database.query<{ name: string }>(
    'select t.name from workspaces w join teams t on t.id = w.default_team_id where w.id = $1',
    [scim.workspaceId],
  );
  await take(scim.workspaceId, `email,team\na@example.com,${own?.name}\n`);
  assert.deepEqual((await scim.get(`/Users/${user.id}`)).body.groups ?? [], []);
  assert.deepEqual((await scim.get(`/Groups/${created.body.id}`)).body.members, []);
});

test('an e-mail that equals userName follows it, and another one stays', async () => {
  const scim = await connectScim(service);
  const emails = async (id: string) =>
    (await scim.get(`/Users/${id}`)).body.emails.map(({ value }: { value: string }) => value);
  const ada = await scim.addUser({ userName: 'ada@example.com' });
  await scim.put(`/Users/${ada.id}`, { userName: 'ada.l@example.com' });
  assert.deepEqual(await emails(ada.id), ['ada.l@example.com']);
  await scim.patch(`/Users/${ada.id}`, [{ op: 'Replace', path: 'userName', value: 'ada.k@example.com' }]);
  assert.deepEqual(await emails(ada.id), ['ada.k@example.com']);
  await scim.patch(`/Users/${ada.id}`, [{ op: 'Replace', path: 'userName', value: 'ada' }]);
  assert.deepEqual(await emails(ada.id), ['ada.k@example.com']);
  const bob = await scim.addUser({
    userName: 'bob@corp.example',
    emails: [{ value: 'bob@example.com', type: 'work' }],
  });
  await scim.put(`/Users/${bob.id}`, { userName: 'robert@corp.example' });
  await scim.patch(`/Users/${bob.id}`, [{ op: 'Replace', value: { userName: 'rob@corp.example' } }]);
  assert.deepEqual(await emails(bob.id), ['bob@example.com']);
});

test('adding nothing to a group changes nothing', async () => {
  const scim = await connectScim(service);
  const user = await scim.addUser({ userName: 'a@example.com' });
  const group = (await scim.post('/Groups', { displayName: 'Blue', members: [{ value: user.id }] })).body;
  for (const operation of [
    { op: 'add', path: 'members', value: null },
    { op: 'Add', value: { members: '' } },
  ])
    assert.ok((await scim.patch(`/Groups/${group.id}`, [operation])).status < 300);
  assert.equal((await scim.get(`/Groups/${group.id}`)).body.members.length, 1);
});

test('a deleted user is in no group, whatever an HR file says', async () => {
  const scim = await connectScim(service);
  const user = await scim.addUser({ userName: 'a@example.com' });
  const group = (await scim.post('/Groups', { displayName: 'Blue', members: [{ value: user.id }] })).body;
  assert.equal((await scim.delete(`/Users/${user.id}`)).status, 204);
  await take(scim.workspaceId, 'email,team\na@example.com,Blue\n');
  assert.deepEqual((await scim.get(`/Groups/${group.id}`)).body.members, []);
  assert.deepEqual(await scim.find('Groups', `members eq "${user.id}"`), []);
});

test('the userName of a merged account finds the surviving user', async () => {
  const scim = await connectScim(service);
  const gone = await scim.addUser({ userName: 'old@example.com' });
  const kept = await scim.addUser({ userName: 'new@example.com' });
  await database.transaction((tx) => mergeMembers(tx, theService, scim.workspaceId, Number(gone.id), Number(kept.id)));
  assert.equal((await scim.get(`/Users/${gone.id}`)).status, 404);
  assert.deepEqual(
    (await scim.find('Users', 'userName eq "old@example.com"')).map(({ id }) => id),
    [kept.id],
  );
});

test("a number that is one person's id and another's employee number is refused, and id: says which", async () => {
  const { workspaceId } = await connectScim(service);
  await take(workspaceId, 'email,employeeNumber\na@example.com,A\n');
  const id = await findMember(database, workspaceId, 'a@example.com');
  await take(workspaceId, `email,employeeNumber\nb@example.com,${id}\n`);
  const other = await findMember(database, workspaceId, 'B@example.com');
  await assert.rejects(findMember(database, workspaceId, String(id)), /write id:\d+, or their email address/);
  assert.equal(await findMember(database, workspaceId, `id:${id}`), id);
  assert.notEqual(other, id);
  await assert.rejects(findMember(database, workspaceId, 'id:999999999'), /no member/);
});

test('a userName under which another user is shown is refused', async () => {
  const scim = await connectScim(service);
  await take(scim.workspaceId, 'email\nshown@example.com\n');
  const user = await scim.addUser({ userName: 'other@example.com' });
  const renamed = await scim.patch(`/Users/${user.id}`, [
    { op: 'replace', path: 'userName', value: 'Shown@example.com' },
  ]);
  assert.deepEqual([renamed.status, renamed.body.scimType], [409, 'uniqueness']);
  assert.equal((await scim.find('Users', 'userName eq "shown@example.com"')).length, 1);
});
