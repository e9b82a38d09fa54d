import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ImportResult } from '../../src/ground/contract/member-import.ts';
import { parseDateFormat } from '../../src/ground/sheets/dates.ts';
import { openImports } from '../support/imports.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();
const workspace = await openWorkspace(service);

async function imported(file: string, query = '?dryRun=true'): Promise<ImportResult> {
  const { status, body } = await workspace.call<ImportResult>(`/api/v1/members/import${query}`, {
    method: 'POST',
    body: file,
    headers: { 'Content-Type': 'text/csv' },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const reasons = ({ faults }: ImportResult) => faults.map(({ line, reason }) => `${line}: ${reason}`);

test('dates are read in the one order that other dates of the file prove, and the result says so', async () => {
  const file = `Work Email,Hire Date,Birth Date,Termination Date
ada@example.com,05/04/2015,03/04/1990,
li@example.com,12/23/2006,17 May,
bo@example.com,2006-01-02,01.02.1980,02/03/2020
`;
  const told = await imported(file);
  assert.partialDeepStrictEqual(told, { added: 3, rejected: 0, dateOrder: 'monthFirst', ambiguousDates: [] });
  await imported(file, '');
  const { members } = await workspace.members('?includeInactive=true&size=10');
  assert.deepEqual(members.map(({ email, hireDate, birthday, leftOn }) => [email, hireDate, birthday, leftOn]).sort(), [
    ['ada@example.com', '2015-05-04', '03-04', null],
    ['bo@example.com', '2006-01-02', '02-01', '2020-02-03'],
    ['li@example.com', '2006-12-23', '05-17', null],
  ]);
});

test('the proof may come in a later batch, in another column, or with hyphens', async () => {
  for (const proof of [',31/01/1990', '31-01-2020,', ',31/12']) {
    const { take } = await openImports(service);
    const file = `email,hireDate,birthday\nada@example.com,03/04/2020,\nli@example.com,05-06-2020,\nbo@example.com,${proof}\n`;
    const bytes = async function* () {
      yield Buffer.from(file);
    };
    const { counts, dateOrder } = await take(file, { batchRows: 1, openAgain: bytes });
    assert.deepEqual([counts, dateOrder], [[3, 0, 0, 0], 'dayFirst'], proof);
  }
});

test('without a proof, and with dates that contradict each other, the file is asked about, naming its column', async () => {
  const ask = 'may be two days: write it as 2026-03-31, or choose how dates are written';
  for (const [other, isOtherRead] of [
    ['04/04/2020', true],
    ['2020-12-31', true],
    ['31.12.2020', true],
    ['13/13/2020', false],
  ] as const) {
    const told = await imported(`email,Hire Date\nx@example.com,05/04/2015\ny@example.com,${other}\n`);
    assert.deepEqual([reasons(told)[0], told.dateOrder], [`2: Hire Date "05/04/2015" ${ask}`, null], other);
    assert.equal(told.added, isOtherRead ? 1 : 0, other);
    assert.deepEqual(told.ambiguousDates, [{ field: 'hireDate', text: '05/04/2015', rows: 1 }]);
  }
  const contradicting = await imported(
    'email,Hire Date,Termination Date\nx@example.com,05/04/2015,\ny@example.com,12/23/2006,\nz@example.com,,31/12/2020\n',
  );
  assert.deepEqual([reasons(contradicting), contradicting.dateOrder], [[`2: Hire Date "05/04/2015" ${ask}`], null]);
});

test('dateFormat decides before the file does, and a birthday of month and day proves nothing', async () => {
  const file = 'email,Hire Date,birthday\nx@example.com,05/04/2015,05-17\ny@example.com,31/12/2020,\n';
  assert.equal((await imported(file)).dateOrder, 'dayFirst');
  const told = await imported(file, '?dryRun=true&dateFormat=MM/DD/YYYY');
  assert.deepEqual(
    [told.added, reasons(told), told.dateOrder],
    [1, ['3: Hire Date "31/12/2020" is not of the form that was chosen: write it so, or as 2026-03-31'], null],
  );
  assert.equal(parseDateFormat('MM/DD/YYYY')?.('03-04-2020'), '2020-03-04', 'hyphens are slashes');
});
