import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLeaving } from '../../src/company/import/read-leaving.ts';
import { statusMap } from '../../src/doors/cli/import-arguments.ts';
import { parseDateFormat } from '../../src/ground/sheets/dates.ts';
import { openImports, pick } from '../support/imports.ts';
import { startService } from '../support/service.ts';

const service = await startService();

/** Imports a row for an active person and one for a leaver. Returns which of them are active afterwards. */
async function readAs(header: string, cell: string, options = {}) {
  const { take, list } = await openImports(service, 'email,active\nhere@example.com,true\nleft@example.com,false\n');
  const { reasons } = await take(`email,${header}\nhere@example.com,${cell}\nleft@example.com,${cell}\n`, options);
  return { reasons, active: pick(await list(), 'active').flat() };
}

const here = [true, true];
const left = [false, false];
const asBefore = [true, false];

test('status codes of HR systems are understood, and not read as booleans', async () => {
  const cases: [string, boolean[]][] = [
    ['A', here],
    ['T', left],
    ['F', here],
    ['L', here],
    ['P', here],
    ['I', left],
    ['D', left],
    ['R', left],
    ['S', left],
    ['ACT', here],
    ['term', left],
    ['LOA', here],
    ['FT', here],
  ];
  for (const [code, active] of cases) {
    const read = await readAs('Status', code);
    assert.deepEqual(read, { reasons: [], active }, code);
  }
});

test('people on leave or furlough are active, whatever their employment type', async () => {
  const still = [
    'On leave',
    'on-leave',
    'Furlough',
    'Furloughed',
    'Parental leave',
    'Leave - FMLA',
    'Leave without pay',
    'Active (on leave)',
    'Elternzeit',
    'Congé parental',
    'Full-time',
    'Part time',
    'Contractor',
    'Full-time (on leave)',
  ];
  for (const word of still)
    assert.deepEqual(await readAs('Employment status', word), { reasons: [], active: here }, word);
  for (const word of ['Terminated - Voluntary', 'Retired', 'Deceased', 'Laid off', 'Full time; terminated'])
    assert.deepEqual(await readAs('Employment status', word), { reasons: [], active: left }, word);
});

test('a code before its words, and statuses of real files, are understood', async () => {
  const still = ['A - Active', 'A-Active', 'ACT - Active', '3: Active', 'L - Leave of absence', 'ACCEPTED', 'Alta'];
  for (const word of [...still, 'Baja médica', 'ACTIVE_PROCESS', 'T - Temporary'])
    assert.deepEqual(await readAs('Lifecycle status', word), { reasons: [], active: here }, word);
  for (const word of ['T - Terminated', 'T – terminated (voluntary)', '0 - Withdrawn', 'TERM - Terminated', 'Baja'])
    assert.deepEqual(await readAs('AssignmentStatusType', word), { reasons: [], active: left }, word);
  for (const word of ['Non-active', 'NON - active', 'A - whatever', 'Ex-active'])
    assert.equal((await readAs('Status', word)).reasons.length, 2, word);
});

test('booleans are read in boolean columns only', async () => {
  const cases: [string, string, boolean[]][] = [
    ['Active', 'T', here],
    ['Is active', 'f', left],
    ['Enabled', '1', here],
    ['accountEnabled', 'False', left],
    ['Active', 'terminated', left],
    ['Terminated?', 'Yes', left],
    ['Terminated?', 'N', here],
    ['Inactive', '0', here],
  ];
  for (const [header, cell, active] of cases)
    assert.deepEqual(await readAs(header, cell), { reasons: [], active }, `${header} ${cell}`);
  for (const cell of ['1', '0', 'true', 'no', 'Y']) {
    const { reasons, active } = await readAs('Status', cell);
    assert.equal(reasons.length, 2, cell);
    assert.deepEqual(active, asBefore, cell);
  }
});

test('a row with an unknown status is rejected, naming the option that resolves it', async () => {
  for (const status of ['E', 'Zugang', 'Inactive - on leave']) {
    const { reasons, active } = await readAs('Status', status);
    assert.deepEqual(reasons, [
      `2: Status "${status}" is not understood: say what it means with --status "${status}=active" or --status "${status}=left"`,
      `3: Status "${status}" is not understood: say what it means with --status "${status}=active" or --status "${status}=left"`,
    ]);
    assert.deepEqual(active, asBefore);
  }
  const statuses = statusMap('t=active, Inactive - on leave=active', statusMap('A=left'));
  assert.deepEqual((await readAs('Status', 'T', { statuses })).active, here, 'one’s own meaning comes first');
  assert.deepEqual((await readAs('Status', 'a', { statuses })).active, left);
  assert.deepEqual((await readAs('Status', 'INACTIVE – On Leave', { statuses })).active, here);
  assert.throws(() => statusMap('A'), /A=active,T=left/);
  assert.throws(() => statusMap('A=gone'), /A=active,T=left/);
});

