import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addPeople, assertScimError, connectScim, enterprise, giftwire } from '../support/scim.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const scim = await connectScim(service);

const aUser = (userName: string, changes: Record<string, unknown> = {}) => ({ userName, ...changes });

test('discovery describes every schema and resource type, as lists and one by one', async () => {
  const { body: config } = await scim.get('/ServiceProviderConfig');
  assert.deepEqual(
    [config.patch, config.filter, config.etag, config.sort, config.changePassword, config.bulk.supported],
    [
      { supported: true },
      { supported: true, maxResults: 1000 },
      { supported: true },
      { supported: false },
      { supported: false },
      false,
    ],
  );
  assert.equal(config.authenticationSchemes[0].type, 'oauthbearertoken');

  const { body: types } = await scim.get('/ResourceTypes');
  assert.deepEqual(
    types.Resources.map(({ id, endpoint, schema }: Record<string, string>) => [id, endpoint, schema]),
    [
      ['User', '/Users', 'urn:ietf:params:scim:schemas:core:2.0:User'],
      ['Group', '/Groups', 'urn:ietf:params:scim:schemas:core:2.0:Group'],
    ],
  );
  assert.deepEqual(
    types.Resources[0].schemaExtensions,
    [enterprise, giftwire].map((schema) => ({ schema, required: false })),
  );

  const { body: schemas } = await scim.get('/Schemas');
  assert.equal(schemas.totalResults, 4);
  for (const resource of [...types.Resources, ...schemas.Resources])
    assert.deepEqual((await scim.get(resource.meta.location.split('/scim/v2')[1])).body, resource);
  const names = (resource: { attributes: { name: string }[] }) => resource.attributes.map(({ name }) => name);
  assert.deepEqual(names(schemas.Resources[1]), ['employeeNumber', 'costCenter', 'department', 'manager']);
  assertScimError(await scim.get('/Schemas/urn:nothing'), 404);
  assertScimError(await scim.get('/ResourceTypes/Robot'), 404);
});

test('every refusal is an error of SCIM', async () => {
  const { id } = await scim.addUser(aUser('errors'));
  const user = `/Users/${id}`;
  assertScimError(await scim.get('/Nothing'), 404);
  assertScimError(await scim.get('/Users/999999999'), 404);
  assertScimError(await scim.get('/Users/abc'), 404);
  assertScimError(await scim.put('/Groups/0', { displayName: 'x' }), 404);
  const notAllowed = await scim.send('DELETE', '/Users');
  assertScimError(notAllowed, 405);
  assert.equal(notAllowed.headers.get('allow'), 'GET, HEAD, POST');
  assertScimError(await scim.post('/Users', 'userName', { 'Content-Type': 'text/plain' }), 415);
  assertScimError(await scim.post('/Users', `{"userName":"${'x'.repeat(17 << 20)}"}`), 413);
  assertScimError(await scim.patch(user, new Array(1_001).fill({ op: 'add', path: 'title', value: 'x' })), 413);
  for (const body of ['{"userName":', '', '[]', '"text"', 'null'])
    assertScimError(await scim.post('/Users', body), 400, 'invalidSyntax');
  for (const body of [
    {},
    { userName: '' },
    { userName: {} },
    { userName: 'x'.repeat(255) },
    { userName: 'a\0b' },
    { userName: 'x', active: 'perhaps' },
    { userName: 'x', emails: [{ value: 'no address' }] },
    { userName: 'x', photos: [{ value: 'javascript:alert(1)' }] },
    { userName: 'x', name: 'Ada Lovelace' },
    { userName: 'x', [enterprise]: { department: 'd'.repeat(201) } },
    { userName: 'x', [enterprise]: { manager: { value: 'X' } } },
    { userName: 'x', [enterprise]: { employeeNumber: { deep: true } } },
  ])
    assertScimError(await scim.post('/Users', body), 400, 'invalidValue');
  assertScimError(await scim.send('PATCH', user, { Operations: [] }), 400, 'invalidSyntax');
  assertScimError(await scim.patch(user, [{ op: 'move', path: 'title', value: 'x' }]), 400, 'invalidSyntax');
  assertScimError(await scim.patch(user, [{ op: 'remove' }]), 400, 'noTarget');
  assertScimError(await scim.patch(user, [{ op: 'add', path: 'title' }]), 400, 'invalidValue');
  assertScimError(await scim.patch(user, [{ op: 'add', value: 'x' }]), 400, 'invalidValue');
  assertScimError(await scim.patch(user, [{ op: 'remove', path: 'userName' }]), 400, 'invalidValue');
  for (const path of ['emails[', 'emails[type eq].value', 'a b', '...', 'x'.repeat(1_001), 7])
    assertScimError(await scim.patch(user, [{ op: 'add', path, value: 'x' }]), 400, 'invalidPath');
  const none = { op: 'replace', path: 'emails[type eq "work" and primary eq true].value', value: 'a@b.example' };
  assertScimError(await scim.patch(user, [none]), 400, 'noTarget');
  for (const query of ['startIndex=one', 'count=1.5', 'startIndex=1&startIndex=2'])
    assert.equal((await scim.get(`/Users?${query}`)).status, 400, query);
  assertScimError(await scim.post('/Groups', {}), 400, 'invalidValue');
  assertScimError(await scim.post('/Groups', { displayName: 'x', members: [{ value: 'me' }] }), 400, 'invalidValue');
  const group = (await scim.post('/Groups', { displayName: 'Errors' })).body;
  assertScimError(
    await scim.patch(`/Groups/${group.id}`, [{ op: 'remove', path: 'members[display eq "x"]' }]),
    400,
    'invalidPath',
  );
  assertScimError(
    await scim.patch(`/Groups/${group.id}`, [{ op: 'remove', path: 'displayName' }]),
    400,
    'invalidValue',
  );
  await scim.post('/Groups', { displayName: 'Taken' });
  assertScimError(await scim.put(`/Groups/${group.id}`, { displayName: 'Taken' }), 409, 'uniqueness');
  assert.equal((await scim.get(user)).body.userName, 'errors');
});

