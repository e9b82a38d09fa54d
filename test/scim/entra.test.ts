import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { connectScim, enterprise } from '../support/scim.ts';
import { startService } from '../support/service.ts';

const service = await startService();

/** A new user as Entra sends one with its default mapping. */
function asEntraSends(name: string, changes: Record<string, unknown> = {}) {
  const [givenName, familyName] = name.split(' ');
  const userName = `${givenName}.${familyName}@contoso.com`.toLowerCase();
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
    externalId: `${givenName?.toLowerCase()}-object`,
    userName,
    active: true,
    displayName: name,
    title: 'Engineer',
    preferredLanguage: 'en-US',
    emails: [{ primary: true, type: 'work', value: userName }],
    addresses: [{ primary: true, type: 'work', locality: 'Toronto', streetAddress: '1 Main Street', country: 'CA' }],
    phoneNumbers: [{ primary: true, type: 'work', value: '+1 416 555 0100' }],
    roles: [],
    meta: { resourceType: 'User' },
    name: { formatted: name, familyName, givenName },
    [enterprise]: {
      employeeNumber: `E-${givenName}`,
      department: 'Research',
      costCenter: '4711',
      organization: 'Contoso',
    },
    ...changes,
  };
}

test('the connection test asks for somebody who does not exist, and gets an empty list', async () => {
  const entra = await connectScim(service);
  const { status, body } = await entra.get(
    `/Users?filter=${encodeURIComponent(`userName eq "${crypto.randomUUID()}"`)}`,
  );
  assert.equal(status, 200);
  assert.deepEqual(body, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: 0,
    startIndex: 1,
    itemsPerPage: 0,
    Resources: [],
  });
});

test('a new user is searched for, created, and found by every attribute that Entra matches on', async () => {
  const entra = await connectScim(service);
  const { status, headers, body } = await entra.post('/Users', asEntraSends('Ada Lovelace'));
  assert.equal(status, 201);
  assert.equal(headers.get('location'), `${service.url}/scim/v2/Users/${body.id}`);
  assert.equal(body.meta.location, headers.get('location'));
  assert.equal(body.meta.version, headers.get('etag'));
  assert.deepEqual(
    { ...body, meta: body.meta.resourceType },
    {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
      id: body.id,
      externalId: 'ada-object',
      userName: 'ada.lovelace@contoso.com',
      name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
      displayName: 'Ada Lovelace',
      active: true,
      emails: [{ value: 'ada.lovelace@contoso.com', type: 'work', primary: true }],
      addresses: [{ type: 'work', locality: 'Toronto', country: 'CA' }],
      phoneNumbers: [{ type: 'work', value: '+1 416 555 0100' }],
      preferredLanguage: 'en-US',
      [enterprise]: { employeeNumber: 'E-Ada', costCenter: '4711', department: 'Research' },
      meta: 'User',
    },
  );
  for (const filter of [
    'userName eq "ADA.Lovelace@contoso.com"',
    'externalId eq "ada-object"',
    'emails[type eq "work"].value eq "ada.lovelace@contoso.com"',
    'emails[type eq "work" and value eq "ada.lovelace@contoso.com"]',
    `${enterprise}:employeeNumber eq "e-ada"`,
    'active eq "True" and userName sw "ada"',
  ])
    assert.deepEqual(
      (await entra.find('Users', filter)).map(({ id }) => id),
      [body.id],
      filter,
    );
  assert.deepEqual((await entra.get(`/Users/${body.id}`)).body, body);
  const again = await entra.post('/Users', asEntraSends('Ada Lovelace'));
  assert.deepEqual([again.status, again.body.scimType], [409, 'uniqueness']);
});

test('a member whom an order added is adopted with their history when Entra creates them', async () => {
  const entra = await connectScim(service);
  const { token } = await service.addToken({ workspaces: [entra.workspaceId] });
  const asked = { token, workspace: entra.workspaceId };
  const order = anOrder({ orderItems: [aGift({ recipient: { email: 'Grace.Hopper@contoso.com', firstName: 'G' } })] });
  const { body: accepted } = await service.call('/api/v1/orders', { ...asked, method: 'POST', body: order });
  await finished(`/api/v1/orders/status/${accepted.requestId}`, asked);
  const [known] = await entra.find('Users', 'userName eq "grace.hopper@contoso.com"');
  assert.equal(known.userName, 'Grace.Hopper@contoso.com');
  const created = await entra.addUser(asEntraSends('Grace Hopper'));
  assert.equal(created.id, known.id);
  assert.equal(created.userName, 'grace.hopper@contoso.com');
  assert.equal(created.name.givenName, 'Grace');
  const { body: report } = await service.call('/api/v1/reports/members/last-recognized', asked);
  assert.deepEqual(
    (report.teamMembers as { teamMember: unknown }[]).map(({ teamMember }) => teamMember),
    [{ email: 'grace.hopper@contoso.com', firstName: 'Grace', lastName: 'Hopper' }],
  );
});

