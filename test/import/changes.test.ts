import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeMembers } from '../../src/company/directory/merge.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { openImports, pick } from '../support/imports.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;

test('a row with a changed e-mail address updates the same person, and so does an announced change of employee number', async () => {
  const { take, list } = await openImports(service, 'email,employeeNumber\na@example.com,1\nb@example.com,2\n');
  const ids = pick(await list(), 'id');
  const file = 'email,employeeNumber\nA2@example.com,1\nB@example.com,3\n';
  const { counts } = await take(file, { renumbering: new Set(['b@example.com']) });
  assert.deepEqual(counts, [0, 2, 0, 0]);
  assert.deepEqual(pick(await list(), 'id'), ids);
  assert.deepEqual(pick(await list(), 'email', 'number'), [
    ['A2@example.com', '1'],
    ['B@example.com', '3'],
  ]);
});

test('an address or number that one row gives up can be taken by another row, in a dry run too', async () => {
  const { take, list } = await openImports(service, 'email,employeeNumber\na@example.com,1\nb@example.com,2\n');
  const file = 'email,employeeNumber\nz@example.com,1\na@example.com,2\nb@example.com,3\n';
  assert.deepEqual((await take(file, { isDryRun: true })).counts, [1, 2, 0, 0]);
  assert.deepEqual((await take(file)).counts, [1, 2, 0, 0]);
  assert.deepEqual(pick(await list(), 'email', 'number'), [
    ['z@example.com', '1'],
    ['a@example.com', '2'],
    ['b@example.com', '3'],
  ]);
  assert.deepEqual((await take(file)).counts, [0, 0, 3, 0]);
});

test('an empty cell clears a field, a missing column or cell keeps it, and nobody loses both address and number', async () => {
  const { take, list } = await openImports(
    service,
    'email,employeeNumber,firstName,department,team,manager\nboss@example.com,9,Bo,,,\na@example.com,1,Ada,Lab,Blue,9\n',
  );
  await take('email,firstName\na@example.com,Eve\n');
  await take('email,firstName,department\na@example.com\n');
  assert.deepEqual(pick((await list()).slice(1), 'number', 'name', 'department', 'team', 'manager'), [
    ['1', 'Eve/', 'Lab', 'Blue', 'boss@example.com'],
  ]);
  await take('email,employeeNumber,firstName,department,team,manager\n,1,,,,\n');
  assert.deepEqual(pick((await list()).slice(1), 'email', 'number', 'name', 'department', 'team', 'manager'), [
    ['a@example.com', '1', '/', null, 'Blue', null],
  ]);
  assert.deepEqual((await take('employeeNumber,team\n1,\n')).counts, [0, 0, 1, 0]);
  assert.deepEqual((await take('employeeNumber,team\n1,Everyone\n')).counts, [0, 1, 0, 0]);
  assert.deepEqual((await take('employeeNumber,team\n1,Everyone\n')).counts, [0, 0, 1, 0]);
});

test('a person who leaves becomes inactive, and is the same person when they return', async () => {
  const { take, list } = await openImports(service, 'email,active\na@example.com,yes\nb@example.com,1\n');
  const before = pick(await list(), 'id');
  const file = (status: string, date: string) => `Email,Status,Termination date\na@example.com,${status},${date}\n`;
  const steps: [string, string, boolean][] = [
    ['Terminated', '', false],
    ['', '', true],
    ['', '2020-02-29', false],
    ['', '9999-12-31', true],
    ['', '31.12.2019', false],
    ['', '12/31/2999', true],
    ['', '31-Dec-2019', false],
    ['Current', '2020-01-01', true],
    ['suspended', '', false],
    ['', '0000-00-00', true],
  ];
  for (const [status, date, active] of steps) {
    assert.equal((await take(file(status, date))).rejected, 0, `${status} ${date}`);
    assert.deepEqual(pick(await list(), 'active'), [[active], [true]], `${status} ${date}`);
  }
  assert.deepEqual((await take(file('', '2020-02-30'))).reasons, [
    '2: Termination date "2020-02-30" is not understood: write it as 2026-03-31, or say with --date-format how it is written',
  ]);
  assert.deepEqual(pick(await list(), 'id'), before);
});

test("a leaver's date is the one in the file if it has passed", async () => {
  const { workspaceId, take } = await openImports(service);
  await take(
    'sep=;\nemail;Employment Status;Termination Date\na@example.com;Terminated;31.03.2024\nb@example.com;Full-time;\nc@example.com;left;\n',
  );
  const days = await database.query<{ day: string | null }>(
    `select coalesce(left_on, (left_at at time zone 'utc')::date) as day from members where workspace_id = $1 and email is not null order by id`,
    [workspaceId],
  );
  const today = new Date().toISOString().slice(0, 10);
  assert.deepEqual(
    days.map(({ day }) => day),
    ['2024-03-31', null, today],
  );
  assert.deepEqual(
    (await take('email,status,leaving date\na@example.com,terminated,2023-01-01\n')).counts,
    [0, 0, 1, 0],
  );
});

test('managers are found by address, number or id, anywhere in the file or from an earlier one', async () => {
  const { take, list } = await openImports(service, 'email,employeeNumber\nold@example.com,77\n');
  const [[oldId]] = pick(await list(), 'id') as [[number]];
  const file = [
    'email,employeeNumber,manager',
    'a@example.com,1,LATE@example.com',
    'b@example.com,2,3',
    `c@example.com,3,${oldId}`,
    'd@example.com,4,77',
    'late@example.com,5,NO_MANAGER',
  ].join('\n');
  assert.deepEqual((await take(file, { isDryRun: true })).counts, [5, 0, 0, 0]);
  assert.deepEqual((await take(file)).counts, [5, 0, 0, 0]);
  assert.deepEqual(pick((await list()).slice(1), 'manager'), [
    ['late@example.com'],
    ['c@example.com'],
    ['old@example.com'],
    ['old@example.com'],
    [null],
  ]);
  assert.deepEqual((await take(file)).counts, [0, 0, 5, 0]);
  const moved = await take('email,manager\nb@example.com,a@example.com\n');
  assert.deepEqual(moved.counts, [0, 1, 0, 0]);
});

test('an address of a merged record finds the surviving one, and is not written to it', async () => {
  const { workspaceId, take, list } = await openImports(
    service,
    'email,employeeNumber\nnew@example.com,1\nold@example.com,2\n',
  );
  const [into, from] = pick(await list(), 'id').flat() as [number, number];
  await database.transaction((tx) => mergeMembers(tx, theService, workspaceId, from, into));
  const { counts } = await take('email,employeeNumber,firstName\nold@example.com,2,Ada\n');
  assert.deepEqual(counts, [0, 1, 0, 0]);
  assert.deepEqual(pick(await list(), 'id', 'email', 'number', 'name'), [[into, 'new@example.com', '1', 'Ada/']]);
  assert.deepEqual((await take('email,firstName\nOLD@example.com,Ada\n')).counts, [0, 0, 1, 0]);
});