test('a filter that is broken, or about something unknown, is refused', async () => {
  for (const filter of [
    'userName',
    'userName eq',
    'userName eq "x',
    'userName is "x"',
    'userName eq "x" and',
    '(userName eq "x"',
    'shoeSize eq "44"',
    'constructor eq "x"',
    '__proto__ pr',
    'emails.display eq "x"',
    'active gt true',
    'active eq "perhaps"',
    'active co "t"',
    'meta.created gt "yesterday"',
    'meta.created co "2026"',
    'meta.created gt "-271821-04-20T00:00:00Z"',
    'userName co null',
    'userName eq "\\u0000"',
    'schemas eq "\\u0000"',
    'id eq "\\u0000"',
    'manager.value eq "\\ud800"',
    `${'('.repeat(3_000)}userName pr${')'.repeat(3_000)} or`,
    Array.from({ length: 51 }, () => 'userName pr').join(' or '),
  ])
    assertScimError(await scim.get(`/Users?filter=${encodeURIComponent(filter)}`), 400, 'invalidFilter');
  for (const filter of ['userName eq "x"', 'members co "1"'])
    assertScimError(await scim.get(`/Groups?filter=${encodeURIComponent(filter)}`), 400, 'invalidFilter');
});

test('a message that cuts a text short cuts no character in half', async () => {
  const long = `${'x'.repeat(99)}😀`;
  const { id } = await scim.addUser({ userName: 'halves' });
  for (const answer of [
    await scim.get(`/Users?filter=${encodeURIComponent(`${long} eq "x"`)}`),
    await scim.patch(`/Users/${id}`, [{ op: 'add', path: long, value: 'x' }]),
    await scim.post('/Groups', { displayName: 'Halves', members: [{ value: `${'1'.repeat(39)}😀` }] }),
  ]) {
    assert.equal(answer.status, 400);
    assert.ok((answer.body.detail as string).isWellFormed(), answer.body.detail);
  }
});

