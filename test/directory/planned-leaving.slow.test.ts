import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyPlannedLeaving } from '../../src/company/directory/planned-leaving.ts';
import { advanceClock } from '../../src/company/workspaces/clock.ts';
import { readToday } from '../../src/company/workspaces/days.ts';
import type { Member } from '../../src/ground/contract/member.ts';
import type { Overview } from '../../src/ground/contract/overview.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { cleanUp } from '../support/cleanup.ts';
import { followEvents } from '../support/events.ts';
import { importAll } from '../support/imports.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { addUser, signIn } from '../support/sign-in.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

// The job is run by the tests alone.
const service = await startService({ role: 'api' });
const { database } = service;
const dayMs = 86_400_000;

/** A workspace whose time passes in days, with three people. */
async function openCompany(timeZone = 'UTC') {
  const people = ['ada', 'li', 'mo'].map((name) => ({ email: `${name}@example.com`, firstName: name }));
  const workspace = await openWorkspace(service, { people });
  await workspace.call('/api/v1/settings', { method: 'PATCH', body: { timeZone } });
  const today = () => readToday(database, workspace.id);
  return {
    ...workspace,
    ids: workspace.memberIds as [number, number, number],
    today,
    /** The day after some days, in the workspace. */
    after: async (days: number) => new Date(Date.parse(await today()) + days * dayMs).toISOString().slice(0, 10),
    pass: (days: number) => database.transaction((tx) => advanceClock(tx, workspace.id, (days * dayMs) / 1_000)),
    member: (id: number) => workspace.read<Member>(`/api/v1/members/${id}`),
    patch: (id: number, body: object) => workspace.call<Member>(`/api/v1/members/${id}`, { method: 'PATCH', body }),
    leave: (id: number, leftOn: string) =>
      workspace.call<Member>(`/api/v1/members/${id}/leave`, { method: 'POST', body: { leftOn } }),
  };
}

const standing = ({ active, leavesOn, leftOn }: Member) => [active, leavesOn, leftOn];

test('a person with a last day in the future is here until it has ended, and has left then', async () => {
  const { ids, after, pass, patch, leave, member, call, id: workspaceId } = await openCompany();
  const [ada, li] = ids;
  const [soon, later] = [await after(1), await after(3)];
  assert.deepEqual(standing((await patch(ada, { leavesOn: soon })).body), [true, soon, null]);
  assert.deepEqual(standing((await leave(li, later)).body), [true, later, null]);
  await applyPlannedLeaving(database);
  await pass(1);
  await applyPlannedLeaving(database);
  assert.deepEqual(standing(await member(ada)), [true, soon, null], 'the last day itself');
  const { said } = followEvents({ call, id: workspaceId } as Parameters<typeof followEvents>[0]);
  await said();
  await pass(1);
  await applyPlannedLeaving(database);
  assert.deepEqual(standing(await member(ada)), [false, null, soon]);
  assert.deepEqual(standing(await member(li)), [true, later, null]);
  assert.deepEqual(await said(), [`member.left ${ada}`]);
  const order = {
    currency: 'CAD',
    orderItems: [{ message: 'Hi', amount: 5, recipient: { email: 'ada@example.com' } }],
  };
  refusal(await call('/api/v1/orders', { method: 'POST', body: order }), 400);
  const entries = await database.query<{ actor: string; name: string }>(
    `select actor, subject_name as name from audit_log where workspace_id = $1 and action = 'member.left'`,
    [workspaceId],
  );
  assert.deepEqual(
    entries.map(({ actor, name }) => [actor, name]),
    [['SYSTEM', 'ada']],
  );
  await pass(100);
  await applyPlannedLeaving(database);
  assert.deepEqual(standing(await member(li)), [false, null, later], 'days that no node ran');
  const back = await call<Member>(`/api/v1/members/${li}/return`, { method: 'POST', body: {} });
  assert.deepEqual(standing(back.body), [true, null, null]);
});

