import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendMemberEvents } from '../../src/company/directory/events.ts';
import { addMembers, updateMembers } from '../../src/company/directory/save.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { followEvents, type PulledEvent } from '../support/events.ts';
import { giftwire } from '../support/process.ts';
import { connectScim, enterprise, openWithScim } from '../support/scim.ts';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

async function open() {
  const { workspace, scim } = await openWithScim(service);
  const cli = async (...args: string[]) => {
    const given = [...args, '--workspace', String(workspace.id), '--yes', '--json'];
    const { code, stdout, stderr } = await giftwire(given, { DATABASE_URL: database.url });
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  return { workspace, scim, cli, ...followEvents(workspace) };
}

const ada = { userName: 'ada@example.com', name: { givenName: 'Ada', familyName: 'Lovelace' } };
const leave = [{ op: 'replace', path: 'active', value: false }];
const comeBack = [{ op: 'replace', path: 'active', value: true }];
const rename = [{ op: 'replace', path: 'name.givenName', value: 'Augusta' }];

test('a user of an identity provider is added, changed, leaves and returns', async () => {
  const { scim, said } = await open();
  const { id } = await scim.addUser(ada);
  assert.deepEqual(await said(), [`member.added ${id}`]);
  for (const [operations, expected] of [
    [rename, [`member.changed ${id}`]],
    [rename, []],
    [leave, [`member.left ${id}`]],
    [leave, []],
    [comeBack, [`member.returned ${id}`]],
    [comeBack, []],
    [
      [...leave, { op: 'replace', path: 'name.givenName', value: 'Ada' }],
      [`member.left ${id}`, `member.changed ${id}`],
    ],
  ] as const) {
    assert.equal((await scim.patch(`/Users/${id}`, [...operations])).status, 200);
    assert.deepEqual(await said(), expected, JSON.stringify(operations));
  }
});

test('PUT of what is there changes nothing, and a refused change has no event', async () => {
  const { scim, said } = await open();
  const { id } = await scim.addUser(ada);
  const other = await scim.addUser({ userName: 'bob@example.com' });
  // The resource shows names that nobody has sent. From here on they are sent.
  const { body: user } = await scim.put(`/Users/${id}`, (await scim.get(`/Users/${id}`)).body);
  await said();
  assert.equal((await scim.put(`/Users/${user.id}`, user)).status, 200);
  assert.deepEqual(await said(), []);
  const taken = { ...user, name: { givenName: 'Augusta' }, userName: other.userName };
  assert.equal((await scim.put(`/Users/${user.id}`, taken)).status, 409);
  assert.deepEqual(await said(), []);
});

test('a deleted user leaves, and comes back when they are created again', async () => {
  const { scim, said } = await open();
  const { id } = await scim.addUser(ada);
  assert.equal((await scim.delete(`/Users/${id}`)).status, 204);
  assert.equal((await scim.addUser(ada)).id, id);
  assert.deepEqual(await said(), [`member.added ${id}`, `member.left ${id}`, `member.returned ${id}`]);
  await scim.patch(`/Users/${id}`, leave);
  await said();
  assert.equal((await scim.delete(`/Users/${id}`)).status, 204);
  assert.deepEqual(await said(), [], 'they had left before');
});

test('a user who is created as a leaver is added and has left', async () => {
  const { scim, said } = await open();
  const { id } = await scim.addUser({ ...ada, active: false });
  assert.deepEqual(await said(), [`member.added ${id}`, `member.left ${id}`]);
});

test('those whose manager arrives later are changed, and those whose address goes to another person', async () => {
  const { scim, said } = await open();
  const report = await scim.addUser({ ...ada, [enterprise]: { manager: { value: 'boss@example.com' } } });
  await said();
  const boss = await scim.addUser({ userName: 'boss@example.com', [enterprise]: { employeeNumber: '1' } });
  assert.deepEqual(await said(), [`member.added ${boss.id}`, `member.changed ${report.id}`]);
  await scim.delete(`/Users/${boss.id}`);
  await said();
  const heir = await scim.addUser({ userName: 'boss@example.com', [enterprise]: { employeeNumber: '2' } });
  assert.deepEqual(await said(), [`member.changed ${boss.id}`, `member.added ${heir.id}`]);
});

test('people are changed when their team changes: once for a request, and not for the same team again', async () => {
  const { scim, said } = await open();
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) ids.push((await scim.addUser({ userName: `${name}@example.com` })).id);
  await said();
  const members = ids.map((value) => ({ value }));
  const { body: group } = await scim.post('/Groups', { displayName: 'Platform', members });
  assert.deepEqual(
    await said(),
    ids.map((id) => `member.changed ${id}`),
  );
  await scim.patch(`/Groups/${group.id}`, [{ op: 'add', path: 'members', value: members }]);
  await scim.patch(`/Groups/${group.id}`, [{ op: 'replace', path: 'displayName', value: 'Data' }]);
  assert.deepEqual(await said(), []);
  await scim.delete(`/Groups/${group.id}`);
  assert.deepEqual((await said()).length, 3);
});

