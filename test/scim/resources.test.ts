import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeMembers } from '../../src/company/directory/merge.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { lockWorkspace } from '../../src/company/workspaces/lock.ts';
import { whileBusy } from '../support/eventually.ts';
import { addPeople, assertScimError, connectScim, enterprise } from '../support/scim.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const scim = await connectScim(service);

const aUser = (userName: string, changes: Record<string, unknown> = {}) => ({ userName, ...changes });

test('only a token with the scope for exactly one workspace is accepted', async () => {
  const ask = (token: string | null, headers: Record<string, string> = {}) =>
    scim.send('GET', '/Users', undefined, { Authorization: token === null ? '' : `Bearer ${token}`, ...headers });
  const stranger = await ask(null);
  assertScimError(stranger, 401);
  assert.equal(stranger.headers.get('www-authenticate'), 'Bearer');
  const reader = await service.addToken({ scopes: ['directory:read'] });
  assertScimError(await ask(reader.token), 403);
  const both = await service.addToken({ workspaces: [scim.workspaceId, service.workspaceId] });
  const several = await ask(both.token, { 'X-Workspace-id': String(scim.workspaceId) });
  assertScimError(several, 403);
  assert.match(several.body.detail, /single workspace/);
  assert.equal((await ask(scim.token, { 'X-Workspace-id': String(scim.workspaceId) })).status, 200);
  assertScimError(await ask(scim.token, { 'X-Workspace-id': String(service.workspaceId) }), 403);
  assertScimError(await ask(scim.token, { 'X-Workspace-id': 'mine' }), 400, 'invalidValue');
  const slow = await service.addToken({ workspaces: [scim.workspaceId], rateLimitPerMinute: 1 });
  assert.equal((await ask(slow.token)).status, 200);
  const paced = await ask(slow.token);
  assertScimError(paced, 429);
  assert.ok(paced.headers.get('retry-after'));
});

test("a write that cannot get the workspace's lock is a 503", async () => {
  const own = await connectScim(service);
  await service.database.transaction(async (tx) => {
    await lockWorkspace(tx, own.workspaceId);
    const answer = await own.post('/Users', aUser('waiting'));
    assertScimError(answer, 503);
    assert.equal(answer.headers.get('retry-after'), '1');
  });
  assert.equal((await own.post('/Users', aUser('waiting'))).status, 201);
});

test("another workspace's people and groups do not exist", async () => {
  const other = await connectScim(service);
  const { id } = await other.addUser(aUser('foreign', { emails: [{ value: 'foreign@example.com' }] }));
  const group = (await other.post('/Groups', { displayName: 'Foreign', members: [{ value: id }] })).body.id;
  for (const path of [`/Users/${id}`, `/Groups/${group}`]) {
    assertScimError(await scim.get(path), 404);
    assertScimError(await scim.put(path, { userName: 'x', displayName: 'x' }), 404);
    assertScimError(await scim.patch(path, [{ op: 'replace', path: 'displayName', value: 'x' }]), 404);
    assertScimError(await scim.delete(path), 404);
  }
  assert.deepEqual(await scim.find('Users', 'userName eq "foreign"'), []);
  assert.deepEqual(await scim.find('Groups', `members eq "${id}"`), []);
  const own = await scim.addUser(aUser('foreign', { emails: [{ value: 'foreign@example.com' }] }));
  assert.notEqual(own.id, id);
  assertScimError(await scim.post('/Groups', { displayName: 'x', members: [{ value: id }] }), 400, 'invalidValue');
  const manager = { op: 'add', path: `${enterprise}:manager`, value: id };
  const led = await scim.patch(`/Users/${own.id}`, [manager]);
  assert.deepEqual(led.body[enterprise].manager, { value: id });
});