test('texts in filters are JSON strings, and a single backslash is allowed', async () => {
  const names = ['say "hi"', 'CORP\\ada', 'é', "o'hara; drop table members", '100%_sure', 'true'];
  for (const userName of names) await scim.addUser(aUser(userName));
  for (const name of names)
    assert.deepEqual(
      (await scim.find('Users', `userName eq ${JSON.stringify(name)}`)).map((user) => user.userName),
      [name],
    );
  for (const [filter, name] of [
    ['userName eq "CORP\\ada"', 'CORP\\ada'],
    ['userName eq "\\u00e9"', 'é'],
    ['userName sw "100%_"', '100%_sure'],
    ['USERNAME EQ "TRUE" AND ACTIVE EQ TRUE', 'true'],
  ] as const)
    assert.deepEqual(
      (await scim.find('Users', filter)).map((user) => user.userName),
      [name],
      filter,
    );
  assert.deepEqual(await scim.find('Users', 'userName sw "100__"'), []);
});

test('pages are counted from one, and numbers out of range count as the nearest in it', async () => {
  const own = await connectScim(service);
  const people = Array.from({ length: 7 }, (_, nth) => ({ firstName: `P${nth}`, employeeNumber: `${nth}` }));
  const ids = (await addPeople(service, own, people)).map(String);
  const page = async (query: string) => {
    const { body } = await own.get(`/Users?${query}`);
    assert.equal(body.totalResults, 7, query);
    assert.equal(body.itemsPerPage, body.Resources.length);
    return { startIndex: body.startIndex, ids: body.Resources.map(({ id }: { id: string }) => id) };
  };
  assert.deepEqual(await page(''), { startIndex: 1, ids });
  assert.deepEqual(await page('startIndex=3&count=2'), { startIndex: 3, ids: ids.slice(2, 4) });
  assert.deepEqual(await page('startIndex=-5&count=1'), { startIndex: 1, ids: ids.slice(0, 1) });
  assert.deepEqual(await page('startIndex=0&count=99999'), { startIndex: 1, ids });
  assert.deepEqual(await page('count=0'), { startIndex: 1, ids: [] });
  assert.deepEqual(await page('count=-1'), { startIndex: 1, ids: [] });
  assert.deepEqual(await page('startIndex=8&count=3'), { startIndex: 8, ids: [] });
  assert.deepEqual(await page('startIndex=6&count=3'), { startIndex: 6, ids: ids.slice(5) });
});

test('attributes and excludedAttributes choose what is answered', async () => {
  const { id } = await scim.addUser(
    aUser('shown', { name: { givenName: 'A', familyName: 'B' }, [enterprise]: { department: 'D', costCenter: 'C' } }),
  );
  const shown = async (query: string) => {
    const { body } = await scim.get(`/Users/${id}?${query}`);
    const { body: list } = await scim.get(`/Users?filter=${encodeURIComponent('userName eq "shown"')}&${query}`);
    assert.deepEqual(list.Resources, [body]);
    const { schemas, id: shownId, ...rest } = body;
    assert.equal(shownId, id);
    assert.equal(schemas.length, 2);
    return rest;
  };
  assert.deepEqual(await shown('attributes=userName,NAME.givenname'), { userName: 'shown', name: { givenName: 'A' } });
  assert.deepEqual(await shown(`attributes=${enterprise}:department`), { [enterprise]: { department: 'D' } });
  assert.deepEqual(await shown(`attributes=urn:ietf:params:scim:schemas:core:2.0:User:active`), { active: true });
  assert.deepEqual(await shown(`attributes=${enterprise}`), { [enterprise]: { costCenter: 'C', department: 'D' } });
  const rest = await shown(`excludedAttributes=id,meta,name.formatted,${enterprise}:costCenter`);
  assert.deepEqual(rest, {
    userName: 'shown',
    name: { familyName: 'B', givenName: 'A' },
    displayName: 'A B',
    active: true,
    [enterprise]: { department: 'D' },
  });
  const patched = await scim.send('PATCH', `/Users/${id}?attributes=active`, {
    Operations: [{ op: 'replace', path: 'active', value: false }],
  });
  assert.deepEqual(Object.keys(patched.body), ['schemas', 'id', 'active']);
});

