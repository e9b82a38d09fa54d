import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enterprise, openWithScim } from '../support/scim.ts';
import { startService } from '../support/service.ts';

const service = await startService();

async function openManaged() {
  const { workspace, scim } = await openWithScim(service);
  const managerOf = async (id: string) => (await scim.get(`/Users/${id}`)).body[enterprise]?.manager;
  return { workspace, scim, managerOf };
}

const led = (userName: string, value: string) => ({ userName, [enterprise]: { manager: { value } } });
const boss = {
  userName: 'boss@login.example',
  displayName: 'The Boss',
  emails: [{ value: 'boss@example.com' }],
  [enterprise]: { employeeNumber: 'B-1' },
};

test('a manager can be named by id, login, e-mail address or number', async () => {
  const { scim, managerOf } = await openManaged();
  const { id } = await scim.addUser(boss);
  for (const [nth, value] of [id, 'BOSS@login.example', 'boss@Example.com', 'B-1'].entries()) {
    const user = await scim.addUser(led(`person${nth}`, value));
    const shown = { value: id, $ref: `${service.url}/scim/v2/Users/${id}`, displayName: 'The Boss' };
    assert.deepEqual(await managerOf(user.id), shown, value);
    await scim.patch(`/Users/${user.id}`, [{ op: 'remove', path: `${enterprise}:manager` }]);
    assert.equal(await managerOf(user.id), undefined);
    const put = await scim.put(`/Users/${user.id}`, led(`person${nth}`, value));
    assert.deepEqual(put.body[enterprise].manager, shown, value);
  }
});

test('a manager who does not exist yet is linked once added, by any name and by any writer', async () => {
  for (const reference of ['boss@login.example', 'Boss@example.com', 'B-1']) {
    const { scim, workspace, managerOf } = await openManaged();
    const created = await scim.addUser(led('ann@example.com', reference));
    assert.deepEqual(created[enterprise].manager, { value: reference });
    const patched = await scim.addUser({ userName: 'ben@example.com' });
    await scim.patch(`/Users/${patched.id}`, [{ op: 'add', path: `${enterprise}:manager`, value: reference }]);
    assert.deepEqual(await managerOf(patched.id), { value: reference });
    // Changes to other attributes leave it unchanged.
    await scim.patch(`/Users/${patched.id}`, [{ op: 'replace', path: 'name.givenName', value: 'Ben' }]);
    assert.deepEqual(await managerOf(patched.id), { value: reference });
    const { id } = await scim.addUser(boss);
    for (const user of [created, patched]) assert.equal((await managerOf(user.id)).value, id, reference);
    const { members } = await workspace.members('?manager=boss@example.com');
    assert.equal(members.length, 2);
  }
  const { scim, workspace, managerOf } = await openManaged();
  const ann = await scim.addUser(led('ann@example.com', 'B-1'));
  const [added] = await workspace.addPeople([{ email: 'boss@example.com' }]);
  assert.deepEqual(await managerOf(ann.id), { value: 'B-1' });
  await workspace.change(added as number, { employeeNumber: 'B-1' });
  assert.equal((await managerOf(ann.id)).value, String(added));
});

test('a manager who does not exist yet can be replaced or removed', async () => {
  const { scim, workspace, managerOf } = await openManaged();
  const { id } = await scim.addUser(led('ann@example.com', 'B-1'));
  const other = await scim.addUser({ userName: 'other@example.com' });
  await scim.patch(`/Users/${id}`, [{ op: 'replace', path: `${enterprise}:manager`, value: other.id }]);
  await workspace.addPeople([{ employeeNumber: 'B-1' }]);
  assert.equal((await managerOf(id)).value, other.id);
  await scim.patch(`/Users/${id}`, [{ op: 'replace', path: `${enterprise}:manager`, value: 'B-2' }]);
  assert.deepEqual(await managerOf(id), { value: 'B-2' });
  await scim.patch(`/Users/${id}`, [{ op: 'remove', path: `${enterprise}:manager` }]);
  await workspace.addPeople([{ employeeNumber: 'B-2' }]);
  assert.equal(await managerOf(id), undefined);
});

test('nobody is their own manager', async () => {
  const { scim } = await openManaged();
  const { id } = await scim.addUser({ ...boss });
  for (const value of [id, 'boss@login.example', 'boss@example.com', 'B-1']) {
    const path = `${enterprise}:manager`;
    const { status, body } = await scim.patch(`/Users/${id}`, [{ op: 'add', path, value }]);
    assert.deepEqual([status, body.scimType], [400, 'invalidValue'], value);
  }
  assert.equal((await scim.post('/Users', led('own@example.com', 'OWN@example.com'))).status, 400);
});

test('displayName and name.formatted are shown as sent until changed', async () => {
  const { scim } = await openManaged();
  const user = await scim.addUser({
    userName: 'ada@example.com',
    displayName: 'Countess Lovelace',
    name: { formatted: 'Ms. Ada King, Countess of Lovelace', givenName: 'Ada', familyName: 'King' },
  });
  const path = `/Users/${user.id}`;
  const names = async () => {
    const { displayName, name } = (await scim.get(path)).body;
    return [displayName, name.formatted];
  };
  assert.deepEqual(await names(), ['Countess Lovelace', 'Ms. Ada King, Countess of Lovelace']);
  await scim.patch(path, [{ op: 'replace', path: 'name.familyName', value: 'Byron' }]);
  assert.deepEqual(await names(), ['Countess Lovelace', 'Ms. Ada King, Countess of Lovelace']);
  assert.equal((await scim.find('Users', 'displayName eq "countess lovelace"')).length, 1);
  assert.equal((await scim.find('Users', 'name.formatted sw "Ms. Ada"')).length, 1);
  await scim.patch(path, [{ op: 'replace', value: { displayName: 'Ada', 'name.formatted': 'Ada B.' } }]);
  assert.deepEqual(await names(), ['Ada', 'Ada B.']);
  await scim.patch(path, [{ op: 'remove', path: 'displayName' }]);
  assert.deepEqual(await names(), ['Ada Byron', 'Ada B.']);
  await scim.put(path, { userName: 'ada@example.com', name: { givenName: 'A', familyName: 'B' } });
  assert.deepEqual(await names(), ['A B', 'A B']);
  // Names that are composed from others follow them.
  await scim.patch(path, [{ op: 'replace', path: 'name.givenName', value: 'Augusta' }]);
  assert.deepEqual(await names(), ['Augusta B', 'Augusta B']);
});

test('a manager named by number is linked by exactly that number', async () => {
  const { scim, managerOf } = await openManaged();
  const ann = await scim.addUser(led('ann@example.com', 'AB1'));
  await scim.addUser({ userName: 'other@example.com', [enterprise]: { employeeNumber: 'ab1' } });
  assert.deepEqual(await managerOf(ann.id), { value: 'AB1' });
  const { id } = await scim.addUser({ userName: 'right@example.com', [enterprise]: { employeeNumber: 'AB1' } });
  assert.equal((await managerOf(ann.id)).value, id);
});