test('a last day that is changed or withdrawn before it has ended does not count', async () => {
  const { ids, after, pass, patch, call, member } = await openCompany();
  const [ada, li, mo] = ids;
  const [soon, later] = [await after(1), await after(9)];
  for (const id of ids) await patch(id, { leavesOn: soon });
  await patch(ada, { leavesOn: null });
  await patch(li, { leavesOn: later });
  await call(`/api/v1/members/${mo}/return`, { method: 'POST', body: {} });
  await pass(3);
  await applyPlannedLeaving(database);
  for (const [id, leavesOn] of [
    [ada, null],
    [li, later],
    [mo, null],
  ] as const)
    assert.deepEqual(standing(await member(id)), [true, leavesOn, null]);
});

test('a last day ends where the workspace is', async () => {
  for (const [zone, other] of [
    ['Pacific/Kiritimati', 'Pacific/Pago_Pago'],
    ['Pacific/Pago_Pago', 'Pacific/Kiritimati'],
  ]) {
    const { ids, today, patch, call, member, pass } = await openCompany(zone);
    // Noon in UTC is in the first hours of a day on both islands, and that is another day than in UTC on one of them.
    await pass(1.5 - (Date.now() % dayMs) / dayMs);
    const leavesOn = await today();
    await patch(ids[0], { leavesOn });
    await applyPlannedLeaving(database);
    assert.equal((await member(ids[0])).active, true, zone);
    // The islands are 25 hours apart: it is another day there at any time.
    await call('/api/v1/settings', { method: 'PATCH', body: { timeZone: other } });
    await applyPlannedLeaving(database);
    assert.equal((await member(ids[0])).active, zone === 'Pacific/Kiritimati', other);
  }
});

test('on several nodes at once each person leaves once, and a killed job is done by the next one', async () => {
  const workspace = await openCompany();
  const { id, after, pass, addPeople } = workspace;
  const leavesOn = await after(0);
  const people = Array.from({ length: 1_200 }, (_, nth) => ({ employeeNumber: `n${nth}`, leavesOn }));
  await addPeople(people);
  await pass(1);
  // A job that has begun and holds the lock when its node is killed.
  const killed = await database.pool.connect();
  await killed.query('begin');
  await killed.query(`update members set left_at = now() where workspace_id = $1 and employee_number = 'n0'`, [id]);
  killed.release(new Error('killed'));
  const nodes = [1, 2, 3].map(() =>
    openDatabase({ url: database.url, name: 'node', maxConnections: 2, statementTimeoutMs: 30_000, byKey: true }),
  );
  cleanUp(async () => {
    await Promise.all(nodes.map((node) => node.close()));
  });
  const counts = await Promise.all(nodes.map((node) => applyPlannedLeaving(node)));
  assert.equal(
    counts.reduce((all, one) => all + one, 0),
    people.length,
  );
  const [found] = await database.query<{ left: number; events: number; entries: number }>(
    `select (select count(*) from members where workspace_id = $1 and left_on = $2::date and leaves_on is null) as left,
            (select count(*) from events where workspace_id = $1 and type = 'member.left') as events,
            (select count(*) from audit_log where workspace_id = $1 and action = 'member.left') as entries`,
    [id, leavesOn],
  );
  assert.deepEqual({ ...found }, { left: people.length, events: people.length, entries: people.length });
});

test('the last owner stays after their last day, and doctor says so until another owner is there', async () => {
  const { id, ids, after, pass, patch, member } = await openCompany();
  await addUser(service, { workspace: id, email: 'ada@example.com' });
  const leavesOn = await after(0);
  for (const one of ids) await patch(one, { leavesOn });
  await pass(1);
  await applyPlannedLeaving(database);
  await applyPlannedLeaving(database);
  const here = await Promise.all(ids.map(async (one) => (await member(one)).active));
  assert.deepEqual(here, [true, false, false]);
  const { code, stdout } = await giftwire(['doctor'], { DATABASE_URL: database.url });
  assert.equal(code, 26);
  assert.match(
    stdout,
    new RegExp(`owners +the last day of the only owner has ended.*ada \\(member ${ids[0]}\\).*${leavesOn}`),
  );
  await addUser(service, { workspace: id, email: 'other@example.com' });
  await applyPlannedLeaving(database);
  assert.equal((await member(ids[0])).active, false);
  assert.doesNotMatch((await giftwire(['doctor'], { DATABASE_URL: database.url })).stdout, /the only owner/);
});

