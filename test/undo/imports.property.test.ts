import assert from 'node:assert/strict';
import { test } from 'node:test';
import { updateMembers } from '../../src/company/directory/save.ts';
import { importMembers } from '../../src/company/import/import.ts';
import { undoChange } from '../../src/company/undo/undo.ts';
import { atTheCommandLine, theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { undoKinds } from '../../src/undos.ts';
import fc from '../support/fast-check.ts';
import { inOnePiece } from '../support/imports.ts';
import { runs } from '../support/runs.ts';
import { startService } from '../support/service.ts';
import { rowsOf } from '../support/undo.ts';

const service = await startService();
const { database } = service;

const oneOf = (...texts: string[]) => fc.constantFrom(...texts);
const email = fc.integer({ min: 0, max: 9 }).map((nth) => `p${nth}@example.com`);
const cells = fc.record({
  employeeNumber: fc.integer({ min: 0, max: 7 }).map(String),
  email: fc.option(email, { nil: '' }),
  firstName: oneOf('Ada', 'Ben', 'Çelik', ''),
  preferredName: oneOf('', 'Addie'),
  department: oneOf('', 'Lab', 'Shop'),
  manager: fc.oneof(fc.constant(''), email, fc.integer({ min: 0, max: 7 }).map(String)),
  team: oneOf('', 'Red', 'Blue', 'Green'),
  birthday: oneOf('', '03-31'),
  status: oneOf('active', 'active', 'left'),
});
const columns = [
  'employeeNumber',
  'email',
  'firstName',
  'preferredName',
  'department',
  'manager',
  'team',
  'birthday',
  'status',
] as const;
const file = fc
  .uniqueArray(cells, { selector: ({ employeeNumber }) => employeeNumber, minLength: 1, maxLength: 8 })
  .map((rows) => [columns.join(','), ...rows.map((row) => columns.map((column) => row[column]).join(','))].join('\n'));

/** Imports in batches of a few rows, so that a person is in several of them. */
async function take(workspaceId: number, text: string, batchRows: number) {
  await importMembers(database, inOnePiece(text), {
    workspaceId,
    actor: theService,
    batchRows,
    allowedLeavers: 100,
    writeRejected: async () => {},
  });
  const [latest] = await database.query<{ id: string }>(
    'select id from undos where workspace_id = $1 and ready_at is not null and undone_at is null order by at desc limit 1',
    [workspaceId],
  );
  return latest?.id ?? null;
}

const undo = (workspaceId: number, id: string) =>
  undoChange(database, undoKinds, { workspaceId, id, actor: atTheCommandLine, allows: () => true });

const touched = (workspaceId: number, id: string) =>
  database.query<{ id: number }>(
    'select member_id as id from undo_members where workspace_id = $1 and undo_id = $2 order by 1',
    [workspaceId, id],
  );

test('undoing an import gives back what was; after a change of one of its people it does nothing', () =>
  fc.assert(
    fc.asyncProperty(
      file,
      fc.array(file, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(1, 2, 5, 100),
      fc.nat(20),
      async (base, files, batchRows, nth) => {
        const workspaceId = await service.addWorkspace();
        const known = new Set([await take(workspaceId, base, 100)]);
        const states: { id: string; before: unknown }[] = [];
        for (const text of files) {
          const before = await rowsOf(service, workspaceId);
          const id = await take(workspaceId, text, batchRows);
          if (id !== null && !known.has(id)) states.push({ id, before });
          else assert.deepEqual(await rowsOf(service, workspaceId), before);
          known.add(id);
        }
        const last = states.pop();
        if (last === undefined) return;
        const people = await touched(workspaceId, last.id);
        const chosen = people[nth % people.length] as { id: number };
        const set = (phone: string | null) =>
          inWorkspace(database, workspaceId, (tx) => updateMembers(tx, workspaceId, [{ id: chosen.id, phone }]));
        await set('+1 555');
        const changed = await rowsOf(service, workspaceId);
        await assert.rejects(undo(workspaceId, last.id), { kind: 'conflict' });
        assert.deepEqual(await rowsOf(service, workspaceId), changed);
        await set(null);
        for (const { id, before } of [last, ...states.reverse()]) {
          await undo(workspaceId, id);
          assert.deepEqual(await rowsOf(service, workspaceId), before);
        }
      },
    ),
    { numRuns: runs(25) },
  ));
