import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statusMap, valueMap } from '../../src/doors/cli/import-arguments.ts';
import { isNone, isPlaceholder } from '../../src/ground/sheets/cells.ts';
import { openImports, pick } from '../support/imports.ts';
import { startService } from '../support/service.ts';

const service = await startService();

const people = (header: string, ...values: string[]) =>
  `email,${header}\n${values.map((value, nth) => `p${nth}@example.com,${value}`).join('\n')}\n`;

test('a column that seems to say who has left is asked about before anyone becomes active', async () => {
  const files: [string, string][] = [
    ['Lifecycle phase', people('Lifecycle phase', 'Here', 'Gone')],
    ['Worker Stat', people('Worker Stat', 'K', 'Z')],
    ['Phase', people('Phase', 'Active', 'Terminated - voluntary', '')],
    ['Phase', people('Phase', 'Active', 'Gone', 'Active')],
    ['Situation', people('Situation', 'En poste', 'Sorti')],
    ['Termination reason', people('Termination reason', '', 'Better offer')],
    ['Phase', people('Employment status,Phase', 'Full-time,Active', 'Full-time,Terminated')],
    ['Employee status', people('Status,Employee status', 'Full-time,Active', 'Full-time,Terminated')],
  ];
  for (const [header, file] of files) {
    const { take, list } = await openImports(service);
    const dry = await take(file, { isDryRun: true });
    assert.deepEqual(
      dry.openColumns.map((one) => one.header),
      [header],
    );
    await assert.rejects(take(file), new RegExp(`"${header}".*seems to say who has left.*--map "${header}=status"`));
    assert.deepEqual(await list(), []);
    const ignored = await take(file, { headers: new Map([[header, null]]) });
    assert.deepEqual([ignored.openColumns, ignored.added > 0], [[], true], header);
  }
});

test('a column that is mapped to status says who has left', async () => {
  const { take, list } = await openImports(service);
  const file = people('Phase', 'Active', 'Gone', 'Z');
  const headers = new Map([['Phase', 'status' as const]]);
  const unknown = await take(file, { headers, isDryRun: true });
  assert.deepEqual(unknown.unknownStatuses, [
    { field: 'status', text: 'Gone', rows: 1 },
    { field: 'status', text: 'Z', rows: 1 },
  ]);
  await take(file, { headers, statuses: statusMap('Gone=left,z=active') });
  assert.deepEqual(pick(await list(), 'active').flat(), [true, false, true]);
});

test('no question is asked where the file says who has left, or a column is about something else', async () => {
  for (const file of [
    people('Status,Visa status,Phase', 'Active,Pending,Active', 'Terminated,None,Terminated'),
    people('Marital status', 'Single', 'Married'),
    people('Employment type', 'Full-time', 'Contractor'),
    people('Termination date,Termination reason', '2020-01-01,Better offer', ','),
    people('Manager status', 'Active', 'Terminated'),
    people('Notes', 'Active', 'Came back from leave'),
  ])
    assert.deepEqual((await (await openImports(service)).take(file)).openColumns, [], file);
});

test('a placeholder is an empty cell: it is not stored, replaces nothing, and the import says so', async () => {
  const header = 'email,employeeNumber,firstName,department,location,team,manager\n';
  const file = `${header}a@example.com,1,Ada,Research,York,Blue,b@example.com\nb@example.com,2,Bo,Sales,,,\n`;
  const { take, list } = await openImports(service, file);
  const before = await list();
  const placeholders = ['-', '–', '#N/A', '#REF!', 'NULL', 'n/a', 'unknown', 'TBD'];
  for (const text of placeholders) {
    const cells = (email: string) => `${email},${Array(6).fill(text).join(',')}\n`;
    const outcome = await take(`${header}${cells('a@example.com')}${cells('')}`);
    assert.deepEqual(outcome.counts, [0, 0, 1, 1], text);
    assert.match(outcome.reasons[0] ?? '', /neither an email nor an employeeNumber/);
    const fields = outcome.placeholders.filter((one) => one.text === text).map(({ field }) => field);
    assert.deepEqual(fields.sort(), ['department', 'employeeNumber', 'firstName', 'location', 'manager', 'team']);
  }
  assert.deepEqual(await list(), before);
});

test('a placeholder that is a value can be said to be one', async () => {
  const { take, list } = await openImports(service);
  const { placeholders } = await take('email,department\na@example.com,TBD\n', {
    values: valueMap('department:tbd=TBD'),
  });
  assert.deepEqual([placeholders, pick(await list(), 'department').flat()], [[], ['TBD']]);
});

test('a placeholder never makes a person active: as a status it is not understood', async () => {
  const { take, list } = await openImports(service, 'email,active\na@example.com,false\n');
  for (const text of ['-', '#REF!', 'unknown'])
    assert.match((await take(`email,Status\na@example.com,${text}\n`)).reasons[0] ?? '', /is not understood/);
  for (const text of ['unknown', '#REF!', 'TBD'])
    assert.match((await take(`email,Leaving date\na@example.com,${text}\n`)).reasons[0] ?? '', /is not understood/);
  assert.deepEqual(pick(await list(), 'active').flat(), [false]);
  await take('email,Leaving date\na@example.com,-\n');
  assert.deepEqual(pick(await list(), 'active').flat(), [true], 'a dash is an empty leaving date');
});

test('words that begin as placeholders do are no placeholders', () => {
  for (const text of ['Null', 'Nilsson', 'Nonella', 'Unknown Pleasures', '-5', 'N', 'Task', 'a-b', '#1', 'St. Ives'])
    assert.equal(isPlaceholder(text), false, text);
  for (const text of ['—', '...', 'N/A', 'à définir', '#¡REF!', 'K.A.', 'Desconocido', 's/o', 'inconnu', 'por definir'])
    assert.equal(isPlaceholder(text), true, text);
  assert.deepEqual(['-', 'n/a', '#N/A', 'unknown', '#REF!'].map(isNone), [true, true, true, false, false]);
});
