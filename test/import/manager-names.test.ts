import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameKey } from '../../src/company/import/manager-names.ts';
import type { Database } from '../../src/ground/database/database.ts';
import { recount } from '../support/derived.ts';
import { openImports, pick } from '../support/imports.ts';
import { startService } from '../support/service.ts';

const service = await startService();

const header = 'email,First name,Last name,Reports to\n';

test('a manager is found by a name that one person has, in the file or the directory', async () => {
  const { take, list } = await openImports(
    service,
    'email,firstName,lastName,active\nold@example.com,Olga,Old,true\ngone@example.com,Nia,New,false\n',
  );
  const file = [
    'a@example.com,Ada,Able,olga  OLD',
    'b@example.com,Bo,Best,"New, Nia"',
    'c@example.com,Cy,Cole,Nia New (on leave)',
    'new@example.com,Nia,New,Olga Old',
    'd@example.com,Di,Dole,',
  ].join('\n');
  for (const batchRows of [2, 2_000]) {
    const dry = await take(header + file, { isDryRun: true, isListing: true, batchRows });
    assert.deepEqual([dry.managerNames, dry.unknownManagers], [0, []]);
  }
  const { counts, unknownManagers } = await take(header + file, { batchRows: 2 });
  assert.deepEqual([counts, unknownManagers], [[5, 0, 0, 0], []]);
  assert.deepEqual(pick((await list()).slice(2), 'email', 'manager'), [
    ['a@example.com', 'old@example.com'],
    ['b@example.com', 'new@example.com'],
    ['c@example.com', 'new@example.com'],
    ['new@example.com', 'old@example.com'],
    ['d@example.com', null],
  ]);
  assert.deepEqual((await take(header + file)).counts, [0, 0, 5, 0], 'the same file once more changes nothing');
});

test('names that several people have, or no one, are listed, and change nothing', async () => {
  const people = 'email,firstName,lastName,manager\nx1@example.com,Ann,Twice,\nboss@example.com,Bea,Boss,\n';
  const { take, list } = await openImports(service, `${people}a@example.com,Ada,Able,boss@example.com\n`);
  const file = [
    'a@example.com,Ada,Able,Ann Twice',
    'b@example.com,Bo,Best,Ann Twice',
    'c@example.com,Cy,Cole,No One',
    'x2@example.com,Ann,Twice,',
  ].join('\n');
  const expected = [
    { name: 'Ann Twice', people: 2, rows: 2 },
    { name: 'No One', people: 0, rows: 1 },
  ];
  const before = pick(await list(), 'manager');
  for (const isDryRun of [true, false]) {
    const { managerNames, unknownManagers, reasons } = await take(header + file, { isDryRun, batchRows: 2 });
    assert.deepEqual([managerNames, unknownManagers, reasons], [3, expected, []]);
  }
  assert.deepEqual(pick((await list()).slice(0, 3), 'manager'), before);
  const strict = await take(`${header.replace('Reports to', 'Manager')}b@example.com,Bo,Best,Ann Twice\n`);
  assert.deepEqual(strict.reasons, [
    '2: the manager "Ann Twice" may be one of 2 people: the rest of the row was taken',
  ]);
});

test('a dry run counts the names that people get from the file, not those that they lose', async () => {
  const { take } = await openImports(
    service,
    'email,firstName,lastName\na@example.com,Ada,Old\nb@example.com,Bo,Best\n',
  );
  const file = `${header}a@example.com,Ada,New,\nb@example.com,Bo,Best,Ada Old\nc@example.com,Cy,Cole,Ada New\n`;
  for (const isDryRun of [true, false]) {
    const { unknownManagers } = await take(file, { isDryRun });
    assert.deepEqual(unknownManagers, [{ name: 'Ada Old', people: 0, rows: 1 }]);
  }
});

test('names are compared without case, remarks and the sequence of their parts', () => {
  assert.equal(nameKey('Lovelace,  Ada (On Leave)'), 'ada lovelace');
  assert.equal(nameKey('  ADA  King Lovelace '), 'ada king lovelace');
  assert.equal(nameKey('x'.repeat(2_000)), '');
});

test('the directory is read once for the names of a file, and each name is compared again when its manager is set', async () => {
  const { workspaceId, take, list } = await openImports(
    service,
    'email,firstName,lastName\nboss@example.com,Bea,Boss\nchef@example.com,Chloe,Chef\n',
  );
  const { database } = service;
  let passes = 0;
  const watched: Database = {
    ...database,
    query: async (sql, values, use) => {
      const rows = await database.query<never>(sql, values, use);
      if (!/btrim\(m\.first_name/.test(sql)) return rows;
      passes++;
      await database.query("update members set last_name = 'Other' where workspace_id = $1 and first_name = 'Chloe'", [
        workspaceId,
      ]);
      return rows;
    },
  };
  const people = Array.from(
    { length: 9 },
    (_, nth) => `p${nth}@example.com,,,${nth % 2 ? 'Bea Boss' : 'Chloe Chef'}\n`,
  );
  const { unknownManagers } = await take(header + people.join(''), { batchRows: 2, database: watched });
  assert.equal(passes, 1);
  assert.deepEqual(unknownManagers, [{ name: 'Chloe Chef', people: 0, rows: 5 }]);
  assert.equal((await list()).filter(({ manager }) => manager === 'boss@example.com').length, 4);
  await recount(database, workspaceId);
});
