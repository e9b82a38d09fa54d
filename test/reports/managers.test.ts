import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CoveragePage, FairnessPage, NotRecognizedPage } from '../../src/contract/coverage.ts';
import type { Overview, Series } from '../../src/contract/overview.ts';
import type { TeamActivityPage } from '../../src/contract/report.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';
import { aShoutout, openWorkspace } from '../support/workspace.ts';

const service = await startService();

type Name = 'maya' | 'liam' | 'noah' | 'olga';

/** Maya manages Liam, who manages Noah. Olga has no manager. They are added in a sequence. */
async function openCompany(names: readonly Name[] = ['maya', 'liam', 'noah', 'olga']) {
  const people = names.map((name) => ({ email: `${name}@example.com`, department: 'Care' }));
  const workspace = await openWorkspace(service, { people });
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
