import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importAll } from '../support/imports.ts';
import { startService } from '../support/service.ts';
import { openUndos } from '../support/undo.ts';

const service = await startService();
const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, nth) => `p${from + nth}@example.com\n`).join('');

test('an import of 10,000 people is undone, and one of more people is not kept', async () => {
  const workspace = await openUndos(service);
  await importAll(service.database, workspace.id, `email\n${rows(0, 10_001)}`);
  assert.deepEqual(await workspace.list(), []);
  await importAll(service.database, workspace.id, `email\n${rows(20_000, 30_000)}`);
  const [change] = await workspace.list();
  assert.equal(change?.counts?.added, 10_000);
  assert.equal((await workspace.undo(change?.id as string)).status, 200);
  const [{ people = 0 } = {}] = await service.database.query<{ people: number }>(
    'select count(*) as people from members where workspace_id = $1 and not is_integration',
    [workspace.id],
  );
  assert.equal(people, 10_001);
});