test('the overview says after which day no owner stays, and managers do not see it', async () => {
  const { id, ids, after, pass, patch, read, call } = await openCompany();
  const lastDay = async () => (await read<Overview>('/api/v1/reports/overview')).attention.lastOwnerLeavesOn;
  const [ada, li] = ids;
  assert.equal(await lastDay(), null, 'no owner');
  await addUser(service, { workspace: id, email: 'ada@example.com' });
  await addUser(service, { workspace: id, email: 'li@example.com' });
  const [soon, later] = [await after(1), await after(3)];
  await patch(ada, { leavesOn: later });
  assert.equal(await lastDay(), null, 'another owner stays');
  await patch(li, { leavesOn: soon });
  assert.equal(await lastDay(), later);
  const manager = await signIn(service, { role: 'MANAGER', email: 'mo@example.com', workspace: id });
  const { body } = await manager.call<Overview>('/api/v1/reports/overview');
  assert.equal(body.attention.lastOwnerLeavesOn, null, 'a manager');
  await pass(5);
  await applyPlannedLeaving(database);
  assert.equal(await lastDay(), later, 'the last one stays after the day');
  await call(`/api/v1/members/${li}/return`, { method: 'POST', body: {} });
  assert.equal(await lastDay(), null);
  await applyPlannedLeaving(database);
  assert.equal(await lastDay(), null);
});

test('a last day is today or later, and only of a person who has not left', async () => {
  const { ids, after, patch, leave, call } = await openCompany();
  assert.match(refusal(await patch(ids[0], { leavesOn: await after(-1) }), 400), /leavesOn must be today or later/);
  await leave(ids[0], await after(0));
  assert.match(refusal(await patch(ids[0], { leavesOn: await after(1) }), 400), /people who have not left/);
  const body = { email: 'new@example.com', hireDate: await after(7), leavesOn: await after(30) };
  const added = await call<Member>('/api/v1/members', { method: 'POST', body });
  assert.deepEqual([added.body.hireDate, added.body.leavesOn], [body.hireDate, body.leavesOn]);
});

test('a file says the last day, an export has it, and an empty cell withdraws it', async () => {
  const { id, ids, after, member, patch } = await openCompany();
  const [ada, li, mo] = ids;
  const soon = await after(5);
  await patch(mo, { leavesOn: soon });
  const file = `email,status,Termination Date,Hire Date\nada@example.com,Active,${soon},2026-01-31\nli@example.com,,${soon},\nmo@example.com,Active,,\n`;
  const first = await importAll(database, id, file);
  assert.deepEqual([first.changed, first.unchanged], [3, 0]);
  assert.deepEqual(standing(await member(ada)), [true, soon, null]);
  assert.equal((await member(ada)).hireDate, '2026-01-31');
  assert.deepEqual(standing(await member(li)), [true, soon, null]);
  assert.deepEqual(standing(await member(mo)), [true, null, null]);
  assert.equal((await importAll(database, id, file)).unchanged, 3);
  // A file without the column changes no last day.
  await importAll(database, id, 'email,status\nada@example.com,Active\n');
  assert.deepEqual(standing(await member(ada)), [true, soon, null]);
  // An old date of a person who has returned is no last day.
  await importAll(database, id, 'email,status,leavingDate\nada@example.com,Active,2020-01-01\n');
  assert.deepEqual(standing(await member(ada)), [true, null, null]);
});

test('a merge keeps the last day of a person who has not left', async () => {
  const { ids, after, patch, leave, member, merge } = await openCompany();
  const [ada, li, mo] = ids;
  const soon = await after(5);
  await patch(ada, { leavesOn: soon });
  await merge(ada, li);
  assert.deepEqual(standing(await member(li)), [true, soon, null]);
  await leave(mo, await after(0));
  await merge(li, mo);
  assert.equal((await member(mo)).leavesOn, null);
});