test('a known version is a 304, and a write to an old version is refused', async () => {
  const user = (await scim.addUser(aUser('versions'))).id;
  const group = (await scim.post('/Groups', { displayName: 'Versions' })).body.id;
  for (const [path, change, body] of [
    [`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: user }] }, { displayName: 'Versions' }],
    [`/Users/${user}`, { op: 'replace', path: 'name.givenName', value: 'V' }, aUser('versions')],
  ] as const) {
    const old = (await scim.get(path)).headers.get('etag') ?? '';
    assert.match(old, /^W\/"[\w-]+"$/);
    const known = await scim.get(path, { 'If-None-Match': `"other", ${old}` });
    assert.deepEqual([known.status, known.body, known.headers.get('etag')], [304, null, old]);
    assert.ok((await scim.patch(path, [change], { 'If-Match': old })).status < 300);
    assertScimError(await scim.patch(path, [change], { 'If-Match': old }), 412);
    assertScimError(await scim.put(path, body, { 'If-Match': old }), 412);
    assertScimError(await scim.delete(path, { 'If-Match': old }), 412);
    assert.equal((await scim.get(path, { 'If-None-Match': old })).status, 200);
    const current = (await scim.get(path)).headers.get('etag') ?? '';
    assert.notEqual(current, old);
    assert.equal((await scim.put(path, body, { 'If-Match': current })).status, 200);
    assert.equal((await scim.delete(path, { 'If-Match': '*' })).status, 204);
  }
});

test('attribute names ignore case, and no other key has an effect', async () => {
  const body = JSON.parse(`{
    "USERNAME": "cased", "Name": { "GIVENNAME": "C", "__proto__": { "polluted": 1 } }, "__proto__": { "polluted": 1 },
    "${enterprise.toUpperCase()}": { "Department": "D" }, "constructor": { "prototype": { "polluted": 1 } }
  }`);
  const user = await scim.addUser(body);
  assert.deepEqual([user.userName, user.name.givenName, user[enterprise].department], ['cased', 'C', 'D']);
  const named = { op: 'add', path: 'name', value: { 'constructor.prototype.polluted': 1, GivenName: 'X' } };
  assert.equal((await scim.patch(`/Users/${user.id}`, [named])).status, 200);
  for (const operation of [
    { op: 'add', value: { 'constructor.prototype': 1 } },
    { op: 'add', value: { 'name.__proto__': 1 } },
    { op: 'add', path: '__proto__.polluted', value: 1 },
    { op: 'add', path: 'constructor.prototype', value: { polluted: 1 } },
  ])
    assertScimError(await scim.patch(`/Users/${user.id}`, [operation]), 400, 'invalidPath');
  assert.equal((await scim.get(`/Users/${user.id}`)).body.name.givenName, 'X');
  assert.equal(({} as { polluted?: number }).polluted, undefined);
});

test('locations use the address that the caller used, also behind a TLS proxy', async () => {
  const { id } = await scim.addUser(aUser('located'));
  const plain = await scim.get(`/Users/${id}`);
  assert.equal(plain.body.meta.location, `${service.url}/scim/v2/Users/${id}`);
  const secure = await scim.get(`/Users/${id}`, { 'X-Forwarded-Proto': 'https' });
  assert.equal(secure.body.meta.location, plain.body.meta.location.replace('http:', 'https:'));
  assert.equal(secure.headers.get('etag'), plain.headers.get('etag'));
});

test('both media types are accepted, and a DELETE may have one without a body', async () => {
  const json = { 'Content-Type': 'application/json; charset=utf-8' };
  const { status, body } = await scim.post('/Users', aUser('media'), json);
  assert.equal(status, 201);
  assert.equal((await scim.delete(`/Users/${body.id}`, json)).status, 204);
  const order = await service.call('/api/v1/orders', {
    method: 'POST',
    body: '{}',
    headers: { 'Content-Type': 'application/scim+json' },
  });
  assert.equal(order.status, 415);
});