test('a PATCH is understood in every form that Entra has for it', async () => {
  const entra = await connectScim(service);
  const { id } = await entra.addUser(asEntraSends('Alan Turing'));
  const read = async () => (await entra.get(`/Users/${id}`)).body;
  const apply = async (...operations: unknown[]) => {
    const { status, body } = await entra.patch(`/Users/${id}`, operations);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body, await read());
    return body;
  };

  let user = await apply(
    { op: 'Replace', path: 'name.familyName', value: 'Mathison Turing' },
    { op: 'Replace', path: 'displayName', value: 'Alan M. Turing' },
    { op: 'Add', path: 'title', value: 'Professor' },
    { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+44 20 5550100' },
    { op: 'Replace', path: `${enterprise}:department`, value: 'Computing' },
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'turing@contoso.com' },
    { op: 'Replace', path: 'addresses[type eq "work"].locality', value: 'Manchester' },
    { op: 'Add', path: 'addresses[type eq "work"].streetAddress', value: 'Oxford Road' },
  );
  assert.equal(user.displayName, 'Alan M. Turing');
  assert.equal(user[enterprise].department, 'Computing');
  assert.deepEqual(user.emails, [{ value: 'turing@contoso.com', type: 'work', primary: true }]);
  assert.deepEqual(user.addresses, [{ type: 'work', locality: 'Manchester', country: 'CA' }]);

  user = await apply({
    op: 'Add',
    value: {
      'name.givenName': 'A. M.',
      'emails[type eq "work"].value': 'alan@contoso.com',
      [`${enterprise}:costCenter`]: '0815',
      [`${enterprise}:employeeNumber`]: '1912',
      externalId: 'alan-2',
      active: 'False',
      'urn:ietf:params:scim:schemas:extension:contoso:2.0:User:badge': 'blue',
    },
  });
  assert.equal(user.name.givenName, 'A. M.');
  assert.equal(user.emails[0].value, 'alan@contoso.com');
  assert.deepEqual(user[enterprise], { employeeNumber: '1912', costCenter: '0815', department: 'Computing' });
  assert.deepEqual([user.externalId, user.active], ['alan-2', false]);

  user = await apply({ op: 'replace', value: { [enterprise]: { department: 'Biology', division: 'North' } } });
  assert.deepEqual(user[enterprise], { employeeNumber: '1912', costCenter: '0815', department: 'Biology' });

  user = await apply(
    { op: 'Replace', path: 'userName', value: [{ value: 'a.turing@contoso.com' }] },
    { op: 'Remove', path: 'addresses[type eq "work"].locality' },
    { op: 'Remove', path: `${enterprise}:costCenter` },
    { op: 'Replace', path: `${enterprise}:department`, value: '' },
    { op: 'Remove', path: 'emails[type eq "home"].value' },
  );
  assert.equal(user.userName, 'a.turing@contoso.com');
  assert.deepEqual(user.addresses, [{ type: 'work', country: 'CA' }]);
  assert.deepEqual(user[enterprise], { employeeNumber: '1912' });

  user = await apply({ op: 'Add', path: 'addresses[type eq "work"].locality', value: 'London' });
  assert.deepEqual(user.addresses, [{ type: 'work', locality: 'London', country: 'CA' }]);
  user = await apply({ op: 'Remove', path: 'emails[type eq "work"].value' });
  assert.equal(user.emails, undefined);
  user = await apply({ op: 'Replace', path: 'emails[type eq "work"].value', value: 'again@contoso.com' });
  assert.equal(user.emails[0].value, 'again@contoso.com');
  user = await apply({ op: 'Add', path: 'emails', value: [{ type: 'work', value: 'added@contoso.com' }] });
  assert.equal(user.emails[0].value, 'added@contoso.com');
});

