import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectScim, enterprise } from '../support/scim.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const scim = await connectScim(service);
const searchRequest = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest';

const boss = await scim.addUser({ userName: 'boss@example.com', displayName: 'The Boss' });
const ada = await scim.addUser({
  userName: 'ada@example.com',
  externalId: 'a-1',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  addresses: [{ type: 'work', locality: 'London' }],
  photos: [{ type: 'photo', value: 'https://pictures.example/Ada.jpg' }],
  [enterprise]: { employeeNumber: 'E-1', department: 'Lab', costCenter: 'C', manager: { value: boss.id } },
});
const waiting = await scim.addUser({ userName: 'waiting', [enterprise]: { manager: { value: 'later@example.com' } } });
const blue = (await scim.post('/Groups', { displayName: 'Blue', members: [{ value: ada.id }] })).body;
const red = (await scim.post('/Groups', { displayName: 'Red' })).body;

const ids = (body: { Resources: { id: string }[] }) => body.Resources.map(({ id }) => id);

test('a search request with POST answers as a list does', async () => {
  for (const [path, filter, expected] of [
    ['/Users', 'userName eq "ada@example.com"', [ada.id]],
    ['/Groups', 'displayName sw "b"', [blue.id]],
  ] as const) {
    const { status, body } = await scim.post(`${path}/.search`, { schemas: [searchRequest], filter });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body, (await scim.get(`${path}?filter=${encodeURIComponent(filter)}`)).body);
    assert.deepEqual(ids(body), expected);
  }
  const { body } = await scim.post('/Users/.search', {
    filter: 'userName pr',
    startIndex: 2,
    count: 1,
    attributes: ['userName', 'name.givenName'],
  });
  assert.deepEqual([body.totalResults, body.startIndex, body.itemsPerPage], [3, 2, 1]);
  assert.deepEqual(
    { ...body.Resources[0], schemas: null },
    { schemas: null, id: ada.id, userName: 'ada@example.com', name: { givenName: 'Ada' } },
  );
  const groups = await scim.post('/Groups/.search', { excludedAttributes: ['members'] });
  assert.equal(groups.body.Resources[0].members, undefined);
});

test('a search at the root finds users and groups as one list', async () => {
  const all = [boss.id, ada.id, waiting.id, blue.id, red.id];
  const { body } = await scim.post('/.search', { schemas: [searchRequest] });
  assert.deepEqual([body.totalResults, ids(body)], [5, all]);
  for (let startIndex = 1; startIndex <= 6; startIndex++) {
    const page = (await scim.post('/.search', { startIndex, count: 2 })).body;
    assert.equal(page.totalResults, 5);
    assert.deepEqual(ids(page), all.slice(startIndex - 1, startIndex + 1), String(startIndex));
  }
  for (const [filter, expected] of [
    ['meta.resourceType eq "Group"', [blue.id, red.id]],
    ['userName sw "ada" or members pr', [ada.id, blue.id]],
    ['displayName co "b" and not (userName pr)', [blue.id]],
    [`urn:ietf:params:scim:schemas:core:2.0:User:active eq true and displayName co "b"`, [boss.id]],
    ['schemas eq "urn:ietf:params:scim:schemas:core:2.0:Group" and displayName eq "red"', [red.id]],
  ] as const)
    assert.deepEqual(ids((await scim.post('/.search', { filter })).body), expected, filter);
  const unknown = await scim.post('/.search', { filter: 'shoeSize pr' });
  assert.deepEqual([unknown.status, unknown.body.scimType], [400, 'invalidFilter']);
});

test('a malformed search request is refused', async () => {
  for (const body of [
    [],
    { filter: 5 },
    { filter: ['userName pr'] },
    { count: '5' },
    { startIndex: 1.5 },
    { attributes: 'userName' },
    { excludedAttributes: [5] },
  ])
    for (const path of ['/.search', '/Users/.search', '/Groups/.search'])
      assert.equal((await scim.post(path, body)).status, 400, `${path} ${JSON.stringify(body)}`);
});

