import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectScim, enterprise } from '../support/scim.ts';
import { startService } from '../support/service.ts';

const service = await startService();

/** A user as Okta sends one, new and on every update. */
function asOktaSends(name: string, changes: Record<string, unknown> = {}) {
  const [givenName = '', familyName = ''] = name.split(' ');
  const userName = `${givenName}@okta.example`.toLowerCase();
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
    userName,
    name: { givenName, familyName },
    emails: [{ primary: true, value: userName, type: 'work' }],
    displayName: name,
    locale: 'en-US',
    externalId: `00u${givenName}`,
    groups: [],
    password: '1mz050nq',
    active: true,
    photos: [{ value: 'https://pictures.example/1.jpg', type: 'photo' }],
    [enterprise]: { employeeNumber: `K-${givenName}`, department: 'Sales' },
    ...changes,
  };
}

test('the connection test and the import ask for pages', async () => {
  const okta = await connectScim(service);
  assert.deepEqual((await okta.get('/Users?startIndex=1&count=2')).body.Resources, []);
  const ids: string[] = [];
  for (const name of ['Ann One', 'Ben Two', 'Cat Three']) ids.push((await okta.addUser(asOktaSends(name))).id);
  const seen: string[] = [];
  for (let startIndex = 1; ; ) {
    const { body } = await okta.get(`/Users?startIndex=${startIndex}&count=2`);
    assert.equal(body.totalResults, 3);
    seen.push(...body.Resources.map(({ id }: { id: string }) => id));
    startIndex += body.itemsPerPage;
    if (startIndex > body.totalResults) break;
  }
  assert.deepEqual(seen, ids);
});

test('a user is looked for, created, updated with PUT, and never shows a password', async () => {
  const okta = await connectScim(service);
  assert.deepEqual(await okta.find('Users', 'userName eq "dorothy@okta.example"'), []);
  const user = await okta.addUser(asOktaSends('Dorothy Vaughan'));
  assert.equal(JSON.stringify(user).includes('1mz050nq'), false);
  assert.deepEqual(user.photos, [{ value: 'https://pictures.example/1.jpg', type: 'photo' }]);

  const updated = await okta.put(`/Users/${user.id}`, {
    ...user,
    userName: 'dorothy.v@okta.example',
    emails: [
      { value: 'home@example.com', type: 'home' },
      { value: 'dorothy.v@okta.example', type: 'work', primary: true },
    ],
    addresses: [{ type: 'home', locality: 'Hampton' }],
    photos: [],
    [enterprise]: { employeeNumber: 'K-2', costCenter: 'C1' },
  });
  assert.equal(updated.status, 200);
  assert.equal(updated.body.id, user.id);
  assert.equal(updated.body.userName, 'dorothy.v@okta.example');
  assert.deepEqual(updated.body.emails, [
    { value: 'dorothy.v@okta.example', type: 'work', primary: true },
    { value: 'home@example.com', type: 'home' },
  ]);
  assert.deepEqual(updated.body.addresses, [{ type: 'work', locality: 'Hampton' }]);
  assert.equal(updated.body.photos, undefined);
  assert.deepEqual(updated.body[enterprise], { employeeNumber: 'K-2', costCenter: 'C1' });
});

test('a PUT clears what it leaves out, except keys that identify the person and whether they are active', async () => {
  const okta = await connectScim(service);
  const { id } = await okta.addUser(asOktaSends('Annie Easley', { active: false }));
  const { status, body } = await okta.put(`/Users/${id}`, { userName: 'annie@okta.example' });
  assert.equal(status, 200);
  assert.deepEqual(
    { ...body, meta: null },
    {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
      id,
      userName: 'annie@okta.example',
      displayName: 'annie@okta.example',
      active: false,
      emails: [{ value: 'annie@okta.example', type: 'work', primary: true }],
      [enterprise]: { employeeNumber: 'K-Annie', department: 'Sales' },
      meta: null,
    },
  );
});

test('a user is deactivated without a path, and comes back with PUT or PATCH', async () => {
  const okta = await connectScim(service);
  const user = await okta.addUser(asOktaSends('Valerie Thomas'));
  const path = `/Users/${user.id}`;
  const deactivated = await okta.patch(path, [{ op: 'replace', value: { active: false } }]);
  assert.deepEqual([deactivated.status, deactivated.body.active], [200, false]);
  assert.deepEqual(
    (await okta.find('Users', 'userName eq "valerie@okta.example"')).map(({ active }) => active),
    [false],
  );
  assert.equal((await okta.put(path, asOktaSends('Valerie Thomas'))).body.active, true);
  assert.equal((await okta.put(path, asOktaSends('Valerie Thomas', { active: false }))).body.active, false);
  assert.equal((await okta.patch(path, [{ op: 'replace', value: { active: true } }])).body.active, true);
});

