import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CoveragePage, FairnessPage, NotRecognizedPage } from '../../src/ground/contract/coverage.ts';
import type { Overview, Series } from '../../src/ground/contract/overview.ts';
import type { TeamActivityPage } from '../../src/ground/contract/report.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { aShoutout, openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();

type Name = 'maya' | 'liam' | 'noah' | 'olga';

/** Maya manages Liam, who manages Noah. Olga has no manager. They are added in a sequence. */
async function openCompany(names: readonly Name[] = ['maya', 'liam', 'noah', 'olga'], asksForApproval = false) {
  const people = names.map((name) => ({ email: `${name}@example.com`, department: 'Care' }));
  const workspace = await openWorkspace(service, { people, asksForApproval });
  const idOf = (name: Name) => workspace.memberIds[names.indexOf(name)] as number;
  const [maya, liam, noah] = [idOf('maya'), idOf('liam'), idOf('noah')];
  await workspace.change(liam, { managerId: maya });
  await workspace.change(noah, { managerId: liam });
  await workspace.gift({ email: 'noah@example.com' }, { email: 'olga@example.com' });
  await workspace.give(aShoutout({ recipient: { email: 'olga@example.com' } }));
  const manager = await signIn(service, { role: 'MANAGER', email: 'maya@example.com', workspace: workspace.id });
  const read = async <Body>(path: string) => {
    const { status, body } = await manager.call<Body>(`/api/v1/reports/${path}`);
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    return body;
  };
  return { workspace, manager, read, liam, noah };
}

test('a manager reads every report about their own direct and indirect reports alone', async () => {
  const { manager, read, liam, noah } = await openCompany();
  const { company, groups } = await read<CoveragePage>('coverage');
  assert.deepEqual([company.people, company.recognized, groups.length], [2, 1, 1]);
  assert.equal((await read<CoveragePage>('coverage?by=month')).groups.at(-1)?.people, 2);
  const { managers } = await read<FairnessPage>('fairness');
  assert.deepEqual(
    managers.map(({ people, recognized }) => [people, recognized]),
    [
      [1, 0],
      [1, 1],
    ],
  );
  const { members } = await read<NotRecognizedPage>('members/not-recognized');
  assert.deepEqual(
    members.map(({ member }) => member.id),
    [liam],
  );
  const { points } = await read<Series>('series?by=day');
  assert.deepEqual(points.at(-1)?.amounts, [{ currency: 'CAD', amount: 25 }]);
  const { current } = await read<Overview>('overview');
  assert.deepEqual([current.people, current.recognized, current.gifts, current.shoutouts], [2, 1, 1, 0]);
  const { activities, totalElements } = await read<TeamActivityPage>('teams/activity');
  assert.deepEqual([activities.map(({ receiver }) => receiver.id), totalElements], [[noah], 1]);
  const file = await manager.call('/api/v1/reports/teams/activity', { headers: { Accept: 'text/csv' } });
  assert.equal(file.status, 403);
});

test('a manager’s series has an end, because it counts every activity', async () => {
  const { workspace, manager, read } = await openCompany();
  assert.equal((await read<Series>('series?by=month')).by, 'month');
  const years = '/api/v1/reports/series?by=month&from=2020-01-01&to=2021-12-31';
  assert.match(refusal(await manager.call(years), 400), /from must be less than 400 days before `to` for a manager/);
  assert.equal((await workspace.read<Series>(years)).points.length, 24);
});

test('pages of team activity have what a manager’s reports received, also what waits and what merged records got', async () => {
  const { workspace, read, liam, noah } = await openCompany(undefined, true);
  await workspace.gift({ employeeNumber: 'old' }, { email: 'liam@example.com' }, { email: 'olga@example.com' });
  const waiting = { recipient: { email: 'noah@example.com' } };
  const given = [];
  for (let nth = 0; nth < 3; nth++) given.push((await workspace.given(aShoutout(waiting))) as { id: number });
  const listed = async (query = '') => {
    const { activities, totalElements } = await read<TeamActivityPage>(`teams/activity${query}`);
    return [totalElements, ...activities.map(({ receiver, type, status }) => `${receiver.id} ${type} ${status}`)];
  };
  const before = [`${liam} GIFT APPROVED`, `${noah} GIFT APPROVED`];
  const waits = `${noah} SHOUTOUT PENDING`;
  assert.deepEqual(await listed(), [5, waits, waits, waits, ...before]);
  await workspace.decide(given[2]?.id ?? 0, 'decline');
  await workspace.decide(given[0]?.id ?? 0, 'approve');
  assert.deepEqual(await listed(), [4, waits, `${noah} SHOUTOUT APPROVED`, ...before]);
  const [old = 0] = (await workspace.members('?search=old')).members.map(({ id }) => id);
  await workspace.merge(old, noah);
  assert.deepEqual(await listed('?page=1&size=2'), [5, before[0], before[1]]);
  assert.deepEqual(await listed('?page=2&size=2'), [5, before[1]]);
  await workspace.change(noah, { managerId: null });
  assert.deepEqual(await listed(), [1, before[0]]);
});

test('a manager sees indirect reports whose record is older than the manager', async () => {
  const { read, liam } = await openCompany(['noah', 'liam', 'maya', 'olga']);
  const { company } = await read<CoveragePage>('coverage');
  assert.deepEqual([company.people, company.recognized], [2, 1]);
  assert.equal((await read<CoveragePage>('coverage?by=month')).groups.at(-1)?.people, 2);
  assert.equal((await read<FairnessPage>('fairness')).company.people, 2);
  const { members } = await read<NotRecognizedPage>('members/not-recognized');
  assert.deepEqual(
    members.map(({ member }) => member.id),
    [liam],
  );
  const { current } = await read<Overview>('overview');
  assert.deepEqual([current.people, current.recognized, current.gifts], [2, 1, 1]);
});