test('a manager is set as a text, an object or a list, and removed in each way', async () => {
  const entra = await connectScim(service);
  const boss = await entra.addUser(asEntraSends('Charles Babbage'));
  const { id } = await entra.addUser(asEntraSends('Ada Lovelace', { [enterprise]: { manager: { value: boss.id } } }));
  const path = `${enterprise}:manager`;
  const shown = {
    value: boss.id,
    $ref: `${service.url}/scim/v2/Users/${boss.id}`,
    displayName: 'Charles Babbage',
  };
  const manager = async () => (await entra.get(`/Users/${id}`)).body[enterprise]?.manager;
  assert.deepEqual(await manager(), shown);
  for (const removal of [
    { op: 'Remove', path },
    { op: 'Replace', path, value: '' },
    { op: 'Replace', path, value: null },
    { op: 'Replace', path, value: { value: '' } },
    { op: 'Replace', path: `${path}.value`, value: '' },
    { op: 'Replace', value: { [enterprise]: { manager: null } } },
  ]) {
    assert.equal((await entra.patch(`/Users/${id}`, [removal])).status, 200, JSON.stringify(removal));
    assert.equal(await manager(), undefined, JSON.stringify(removal));
    for (const setting of [
      { op: 'Add', path, value: boss.id },
      { op: 'Replace', path, value: { value: boss.id, $ref: '../Users/1' } },
      { op: 'Add', path, value: [{ $ref: 'http://contoso/Users/1', value: boss.id }] },
      { op: 'Add', path: `${path}.value`, value: boss.id },
      { op: 'Add', value: { [path]: { value: boss.id } } },
      { op: 'Add', path: 'manager', value: boss.id },
    ]) {
      assert.equal((await entra.patch(`/Users/${id}`, [setting])).status, 200, JSON.stringify(setting));
      assert.deepEqual(await manager(), shown, JSON.stringify(setting));
    }
  }
  assert.deepEqual(
    (await entra.find('Users', `${path}.value eq "${boss.id}"`)).map((user) => user.id),
    [id],
  );
  const { status, body } = await entra.patch(`/Users/${id}`, [{ op: 'Add', path, value: id }]);
  assert.deepEqual([status, body.scimType], [400, 'invalidValue']);
  assert.match(body.detail, /^manager\.value /);
});

test('a user who is disabled, renamed and enabled again is the same person', async () => {
  const entra = await connectScim(service);
  const { id } = await entra.addUser(asEntraSends('Mary Jackson'));
  const disabled = await entra.patch(`/Users/${id}`, [{ op: 'Replace', path: 'active', value: 'False' }]);
  assert.equal(disabled.body.active, false);
  assert.deepEqual(
    (await entra.find('Users', 'active eq false')).map((user) => user.id),
    [id],
  );
  const renamed = await entra.patch(`/Users/${id}`, [
    { op: 'Replace', path: 'userName', value: 'mary.winston@contoso.com' },
    { op: 'Replace', path: 'emails[type eq "work"].value', value: 'mary.winston@contoso.com' },
    { op: 'Replace', path: 'name.familyName', value: 'Winston' },
    { op: 'Replace', path: 'displayName', value: 'Mary Winston' },
  ]);
  assert.equal(renamed.body.displayName, 'Mary Winston');
  assert.equal(renamed.body.active, false);
  const enabled = await entra.patch(`/Users/${id}`, [{ op: 'Replace', path: 'active', value: 'True' }]);
  assert.deepEqual([enabled.body.id, enabled.body.active], [id, true]);
  assert.deepEqual(await entra.find('Users', 'userName eq "mary.jackson@contoso.com"'), []);
});