test('a user assigned again is matched and updated, not duplicated', async () => {
  const okta = await connectScim(service);
  const { id } = await okta.addUser(asOktaSends('Gladys West'));
  await okta.patch(`/Users/${id}`, [{ op: 'replace', value: { active: false } }]);
  const [found] = await okta.find('Users', 'userName eq "Gladys@okta.example"');
  assert.equal(found.id, id);
  const { body } = await okta.put(`/Users/${id}`, asOktaSends('Gladys West', { externalId: '00uNew' }));
  assert.deepEqual([body.id, body.active, body.externalId], [id, true, '00uNew']);
  assert.equal((await okta.get('/Users')).body.totalResults, 1);
});

test('a group is pushed, renamed, filled, replaced, linked and removed', async () => {
  const okta = await connectScim(service);
  const ids: string[] = [];
  for (const name of ['Ann One', 'Ben Two', 'Cat Three']) ids.push((await okta.addUser(asOktaSends(name))).id);
  const [ann, ben, cat] = ids;
  const created = await okta.post('/Groups', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    displayName: 'Sales',
    members: [{ value: ann, display: 'ann@okta.example' }],
  });
  assert.equal(created.status, 201);
  assert.equal(created.headers.get('location'), created.body.meta.location);
  const { id } = created.body;
  const read = async () => {
    const { body } = await okta.get(`/Groups/${id}`);
    return [body.displayName, ...body.members.map(({ value }: { value: string }) => value)];
  };
  assert.deepEqual(await read(), ['Sales', ann]);

  await okta.patch(`/Groups/${id}`, [{ op: 'replace', value: { id, displayName: 'Field Sales' } }]);
  assert.deepEqual(await read(), ['Field Sales', ann]);
  await okta.patch(`/Groups/${id}`, [
    { op: 'remove', path: `members[value eq "${ann}"]` },
    { op: 'add', path: 'members', value: [{ value: ben, display: 'ben@okta.example' }] },
  ]);
  assert.deepEqual(await read(), ['Field Sales', ben]);
  await okta.patch(`/Groups/${id}`, [{ op: 'replace', path: 'members', value: [{ value: ann }, { value: cat }] }]);
  assert.deepEqual(await read(), ['Field Sales', ann, cat]);
  const put = await okta.put(`/Groups/${id}`, { id, displayName: 'Sales', members: [{ value: ben }] });
  assert.equal(put.status, 200);
  assert.deepEqual(await read(), ['Sales', ben]);
  assert.deepEqual(
    (await okta.find('Groups', 'displayName eq "Sales"')).map((group) => group.id),
    [id],
  );

  const taken = await okta.post('/Groups', { displayName: 'Sales' });
  assert.deepEqual([taken.status, taken.body.scimType], [409, 'uniqueness']);
  assert.equal((await okta.delete(`/Groups/${id}`)).status, 204);
  assert.equal((await okta.get('/Groups')).body.totalResults, 0);
  assert.equal((await okta.get(`/Users/${ben}`)).body.groups, undefined);
});

test("a person's team is the group they joined last, and the one before when they leave it", async () => {
  const okta = await connectScim(service);
  const { id } = await okta.addUser(asOktaSends('Ann One'));
  const teamOf = async () => {
    const [row] = await service.database.query<{ name: string }>(
      `select t.name from members m join teams t on t.id = m.team_id where m.workspace_id = $1 and m.id = $2`,
      [okta.workspaceId, id],
    );
    return row?.name;
  };
  assert.equal(await teamOf(), 'Everyone');
  const groups: string[] = [];
  for (const displayName of ['First', 'Second']) {
    const { body } = await okta.post('/Groups', { displayName, members: [{ value: id }] });
    groups.push(body.id);
    assert.equal(await teamOf(), displayName);
  }
  assert.equal((await okta.delete(`/Groups/${groups[1]}`)).status, 204);
  assert.equal(await teamOf(), 'First');
  await okta.patch(`/Groups/${groups[0]}`, [{ op: 'replace', path: 'members', value: [] }]);
  assert.equal(await teamOf(), 'Everyone');
});