test('every attribute that is published can be filtered', async () => {
  const { body: schemas } = await scim.get('/Schemas');
  type Published = { name: string; subAttributes?: { name: string }[] };
  const [user, work, ours, group] = schemas.Resources as { id: string; attributes: Published[] }[];
  for (const [resource, schema] of [
    ['Users', user],
    ['Users', work],
    ['Users', ours],
    ['Groups', group],
  ] as const)
    for (const { name, subAttributes } of schema?.attributes ?? [])
      for (const path of [name, ...(subAttributes ?? []).map((sub) => `${name}.${sub.name}`)])
        for (const filter of [`${path} pr`, `${schema?.id}:${path} pr`]) await scim.find(resource, filter);
  for (const common of [
    'id',
    'externalId',
    'schemas',
    'meta.resourceType',
    'meta.created',
    'meta.lastModified',
    'meta.location',
  ])
    for (const resource of ['Users', 'Groups'] as const) await scim.find(resource, `${common} pr`);

  for (const [filter, expected] of [
    ['addresses pr', [ada.id]],
    ['addresses[type eq "work" and locality eq "LONDON"]', [ada.id]],
    ['photos.value eq "https://pictures.example/Ada.jpg"', [ada.id]],
    ['photos[type eq "photo"] and photos.value ew ".jpg"', [ada.id]],
    [`groups eq "${blue.id}"`, [ada.id]],
    ['groups.display co "LU"', [ada.id]],
    [`groups.$ref eq "${blue.meta.location}"`, [ada.id]],
    ['not (groups pr)', [boss.id, waiting.id]],
    [`manager.$ref eq "${boss.meta.location}"`, [ada.id]],
    [`${enterprise}:manager.displayName eq "the boss"`, [ada.id]],
    [`manager eq "${boss.id}"`, [ada.id]],
    ['manager.value eq "Later@example.com"', [waiting.id]],
    ['name pr', [ada.id]],
    [`schemas eq "${enterprise}"`, [ada.id, waiting.id]],
    [`meta.location eq "${ada.meta.location}"`, [ada.id]],
    ['meta.resourceType eq "group"', []],
  ] as const)
    assert.deepEqual(
      (await scim.find('Users', filter)).map(({ id }) => id),
      expected,
      filter,
    );
  for (const [filter, expected] of [
    ['members.display eq "ada lovelace"', [blue.id]],
    [`members.$ref eq "${ada.meta.location}"`, [blue.id]],
    [`meta.location eq "${red.meta.location}"`, [red.id]],
  ] as const)
    assert.deepEqual(
      (await scim.find('Groups', filter)).map(({ id }) => id),
      expected,
      filter,
    );
});

test('schemas declare which attributes are unique and which are read-only', async () => {
  const { body: schemas } = await scim.get('/Schemas');
  const found = new Map<string, { uniqueness: string; mutability: string }>();
  for (const { name, attributes } of schemas.Resources)
    for (const attribute of attributes) {
      found.set(`${name}.${attribute.name}`, attribute);
      for (const sub of attribute.subAttributes ?? []) found.set(`${name}.${attribute.name}.${sub.name}`, sub);
    }
  const unique = [...found].filter(([, { uniqueness }]) => uniqueness === 'server').map(([name]) => name);
  assert.deepEqual(unique.sort(), [
    'EnterpriseUser.employeeNumber',
    'Group.displayName',
    'User.emails.value',
    'User.userName',
  ]);
  assert.equal(found.get('User.displayName')?.mutability, 'readWrite');
  assert.equal(found.get('User.name.formatted')?.mutability, 'readWrite');
  assert.equal(found.get('User.groups')?.mutability, 'readOnly');
});

test('a filter on a discovery address is a 403', async () => {
  for (const path of ['/Schemas', '/ResourceTypes', '/ServiceProviderConfig']) {
    const { status, body } = await scim.get(`${path}?filter=${encodeURIComponent('id eq "User"')}`);
    assert.equal(status, 403, path);
    assert.equal(body.status, '403');
    assert.equal((await scim.get(path)).status, 200);
  }
});

test('extra slashes in an address are ignored', async () => {
  const filter = encodeURIComponent('userName eq "ada@example.com"');
  for (const path of [`/Users/?filter=${filter}`, `//Users?filter=${filter}`, `//Users//?filter=${filter}`])
    assert.deepEqual(ids((await scim.get(path)).body), [ada.id], path);
  assert.equal((await scim.get(`//Users//${ada.id}/`)).body.meta.location, ada.meta.location);
  assert.equal((await scim.get('/ServiceProviderConfig/')).status, 200);
  assert.equal((await scim.get('/Schemas/')).body.totalResults, 4);
  const created = await scim.post('//Users/', { userName: 'slash' });
  assert.equal(created.status, 201);
  assert.equal((await scim.post('//.search/', { count: 0 })).status, 200);
  assert.equal((await scim.delete(`/Users/${created.body.id}/`)).status, 204);
  const slashes = encodeURIComponent('userName eq "a//b/"');
  assert.deepEqual((await scim.get(`/Users?filter=${slashes}`)).body.Resources, []);
  assert.equal((await scim.get('/Nothing/')).status, 404);
});

test('filters and lists of names of any length are read in one go, or refused', async () => {
  const search = (request: object) => scim.post('/Users/.search', { schemas: [searchRequest], ...request });
  for (const filter of ['\\"'.repeat(7_000), '\\"'.repeat(7_000).concat('\\'), '\\"'.repeat(200_000)]) {
    const { status, body } = await search({ filter: `userName eq "${filter}` });
    assert.deepEqual([status, body.scimType], [400, 'invalidFilter'], JSON.stringify(body));
  }
  const quoted = await search({ filter: `userName eq "a\\"b" or userName eq "ada@example.com"` });
  assert.deepEqual(ids(quoted.body), [ada.id]);
  const names = Array.from({ length: 101 }, (_, nth) => `a${nth}`);
  for (const key of ['attributes', 'excludedAttributes']) {
    const { status, body } = await search({ [key]: names });
    assert.deepEqual([status, body.detail], [400, `${key} may have at most 100 names.`]);
    assert.equal((await scim.get(`/Users?${key}=${names}`)).status, 400);
  }
  const repeated = await search({ attributes: Array.from({ length: 5_000 }, () => 'userName') });
  assert.equal(repeated.status, 200);
});