test('integrations and the default team are not resources', async () => {
  const own = await connectScim(service);
  assert.equal((await own.get('/Users')).body.totalResults, 0);
  assert.equal((await own.get('/Groups')).body.totalResults, 0);
  const [row] = await service.database.query<{ member: number; team: number }>(
    `select m.id as member, w.default_team_id as team
       from members m join workspaces w on w.id = m.workspace_id
      where m.workspace_id = $1`,
    [own.workspaceId],
  );
  assertScimError(await own.get(`/Users/${row?.member}`), 404);
  assertScimError(await own.delete(`/Groups/${row?.team}`), 404);
  assertScimError(
    await own.post('/Groups', { displayName: 'x', members: [{ value: String(row?.member) }] }),
    400,
    'invalidValue',
  );
});

test('a value that must be unique and belongs to another user is refused', async () => {
  const own = await connectScim(service);
  const full = (name: string) =>
    aUser(name, { emails: [{ value: `${name}@example.com` }], [enterprise]: { employeeNumber: name } });
  await own.addUser(full('first'));
  const { id } = await own.addUser(full('second'));
  for (const user of [
    aUser('FIRST'),
    aUser('third', { emails: [{ value: 'First@example.com' }] }),
    aUser('third', { [enterprise]: { employeeNumber: 'first' } }),
  ]) {
    assertScimError(await own.post('/Users', user), 409, 'uniqueness');
    assertScimError(await own.put(`/Users/${id}`, { ...full('second'), ...user }), 409, 'uniqueness');
  }
  assertScimError(
    await own.patch(`/Users/${id}`, [{ op: 'replace', path: 'userName', value: 'first' }]),
    409,
    'uniqueness',
  );
  assert.equal((await own.get(`/Users/${id}`)).body.userName, 'second');
});

test('of many concurrent creations of the same user or group one succeeds', async () => {
  const own = await connectScim(service);
  for (const [path, resource] of [
    ['/Users', aUser('crowd@example.com')],
    ['/Groups', { displayName: 'Crowd' }],
  ] as const) {
    const answers = await Promise.all(Array.from({ length: 8 }, () => whileBusy(() => own.post(path, resource))));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...new Array(7).fill(409)]);
    assert.equal((await own.get(path)).body.totalResults, 1);
  }
});

test('creating a user adopts the member with that e-mail, else employee number, and keeps what is not sent', async () => {
  const own = await connectScim(service);
  const [byEmail, byNumber] = await addPeople(service, own, [
    { email: 'known@example.com', department: 'Kept', active: false },
    { employeeNumber: '42', firstName: 'Num', location: 'Oslo' },
  ]);
  const first = await own.addUser(aUser('known@EXAMPLE.com'));
  assert.deepEqual([first.id, first.active, first[enterprise].department], [String(byEmail), true, 'Kept']);
  const second = await own.addUser(aUser('number', { active: false, [enterprise]: { employeeNumber: '42' } }));
  assert.deepEqual([second.id, second.active, second.addresses[0].locality], [String(byNumber), false, 'Oslo']);
});

test('members that SCIM never wrote have a userName, and can be found by it', async () => {
  const own = await connectScim(service);
  const ids = await addPeople(service, own, [
    { email: 'Mail@example.com', employeeNumber: '1' },
    { employeeNumber: 'N-2' },
    {},
  ]);
  const names = ['Mail@example.com', 'N-2', String(ids[2])];
  assert.deepEqual(
    (await own.get('/Users')).body.Resources.map((user: { userName: string }) => user.userName),
    names,
  );
  for (const [nth, name] of names.entries())
    assert.deepEqual(
      (await own.find('Users', `userName eq "${name}"`)).map(({ id }) => id),
      [String(ids[nth])],
    );
});

