import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReportOf } from '../../src/company/directory/reporting-line.ts';
import { addMembers, updateMembers } from '../../src/company/directory/save.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { createTestDatabase } from '../support/database.ts';
import { createGrant } from '../support/grant.ts';

const database = await createTestDatabase();
const { workspaceId } = await createGrant(database);
const [ceo = 0, lead = 0, other = 0, engineer = 0, intern = 0] = await inWorkspace(database, workspaceId, (tx) =>
  addMembers(
    tx,
    workspaceId,
    ['Ceo', 'Lead', 'Other', 'Engineer', 'Intern'].map((firstName) => ({ firstName })),
  ),
);

const manages = (pairs: [number, number][]) =>
  inWorkspace(database, workspaceId, (tx) =>
    updateMembers(
      tx,
      workspaceId,
      pairs.map(([managerId, id]) => ({ id, managerId })),
    ),
  );

async function seenBy(manager: number | null): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    `select m.id
       from members m
      where m.workspace_id = $1 and not m.is_integration and ${isReportOf('$1', '$2', 'm.id')}
      order by m.id`,
    [workspaceId, manager],
  );
  return rows.map(({ id }) => id);
}

test('a manager sees direct and indirect reports, and nobody else', async () => {
  await manages([
    [ceo, lead],
    [ceo, other],
    [lead, engineer],
    [engineer, intern],
  ]);
  assert.deepEqual(await seenBy(lead), [engineer, intern]);
  assert.deepEqual(await seenBy(ceo), [lead, other, engineer, intern]);
  assert.deepEqual(await seenBy(intern), []);
});

test('without a manager everybody is seen', async () => {
  assert.deepEqual(await seenBy(null), [ceo, lead, other, engineer, intern]);
});

test('people who manage each other in a loop count as people without a manager', async () => {
  await database.query('update members set manager_id = $2 where id = $1', [lead, engineer]);
  assert.deepEqual(await seenBy(lead), []);
  assert.deepEqual(await seenBy(engineer), [intern]);
  assert.deepEqual(await seenBy(ceo), [other]);
});
