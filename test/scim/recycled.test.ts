import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMember } from '../../src/company/directory/members.ts';
import { enterprise, openWithScim } from '../support/scim.ts';
import { startService } from '../support/service.ts';
import { aShoutout, refusal } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

const john = (employeeNumber: string | null, externalId: string | null, changes: object = {}) => ({
  userName: 'john.smith@example.com',
  ...(externalId !== null && { externalId }),
  name: { givenName: 'John', familyName: 'Smith' },
  ...(employeeNumber !== null && { [enterprise]: { employeeNumber } }),
  ...changes,
});

test('a new hire with the address of somebody who was deleted is a new person, and the history stays apart', async () => {
  const { scim, workspace } = await openWithScim(service);
  const old = await scim.addUser(john('OLD', 'a'));
  await workspace.given(
    aShoutout({ recipient: { email: 'john.smith@example.com' }, message: 'Private', isPrivate: true }),
  );
  assert.equal((await scim.delete(`/Users/${old.id}`)).status, 204);
  const hired = await scim.addUser(john('NEW', 'b'));
  assert.notEqual(hired.id, old.id);
  assert.equal(hired.emails[0].value, 'john.smith@example.com');
  assert.equal(hired[enterprise].employeeNumber, 'NEW');

  const { receiver } = await workspace.given(aShoutout({ recipient: { email: 'John.Smith@example.com' } }));
  assert.equal(String(receiver.id), hired.id);
  const { activities } = await workspace.activity();
  assert.deepEqual(
    activities.map((activity) => [activity.description, String(activity.receiver.id)]),
    [
      ['Well done!', hired.id],
      ['Private', old.id],
    ],
  );
  const { members } = await workspace.members('?includeInactive=true');
  assert.deepEqual(
    members.map(({ id, email, employeeNumber, active }) => [String(id), email, employeeNumber, active]),
    [
      [old.id, null, 'OLD', false],
      [hired.id, 'john.smith@example.com', 'NEW', true],
    ],
  );
  const forOld = await workspace.give(aShoutout({ recipient: { employeeNumber: 'OLD' } }));
  assert.match(refusal(forOld, 400), /has left/);

  // The new hire leaves the address too: it finds them, not the earlier leaver.
  await scim.patch(`/Users/${hired.id}`, [{ op: 'replace', path: 'userName', value: 'js@example.com' }]);
  assert.equal(await findMember(database, workspace.id, 'john.smith@example.com'), Number(hired.id));
});

test('somebody who returns is the same person, by number before external id', async () => {
  for (const returning of [
    john('OLD', 'a'),
    john('OLD', 'b'),
    john(null, 'a'),
    john(null, null),
    john('OLD', 'c', { userName: 'other@example.com' }),
  ]) {
    const { scim } = await openWithScim(service);
    const old = await scim.addUser(john('OLD', 'a'));
    await scim.delete(`/Users/${old.id}`);
    const again = await scim.addUser(returning);
    assert.deepEqual([again.id, again.active], [old.id, true], JSON.stringify(returning));
  }
});

test('without numbers, another external id is another person', async () => {
  const { scim } = await openWithScim(service);
  const old = await scim.addUser(john(null, 'a'));
  await scim.delete(`/Users/${old.id}`);
  assert.notEqual((await scim.addUser(john('NEW', 'b'))).id, old.id);
});

test('a leaver added by an order or a file gives the address up to a new hire too', async () => {
  const { scim, workspace } = await openWithScim(service);
  const [left] = await workspace.addPeople([
    { email: 'john.smith@example.com', employeeNumber: 'OLD', active: false },
    { employeeNumber: 'NEW', firstName: 'Johnny' },
  ]);
  const hired = await scim.addUser(john('NEW', 'b'));
  assert.notEqual(hired.id, String(left));
  const { members } = await workspace.members();
  assert.deepEqual(
    members.map(({ id, email, firstName }) => [String(id), email, firstName]),
    [[hired.id, 'john.smith@example.com', 'John']],
  );
});

test("an active person's address is not given away, and the answer says what to do", async () => {
  const { scim, workspace } = await openWithScim(service);
  const [here] = await workspace.addPeople([{ email: 'john.smith@example.com', employeeNumber: 'OLD' }]);
  const refused = await scim.post('/Users', john('NEW', 'b'));
  assert.deepEqual([refused.status, refused.body.scimType], [409, 'uniqueness']);
  assert.match(
    refused.body.detail,
    new RegExp(`"OLD".*"NEW".*giftwire member split id:${here} --move email --workspace`),
  );
  const { members } = await workspace.members();
  assert.deepEqual(
    members.map(({ id, employeeNumber }) => [id, employeeNumber]),
    [[here, 'OLD']],
  );
  const user = await scim.addUser(john('OLD', 'a'));
  await scim.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'active', value: false }]);
  const deactivated = await scim.post('/Users', john('NEW', 'b'));
  assert.equal(deactivated.status, 409);
  assert.match(deactivated.body.detail, new RegExp(`user ${user.id}, who has left.*delete that user first`));
});

test("a deleted user's names do not block a rename", async () => {
  const { scim, workspace } = await openWithScim(service);
  const old = await scim.addUser(john('OLD', 'a'));
  await scim.delete(`/Users/${old.id}`);
  const other = await scim.addUser({ userName: 'jsmith', emails: [{ value: 'js@example.com' }] });
  const renamed = await scim.patch(`/Users/${other.id}`, [
    { op: 'replace', path: 'userName', value: 'John.Smith@example.com' },
    { op: 'replace', path: 'emails[type eq "work"].value', value: 'John.Smith@example.com' },
    { op: 'replace', path: `${enterprise}:employeeNumber`, value: 'OLD' },
  ]);
  assert.equal(renamed.status, 200, JSON.stringify(renamed.body));
  assert.deepEqual([renamed.body.userName, renamed.body[enterprise].employeeNumber], ['John.Smith@example.com', 'OLD']);
  assert.equal(await findMember(database, workspace.id, 'john.smith@example.com'), Number(other.id));
  assert.equal(await findMember(database, workspace.id, 'OLD'), Number(other.id));
  assert.equal(await findMember(database, workspace.id, `id:${old.id}`), Number(old.id));
});

test('logins whose lower case differs between programs are released as the database compares them', async () => {
  for (const userName of ['ΟΔΥΣΣΕΥΣ', 'İstanbul']) {
    const { scim } = await openWithScim(service);
    const old = await scim.addUser({ userName, externalId: 'a' });
    await scim.delete(`/Users/${old.id}`);
    const hired = await scim.addUser({ userName, externalId: 'b' });
    assert.notEqual(hired.id, old.id, userName);
  }
});