test('a deleted user stays in the history, is not found, and is the same person when hired again', async () => {
  const entra = await connectScim(service);
  const { id } = await entra.addUser(asEntraSends('Katherine Johnson'));
  const { body: group } = await entra.post('/Groups', { displayName: 'Orbits', members: [{ value: id }] });
  await entra.patch(`/Users/${id}`, [{ op: 'Replace', path: 'active', value: 'False' }]);
  assert.equal((await entra.delete(`/Users/${id}`)).status, 204);
  assert.equal((await entra.get(`/Users/${id}`)).status, 404);
  assert.equal((await entra.delete(`/Users/${id}`)).status, 404);
  assert.equal((await entra.patch(`/Users/${id}`, [{ op: 'Replace', path: 'active', value: true }])).status, 404);
  assert.equal((await entra.get('/Users')).body.totalResults, 0);
  assert.deepEqual((await entra.get(`/Groups/${group.id}`)).body.members, []);
  const [left] = await service.database.query<{ gone: boolean }>(
    'select left_at is not null as gone from members where workspace_id = $1 and id = $2',
    [entra.workspaceId, id],
  );
  assert.equal(left?.gone, true);

  for (const returning of [
    asEntraSends('Katherine Johnson'),
    asEntraSends('Katherine Goble', {
      userName: 'kg@contoso.com',
      emails: [{ value: 'katherine.johnson@contoso.com' }],
    }),
    asEntraSends('Kay Goble', { [enterprise]: { employeeNumber: 'E-Katherine' } }),
  ]) {
    const user = await entra.addUser(returning);
    assert.deepEqual([user.id, user.active, user.userName], [id, true, returning.userName]);
    assert.equal((await entra.delete(`/Users/${id}`)).status, 204);
  }
});

test("a group's members are added and removed in both of Entra's forms", async () => {
  const entra = await connectScim(service);
  const ids: string[] = [];
  for (const name of ['Ann One', 'Ben Two', 'Cat Three']) ids.push((await entra.addUser(asEntraSends(name))).id);
  const [ann, ben, cat] = ids;
  const created = await entra.post('/Groups', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
    externalId: 'group-object',
    displayName: 'Engineering',
    meta: { resourceType: 'Group' },
  });
  assert.equal(created.status, 201);
  const path = `/Groups/${created.body.id}`;
  const members = async () => (await entra.get(path)).body.members.map(({ value }: { value: string }) => value);
  const apply = async (...operations: unknown[]) => {
    const { status } = await entra.patch(path, operations);
    assert.equal(status, 204);
    return members();
  };
  assert.deepEqual(await members(), []);
  const lookedUp = await entra.get(
    `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "engineering"')}`,
  );
  assert.deepEqual(lookedUp.body.Resources[0].externalId, 'group-object');
  assert.equal(lookedUp.body.Resources[0].members, undefined);

  assert.deepEqual(await apply({ op: 'Add', path: 'members', value: [{ $ref: null, value: ann }, { value: ben }] }), [
    ann,
    ben,
  ]);
  assert.deepEqual(await apply({ op: 'Add', path: 'members', value: [{ value: ben }] }), [ann, ben]);
  assert.deepEqual(await apply({ op: 'Add', value: { members: [{ value: cat }] } }), [ann, ben, cat]);
  assert.deepEqual(await apply({ op: 'Remove', path: `members[value eq "${ann}"]` }), [ben, cat]);
  assert.deepEqual(await apply({ op: 'Remove', path: 'members', value: [{ $ref: null, value: ben }] }), [cat]);
  assert.deepEqual(await apply({ op: 'Remove', path: 'members', value: [{ value: ann }] }), [cat]);
  assert.deepEqual(
    await apply(
      { op: 'Add', path: 'members', value: [{ value: ann }] },
      { op: 'Remove', path: 'members', value: [{ value: cat }] },
      { op: 'Replace', path: 'displayName', value: 'Platform' },
    ),
    [ann],
  );
  const { body: group } = await entra.get(path);
  assert.deepEqual(group.members, [
    { value: ann, $ref: `${service.url}/scim/v2/Users/${ann}`, display: 'Ann One', type: 'User' },
  ]);
  assert.equal(group.displayName, 'Platform');
  assert.deepEqual((await entra.get(`/Users/${ann}`)).body.groups, [
    { value: group.id, $ref: group.meta.location, display: 'Platform' },
  ]);
  assert.deepEqual((await entra.find('Groups', `members eq "${ann}" and id eq "${group.id}"`)).length, 1);
  const unknown = await entra.patch(path, [{ op: 'Add', path: 'members', value: [{ value: '999999999' }] }]);
  assert.deepEqual([unknown.status, unknown.body.scimType], [400, 'invalidValue']);
  assert.deepEqual(await apply({ op: 'Remove', path: 'members' }), []);
  assert.equal((await entra.delete(path)).status, 204);
  assert.equal((await entra.get(path)).status, 404);
});

async function finished(path: string, call: { token: string; workspace: number }): Promise<void> {
  await eventually(
    async () => (await service.call(path, call)).body.requestStatus,
    (status) => status === 'COMPLETED' || status === 'FAILED',
  );
}