test('orders add people before they are completed, and say what is new about known ones', async () => {
  const { workspace, next } = await open();
  await workspace.gift({ email: 'ada@example.com' }, { email: 'bob@example.com' }, { email: 'ada@example.com' });
  const types = (events: PulledEvent[]) => events.map(({ type }) => type);
  assert.deepEqual(types(await next()), ['member.added', 'member.added', 'order.completed']);
  await workspace.gift({ email: 'ada@example.com' });
  assert.deepEqual(types(await next()), ['order.completed'], 'being recognized is no change');
  await workspace.gift({ email: 'ada@example.com', firstName: 'Ada' });
  assert.deepEqual(types(await next()), ['member.changed', 'order.completed']);
});

test('a shoutout adds its receiver before it is given', async () => {
  const { workspace, next } = await open();
  assert.equal((await workspace.give(aShoutout())).status, 201);
  const [added, given, ...more] = await next();
  assert.deepEqual([added?.type, given?.type, more], ['member.added', 'shoutout.given', []]);
  assert.equal(given?.data.receiverId, added?.data.id);
  assert.equal((await workspace.give(aShoutout())).status, 201);
  assert.deepEqual(
    (await next()).map(({ type }) => type),
    ['shoutout.given'],
  );
});

test('a token of its own member has no event', async () => {
  const { workspace, said } = await open();
  await service.addToken({ workspaces: [workspace.id] });
  assert.deepEqual(await said(), []);
});

test('merge and split on the command line', async () => {
  const { workspace, scim, cli, said } = await open();
  const { id: kept } = await scim.addUser(ada);
  const { id: gone } = await scim.addUser({ userName: 'old@example.com', [enterprise]: { employeeNumber: '7' } });
  const { id: report } = await scim.addUser({ userName: 'r@example.com', [enterprise]: { manager: { value: gone } } });
  await said();
  await cli('members', 'merge', `id:${gone}`, `id:${kept}`);
  assert.deepEqual(await said(), [
    `member.merged ${gone} into ${kept}`,
    `member.changed ${kept}`,
    `member.changed ${report}`,
  ]);
  const { new: added } = await cli('members', 'split', `id:${kept}`, '--move', 'employeeNumber', '--first-name', 'Eve');
  assert.deepEqual(await said(), [
    `member.left ${kept}`,
    `member.changed ${kept}`,
    `member.added ${added.id}`,
    `member.changed ${report}`,
  ]);
  assert.equal(workspace.id, scim.workspaceId);
});

test('a merge that fills no field changes only the record that is given up', async () => {
  const people = [{ email: 'a@example.com' }, { email: 'b@example.com' }];
  const workspace = await openWorkspace(service, { people });
  const { said } = followEvents(workspace);
  const [one, two] = workspace.memberIds as [number, number];
  await workspace.gift({ email: 'b@example.com' });
  await said();
  await workspace.merge(two, one);
  assert.deepEqual(await said(), [`member.merged ${two} into ${one}`]);
});

test('a change that is rolled back takes its events along, and one that is undone has none', async () => {
  const { workspace, said } = await open();
  const [id = 0] = await inWorkspace(database, workspace.id, (tx) =>
    addMembers(tx, workspace.id, [{ email: 'a@b.c' }]),
  );
  await said();
  const failing = inWorkspace(database, workspace.id, async (tx) => {
    await updateMembers(tx, workspace.id, [{ id, active: false }]);
    await appendMemberEvents(tx, workspace.id);
    await addMembers(tx, workspace.id, [{ email: 'A@B.C' }]);
  });
  await assert.rejects(failing, /duplicate key/);
  assert.deepEqual(await said(), []);
  await inWorkspace(database, workspace.id, async (tx) => {
    await updateMembers(tx, workspace.id, [{ id, active: false }]);
    await updateMembers(tx, workspace.id, [{ id, active: true }]);
  });
  assert.deepEqual(await said(), []);
});

test('nobody writes people without the lock of the workspace', async () => {
  const { workspaceId } = await connectScim(service);
  const unlocked = database.transaction((tx) => addMembers(tx, workspaceId, [{ email: 'a@b.c' }]));
  await assert.rejects(unlocked, /without its lock/);
  await assert.rejects(addMembers(database, workspaceId, [{ email: 'a@b.c' }]), /without its lock/);
  await database.query('delete from member_texts where workspace_id = $1', [workspaceId]);
  await database.query('delete from recognition_days where workspace_id = $1', [workspaceId]);
  await database.query('delete from members where workspace_id = $1 and not is_integration', [workspaceId]);
});

test('times do not go back when the clock does', async () => {
  const { workspace, next } = await open();
  const add = (email: string) => inWorkspace(database, workspace.id, (tx) => addMembers(tx, workspace.id, [{ email }]));
  await add('a@example.com');
  await database.query(`update event_counters set latest_at = latest_at + interval '1 hour' where workspace_id = $1`, [
    workspace.id,
  ]);
  await add('b@example.com');
  await add('c@example.com');
  const [first, second, third] = (await next()).map(({ timestamp }) => Date.parse(timestamp)) as number[];
  assert.deepEqual([(second as number) - (first as number), third], [3_600_000, second]);
});