test('a past leaving date overrides an employment type, and a status overrides the date', async () => {
  const header = 'Employment status,Termination date';
  assert.deepEqual((await readAs(header, 'Full-time,2020-01-31')).active, left);
  assert.deepEqual((await readAs(header, 'F,2020-01-31')).active, left);
  assert.deepEqual((await readAs(header, 'Full-time,2999-01-31')).active, here);
  assert.deepEqual((await readAs(header, 'Full-time,')).active, here);
  assert.deepEqual((await readAs(header, 'Active,2020-01-31')).active, here);
  assert.deepEqual((await readAs(header, 'Terminated,2999-01-31')).active, left);
});

test('a row with an ambiguous date is rejected, naming the option that resolves it', async () => {
  const { take, list } = await openImports(service, 'email\na@example.com\n');
  const file = (date: string, status = '') => `email,status,leaving date\na@example.com,${status},${date}\n`;
  const problem = 'may be two days: say which with --date-format DD/MM/YYYY or MM/DD/YYYY';
  assert.deepEqual((await take(file('03/04/2020'))).reasons, [`2: leaving date "03/04/2020" ${problem}`]);
  assert.deepEqual((await take(file('3-4-2020', 'Terminated'))).reasons, [`2: leaving date "3-4-2020" ${problem}`]);
  assert.deepEqual(
    (await take(file('03/04/2020', 'Active'))).reasons,
    [],
    'where the status decides, the date may be odd',
  );
  assert.deepEqual(pick(await list(), 'active'), [[true]]);
  const day = async (date: string, format?: string) => {
    const opened = await openImports(service);
    const dateFormat = format === undefined ? undefined : parseDateFormat(format);
    const { reasons } = await opened.take(file(date, 'Terminated'), { dateFormat });
    const [row] = await service.database.query<{ day: string }>(
      `select coalesce(left_on, left_at::date) as day from members where workspace_id = $1 and email is not null`,
      [opened.workspaceId],
    );
    return row?.day ?? reasons[0];
  };
  assert.equal(await day('04/04/2020'), '2020-04-04');
  assert.equal(await day('31/12/2020'), '2020-12-31');
  assert.equal(await day('03.04.2020'), '2020-04-03');
  assert.equal(await day('03/04/2020', 'DD/MM/YYYY'), '2020-04-03');
  assert.equal(await day('03/04/2020', 'MM/DD/YYYY'), '2020-03-04');
  assert.equal(await day('3/4/2020 00:00', 'm/d/yyyy'), '2020-03-04');
  assert.equal(await day('03-Apr-20', 'DD-MMM-YY'), '2020-04-03');
  assert.equal(await day('2020-04-03', 'MM/DD/YYYY'), '2020-04-03');
  assert.equal(
    await day('31/12/2020', 'MM/DD/YYYY'),
    '2: leaving date "31/12/2020" is not of the form that --date-format says: write it so, or as 2026-03-31',
  );
  for (const none of ['00.00.0000', '0000-00-00', '00/00/0000', '00000000'])
    assert.match((await day(none)) ?? '', /^\d{4}-\d\d-\d\d$/, none);
  for (const date of ['01.01.0000', '0000-01-01', '01/01/0000', '1 Jan 0000'])
    assert.equal(
      await day(date),
      `2: leaving date "${date}" is not understood: write it as 2026-03-31, or say with --date-format how it is written`,
    );
  assert.match((await day('01.01.0000', 'DD.MM.YYYY')) ?? '', /^2: leaving date "01\.01\.0000" is not understood/);
  for (const format of ['DD/MM', 'DD/MM/YYYY/DD', 'hello', ''])
    assert.equal(parseDateFormat(format), undefined, format);
});

test('a person who leaves today is active today and a leaver tomorrow', () => {
  const read = (field: string) => (field === 'leavingDate' ? '2026-03-31' : undefined);
  assert.deepEqual(readLeaving(read, {}, '2026-03-30'), { active: true, leavesOn: '2026-03-31' });
  assert.deepEqual(readLeaving(read, {}, '2026-03-31'), { active: true, leavesOn: '2026-03-31' });
  assert.deepEqual(readLeaving(read, {}, '2026-04-01'), { active: false, leftOn: '2026-03-31' });
});
