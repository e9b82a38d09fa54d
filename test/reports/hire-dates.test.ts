import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readToday } from '../../src/company/workspaces/days.ts';
import type { CoveragePage, NotRecognizedPage } from '../../src/ground/contract/coverage.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();

test('a person counts in our own reports from their first day on', async () => {
  const people = ['here', 'new', 'old'].map((name) => ({ email: `${name}@example.com`, department: 'Care' }));
  const workspace = await openWorkspace(service, { people });
  const [here = 0, fresh = 0, old = 0] = workspace.memberIds;
  const today = await readToday(service.database, workspace.id);
  const day = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
  const read = async (asOf: string) => {
    const listed = await workspace.read<NotRecognizedPage>(
      `/api/v1/reports/members/not-recognized?never=true&asOf=${asOf}&size=100`,
    );
    const { groups } = await workspace.read<CoveragePage>(`/api/v1/reports/coverage?by=department&asOf=${asOf}`);
    return [
      listed.members.map(({ member }) => member.id).filter((id) => workspace.memberIds.includes(id)),
      groups.find(({ name }) => name === 'Care')?.people,
    ];
  };
  assert.deepEqual(await read(today), [[here, fresh, old], 3]);
  await workspace.change(fresh, { hireDate: day(10) });
  await workspace.change(old, { hireDate: '2020-01-01' });
  assert.deepEqual(await read(today), [[here, old], 2]);
  assert.deepEqual(await read(day(9)), [[here, old], 2]);
  assert.deepEqual(await read(day(10)), [[here, fresh, old], 3]);
  // The reports of the interface stay as they are.
  const { totalElements } = await workspace.lastRecognized('?neverRecognized=true');
  assert.equal(totalElements, 3);
  await workspace.change(fresh, { hireDate: day(0) });
  assert.deepEqual(await read(today), [[here, fresh, old], 3]);
});
