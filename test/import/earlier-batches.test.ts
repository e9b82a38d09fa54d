import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWrongs } from '../support/books.ts';
import { openImports } from '../support/imports.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;

const batchRows = 100;
const header = 'email,employeeNumber,firstName,manager\n';
const others = (from: number, count: number) =>
  Array.from({ length: count }, (_, nth) => `p${from + nth}@example.com,E${from + nth},Pat,\n`);

test('rows about people of earlier batches are recognized by address and by number, in a dry run too', async () => {
  const { take, list } = await openImports(service);
  const first = ['ada@example.com,A1,Ada,\n', 'bob@example.com,B1,Bob,\n', ...others(1, batchRows - 2)];
  const second = [
    'Ada@Example.com,A1,Ada,\n',
    'ada@example.com,A1,Ada,\n',
    ',A1,Adele,\n',
    'ada@example.com,,Adele,\n',
    'ada@example.com,B1,Ada,\n',
    'new@example.com,B1,Bob,\n',
    'cy@example.com,C1,Cy,ADA@example.com\n',
    'di@example.com,D1,Di,Bob Smith (B1)\n',
    'ed@example.com,E0,Ed,b1\n',
  ];
  const file = header + [...first, ...second].join('');
  const line = batchRows + 2;
  const again = (offset: number, of: number) =>
    `${line + offset}: this is the person of line ${of} again, and says something else`;
  const dry = await take(file, { batchRows, isDryRun: true });
  const wet = await take(file, { batchRows });
  assert.deepEqual(wet.reasons, [
    again(0, 2),
    again(2, 2),
    again(3, 2),
    again(4, 2),
    again(5, 3),
    `${line + 8}: the manager "b1" is not known: the rest of the row was taken`,
  ]);
  assert.deepEqual([wet.counts, wet.repeated], [[batchRows + 3, 0, 0, 5], 1]);
  assert.deepEqual([dry.counts, dry.repeated, dry.reasons], [wet.counts, wet.repeated, wet.reasons]);
  const managers = new Map((await list()).map(({ email, manager }) => [email, manager]));
  assert.deepEqual(
    ['cy', 'di', 'ed'].map((name) => managers.get(`${name}@example.com`)),
    ['ada@example.com', 'bob@example.com', null],
  );
});

test('a manager named by a former address is the person who has it after all rows', async () => {
  const { take, list } = await openImports(service, `${header}old@example.com,K1,Kay,\n`);
  assert.deepEqual((await take(`${header}kay@example.com,K1,Kay,\n`)).counts, [0, 1, 0, 0]);
  const rows = [
    'kay@example.com,K1,Kay,\n',
    ...others(1, batchRows - 1),
    'lee@example.com,L1,Lee,old@example.com\n',
    ...others(batchRows, batchRows - 1),
    'old@example.com,O1,Olga,\n',
  ];
  assert.deepEqual((await take(header + rows.join(''), { batchRows })).counts, [2 * batchRows, 0, 1, 0]);
  const people = new Map((await list()).map((one) => [one.email, one]));
  assert.equal(people.get('old@example.com')?.number, 'O1');
  const [lee] = await database.query<{ manager: string }>(
    `select b.employee_number as manager
       from members m
       join members b on b.workspace_id = m.workspace_id and b.id = m.manager_id
      where m.id = $1`,
    [people.get('lee@example.com')?.id],
  );
  assert.equal(lee?.manager, 'O1');
});

test('after all of this the books agree', async () => {
  assert.deepEqual(await readWrongs(database), []);
});