test('two records of one person have different userNames until they are merged', async () => {
  const own = await connectScim(service);
  const [one, two] = (await addPeople(service, own, [{ email: 'two@example.com' }, { employeeNumber: '2' }])) as [
    number,
    number,
  ];
  const both = aUser('two@example.com', { [enterprise]: { employeeNumber: '2' } });
  const refused = await own.post('/Users', both);
  assertScimError(refused, 409, 'uniqueness');
  assert.match(refused.body.detail, /giftwire member merge/);
  await service.database.transaction((tx) => mergeMembers(tx, theService, own.workspaceId, two, one));
  const user = await own.addUser(both);
  assert.deepEqual([user.id, user[enterprise].employeeNumber], [String(one), '2']);
  assertScimError(await own.get(`/Users/${two}`), 404);
});

test("the surviving user can take a merged record's address", async () => {
  const own = await connectScim(service);
  const kept = await own.addUser(aUser('kept', { emails: [{ value: 'new@example.com' }] }));
  const gone = await own.addUser(aUser('gone', { emails: [{ value: 'old@example.com' }] }));
  await service.database.transaction((tx) =>
    mergeMembers(tx, theService, own.workspaceId, Number(gone.id), Number(kept.id)),
  );
  assertScimError(await own.post('/Users', aUser('gone')), 409, 'uniqueness');
  const { status, body } = await own.put(
    `/Users/${kept.id}`,
    aUser('gone', { emails: [{ value: 'old@example.com' }] }),
  );
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.id, body.userName, body.emails[0].value], [kept.id, 'gone', 'old@example.com']);
});

test('a thousand members join and leave a group with one request each', async () => {
  const own = await connectScim(service);
  const ids = await addPeople(
    service,
    own,
    Array.from({ length: 1_000 }, (_, nth) => ({ employeeNumber: `${nth}` })),
  );
  const { id } = (await own.post('/Groups', { displayName: 'All' })).body;
  const change = (operations: unknown[]) => whileBusy(() => own.patch(`/Groups/${id}`, operations));
  const countMembers = async () => (await whileBusy(() => own.get(`/Groups/${id}`))).body.members.length;
  const members = ids.map((value) => ({ value: String(value) }));
  assert.equal((await change([{ op: 'Add', path: 'members', value: members }])).status, 204);
  assert.equal(await countMembers(), 1_000);
  const operations = members.slice(1).map(({ value }) => ({ op: 'Remove', path: `members[value eq "${value}"]` }));
  assert.equal((await change(operations)).status, 204);
  assert.equal(await countMembers(), 1);
  const many = Array.from({ length: 10_001 }, (_, nth) => ({ value: String(nth + 1) }));
  assertScimError(await change([{ op: 'Add', path: 'members', value: many }]), 413);
});

test('a request that asks for too many attributes, or says them twice, changes nothing', async () => {
  const scim = await connectScim(service);
  const { id } = await scim.addUser({ userName: 'ada@example.com' });
  const group = (await scim.post('/Groups', { displayName: 'Blue' })).body;
  const names = [...Array(101)].map((_, nth) => `a${nth}`).join(',');
  for (const query of [`attributes=${names}`, 'attributes=id&attributes=id'])
    for (const [method, path, body] of [
      ['POST', '/Users', { userName: 'new@example.com' }],
      ['PUT', `/Users/${id}`, { userName: 'ada@example.com', displayName: 'New' }],
      ['PATCH', `/Users/${id}`, { Operations: [{ op: 'replace', path: 'active', value: false }] }],
      ['POST', '/Groups', { displayName: 'New' }],
      ['PUT', `/Groups/${group.id}`, { displayName: 'New' }],
      ['PATCH', `/Groups/${group.id}`, { Operations: [{ op: 'replace', path: 'displayName', value: 'New' }] }],
    ] as const)
      assert.equal((await scim.send(method, `${path}?${query}`, body)).status, 400, `${method} ${path}`);
  const { displayName, active } = (await scim.get(`/Users/${id}`)).body;
  assert.deepEqual([displayName, active], ['ada@example.com', true]);
  assert.deepEqual(await scim.find('Users', 'userName eq "new@example.com"'), []);
  assert.deepEqual(await scim.find('Groups', 'displayName eq "New"'), []);
});
