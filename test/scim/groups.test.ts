import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findOrAddTeams } from '../../src/company/directory/teams.ts';
import { recount } from '../support/derived.ts';
import { assertScimError, connectScim } from '../support/scim.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;

test("a group may have the name of the workspace's default team", async () => {
  const scim = await connectScim(service);
  const own = async () => {
    const [team] = await database.query<{ id: number; name: string }>(
      'select t.id, t.name from workspaces w join teams t on t.id = w.default_team_id where w.id = $1',
      [scim.workspaceId],
    );
    return team as { id: number; name: string };
  };
  const { id } = await own();
  const names = [`Everyone (${id})`, 'Everyone', `Everyone (${id}) (2)`, `everyone (${id}) (3)`];
  for (const displayName of names) assert.equal((await scim.post('/Groups', { displayName })).status, 201, displayName);
  for (let times = 0; times < 3; times++)
    assert.equal((await scim.post('/Groups', { displayName: (await own()).name })).status, 201);
  assert.equal((await scim.get('/Groups')).body.totalResults, names.length + 3);
});

test('groups whose names differ in case only are one', async () => {
  const scim = await connectScim(service);
  const blue = (await scim.post('/Groups', { displayName: 'Blue' })).body;
  const red = (await scim.post('/Groups', { displayName: 'Red' })).body;
  for (const refused of [
    await scim.post('/Groups', { displayName: 'BLUE' }),
    await scim.put(`/Groups/${red.id}`, { displayName: 'blue' }),
    await scim.patch(`/Groups/${red.id}`, [{ op: 'replace', path: 'displayName', value: 'bLUE' }]),
  ])
    assert.deepEqual([refused.status, refused.body.scimType], [409, 'uniqueness']);
  const cased = await scim.put(`/Groups/${blue.id}`, { displayName: 'BLUE' });
  assert.deepEqual([cased.status, cased.body.displayName], [200, 'BLUE']);
  const teams = await database.transaction((tx) =>
    findOrAddTeams(tx, scim.workspaceId, ['Blue', 'red', 'Green', 'GREEN']),
  );
  assert.deepEqual([teams.get('Blue'), teams.get('red')], [Number(blue.id), Number(red.id)]);
  assert.ok(teams.get('Green'));
  assert.equal(teams.get('Green'), teams.get('GREEN'));
});

test('older teams whose names differ only in case can still be changed', async () => {
  const scim = await connectScim(service);
  await database.query(`insert into teams (workspace_id, name) values ($1, 'Old'), ($1, 'OLD')`, [scim.workspaceId]);
  for (const { id, displayName } of (await scim.get('/Groups')).body.Resources)
    assert.equal((await scim.put(`/Groups/${id}`, { displayName, externalId: 'x' })).status, 200);
});

test('groups with very many members are listed a few at a time, and all are seen', async () => {
  const scim = await connectScim(service);
  const [groups, people] = [45, 500];
  await database.query(
    `with added as (
       insert into members (workspace_id, team_id, employee_number)
       select $1, (select default_team_id from workspaces where id = $1), nth from generate_series(1, $2::int) as nth
       returning id),
     made as (
       insert into teams (workspace_id, name) select $1, 'Group ' || nth from generate_series(1, $3::int) as nth returning id)
     insert into team_members (workspace_id, team_id, member_id) select $1, made.id, added.id from made cross join added`,
    [scim.workspaceId, people, groups],
  );
  await recount(database, scim.workspaceId);
  const seen = new Set<string>();
  for (let startIndex = 1; startIndex <= groups; ) {
    const { status, body } = await scim.get(`/Groups?count=1000&startIndex=${startIndex}`);
    assert.equal(status, 200);
    assert.equal(body.totalResults, groups);
    assert.equal(body.itemsPerPage, body.Resources.length);
    for (const { id, members } of body.Resources) {
      assert.equal(members.length, people);
      seen.add(id);
    }
    startIndex += body.itemsPerPage;
    assert.ok(body.itemsPerPage > 0 && body.itemsPerPage < groups);
  }
  assert.equal(seen.size, groups);
  const { body: names } = await scim.get('/Groups?count=1000&excludedAttributes=members');
  assert.equal(names.Resources.length, groups);
});

test('a group is no member of a group, and its id is not taken for that of a user', async () => {
  const scim = await connectScim(service);
  const { id } = await scim.addUser({ userName: 'ada@example.com' });
  const group = (await scim.post('/Groups', { displayName: 'Blue' })).body;
  const add = (member: object) =>
    scim.patch(`/Groups/${group.id}`, [{ op: 'add', path: 'members', value: [{ value: id, ...member }] }]);
  const asGroup = { type: 'Group' };
  const byAddress = { $ref: `${service.url}/scim/v2/Groups/${id}` };
  for (const refused of [
    await add(asGroup),
    await add(byAddress),
    await scim.put(`/Groups/${group.id}`, { displayName: 'Blue', members: [{ value: id, ...asGroup }] }),
    await scim.post('/Groups', { displayName: 'Red', members: [{ value: id, ...byAddress }] }),
  ])
    assertScimError(refused, 400, 'invalidValue');
  assert.deepEqual((await scim.get(`/Groups/${group.id}`)).body.members, []);
  for (const member of [{ type: 'user' }, { type: 'User', $ref: `${service.url}/scim/v2/Users/${id}` }, { $ref: '' }])
    assert.ok((await add(member)).status < 300, JSON.stringify(member));
  const removed = [{ value: id, ...asGroup }];
  assertScimError(
    await scim.patch(`/Groups/${group.id}`, [{ op: 'remove', path: 'members', value: removed }]),
    400,
    'invalidValue',
  );
  assert.equal((await scim.get(`/Groups/${group.id}`)).body.members.length, 1);
  const { attributes } = (await scim.get('/Schemas/urn:ietf:params:scim:schemas:core:2.0:Group')).body;
  const { subAttributes } = attributes.find(({ name }: { name: string }) => name === 'members');
  const offered = subAttributes.flatMap(
    (one: Record<string, unknown>) => one.canonicalValues ?? one.referenceTypes ?? [],
  );
  assert.deepEqual(offered, ['User', 'User']);
});
