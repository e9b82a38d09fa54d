import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { addMembers } from '../../src/company/directory/save.ts';
import { exportMembers } from '../../src/company/import/export.ts';
import { importMembers } from '../../src/company/import/import.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { csvText, plainCell } from '../../src/ground/values/csv.ts';
import fc from '../support/fast-check.ts';
import { runs } from '../support/runs.ts';
import { startService } from '../support/service.ts';
import { aShoutout, openWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

const cells = [
  '=1+1',
  ';=1+1',
  'a;=1+1',
  'a; =1+1',
  'a;"=1+1"',
  "a;'=1+1",
  '\t=1',
  'a\t=1',
  'a|=1',
  '"=1"',
  '" =1',
  'a\n=1',
  'a\r\n-1',
  'a\r@SUM(1)',
  '＝1+1',
  'a;＋1',
  'a; b',
  'a;b=c',
  'name@example.com',
];

/** What a spreadsheet would run: a formula sign, also after spaces. */
const formula = /^[\s\u00a0]*[=+\-@＝＋－＠]/;

/**
 * What a program takes for cells if its separator is this one, in the two ways in which programs read a quote that is not
 * at the beginning of a cell: as a sign like any other, or not at all.
 */
function cellsOf(text: string, separator: string): string[] {
  const pieces = text.split(/[\r\n]/).flatMap((line) => line.split(separator));
  return pieces.flatMap((piece) => [piece, piece.replace(/^["\s]+/, '')]);
}

function assertHarmless(text: string): void {
  for (const row of parse(text) as string[][])
    for (const cell of row) assert.doesNotMatch(cell, formula, JSON.stringify(text));
  for (const separator of [';', '\t', '|'])
    for (const cell of cellsOf(text, separator))
      assert.doesNotMatch(cell, formula, JSON.stringify({ separator, text }));
}

/** Texts in the first column, which every program sees as quoted, and in others. */
const rowsWith = (texts: readonly string[]) => texts.map((text) => [text, 'a', text, text]);

test('no cell is a formula under any separator, and each unescapes to the original', () => {
  const nasty = fc.string({ unit: fc.constantFrom(...`;|\t\r\n"' \u00a0=+-@＝a,`), maxLength: 12 });
  fc.assert(
    fc.property(fc.array(nasty, { minLength: 1, maxLength: 4 }), (texts) => {
      const text = csvText(rowsWith([...texts, ...cells]));
      assertHarmless(text);
      const read = (parse(text, { relax_column_count: true }) as string[][]).map((row) => row.map(plainCell));
      assert.deepEqual(read, rowsWith([...texts, ...cells]));
    }),
    { numRuns: runs(500) },
  );
});

test('reports and exports have no formulas under any separator, and an import restores the original texts', async () => {
  const stored = cells.map((text) => text.trim());
  const people = stored.map((text, nth) => ({ employeeNumber: `n${nth}`, firstName: text, department: text }));
  const workspace = await openWorkspace(service, { people });
  for (const [nth, message] of stored.entries())
    await workspace.given(aShoutout({ message, recipient: { employeeNumber: `n${nth}` } }));
  for (const path of ['/api/v1/reports/teams/activity', '/api/v1/reports/members/last-recognized']) {
    const { body } = await workspace.call<string>(path, { headers: { Accept: 'text/csv' } });
    assertHarmless(body);
    const read = (parse(body) as string[][]).flat().map(plainCell);
    for (const text of stored) assert.ok(read.includes(text), JSON.stringify(text));
  }

  let text = '';
  await exportMembers(database, { workspaceId: workspace.id, includeInactive: true }, async (part) => {
    text += part;
  });
  assertHarmless(text);
  const other = await service.addWorkspace();
  const { added } = await importMembers(database, bytesOf(text), {
    workspaceId: other,
    actor: theService,
    writeRejected: async (rejected) => assert.fail(rejected),
  });
  assert.equal(added, stored.length);
  const rows = await database.query<{ firstName: string; department: string }>(
    `select first_name as "firstName", department from members
      where workspace_id = $1 and employee_number is not null order by substr(employee_number, 2)::int`,
    [other],
  );
  assert.deepEqual(
    rows,
    stored.map((cell) => ({ firstName: cell, department: cell })),
  );
});

test('rejected rows have no formulas, and can be corrected and imported', async () => {
  const workspaceId = await service.addWorkspace();
  await inWorkspace(database, workspaceId, (tx) => addMembers(tx, workspaceId, [{ employeeNumber: '1' }]));
  const header = ['email', 'firstName', 'department'];
  const rows = cells.map((text) => ['no address', text.trim(), text.trim()]);
  let rejected = '';
  await importMembers(database, bytesOf(csvText([header, ...rows])), {
    workspaceId,
    actor: theService,
    writeRejected: async (part) => {
      rejected += part;
    },
  });
  assertHarmless(rejected);
  const read = (parse(rejected) as string[][]).slice(1).map((row) => row.slice(2).map(plainCell));
  assert.deepEqual(read, rows);
});

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}
