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

/** Ann and Bob, each with a current address and two former ones. */
async function openRenamed() {
  const opened = await openImports(service, `${header}ann1@example.com,5,Ann,\nbob1@example.com,6,Bob,\n`);
  for (const nth of [2, 3]) await opened.take(`${header}ann${nth}@example.com,5,Ann,\nbob${nth}@example.com,6,Bob,\n`);
  return opened;
}

test('a former address leads to its owner after all rows, in every size of batch and in a dry run', async () => {
  const rows = [
    'ann1@example.com,Anna,\n', // Ann is not in the file by another name.
    'bob1@example.com,Rob,\n', // A new person: the file has Bob.
    'ann2@example.com,Annie,\n', // Ann again, who says something else.
    'ann1@example.com,Anna,\n',
    'cy@example.com,Cy,bob1@example.com\n',
    'bob3@example.com,Bob,ann1@example.com\n',
  ];
  const file = `email,firstName,manager\n${rows.join('')}`;
  const outcomes = [];
  for (const size of [1, 2, 3, 2_000]) {
    const { take, list } = await openRenamed();
    const ids = (await list()).map(({ id }) => id);
    const dry = await take(file, { batchRows: size, isDryRun: true, isListing: true });
    const wet = await take(file, { batchRows: size, isListing: true });
    const toldBy = ({ counts, repeated, reasons, changes }: typeof wet) => ({
      counts,
      repeated,
      reasons,
      changes: changes?.map(({ line, change, fields }) => [line, change, fields.join(' ')]),
    });
    assert.deepEqual(toldBy(dry), toldBy(wet), `batches of ${size}`);
    const people = await list();
    assert.deepEqual([people[0]?.id, people[1]?.id], ids);
    const named = people
      .map(({ email, name, manager }) => `${email} ${name} ${manager}`)
      .sort()
      .join('; ');
    outcomes.push({ ...toldBy(wet), named });
  }
  for (const outcome of outcomes) assert.deepEqual(outcome, outcomes[0]);
  assert.deepEqual(outcomes[0], {
    counts: [2, 2, 0, 1],
    repeated: 1,
    reasons: ['4: this is the person of line 2 again, and says something else'],
    changes: [
      [2, 'changed', 'email firstName'],
      [3, 'added', ''],
      [6, 'added', ''],
      [7, 'changed', 'manager'],
    ],
    named:
      'ann1@example.com Anna/ null; bob1@example.com Rob/ null; ' +
      'bob3@example.com Bob/ ann1@example.com; cy@example.com Cy/ bob1@example.com',
  });
});

test('a list that is limited has rows with a former address at their places, and a stop says how many are left', async () => {
  const { take } = await openRenamed();
  const rows = [
    'new1@example.com,New\n',
    'ann1@example.com,Anna\n',
    'new2@example.com,New\n',
    'new3@example.com,New\n',
  ];
  const file = `email,firstName\n${rows.join('')}`;
  const options = { batchRows: 1, isDryRun: true, isListing: true };
  const { changes } = await take(file, options);
  assert.deepEqual(
    changes?.map(({ line }) => line),
    [2, 3, 4, 5],
  );
  for (const mostListed of [1, 2, 3])
    assert.deepEqual((await take(file, { ...options, mostListed })).changes, changes?.slice(0, mostListed));
  const stopping = new AbortController();
  const slow = (async function* () {
    yield Buffer.from(`email,firstName\n${rows.slice(0, 3).join('')}`);
    stopping.abort();
    yield Buffer.from(rows.slice(3).join(''));
  })();
  const { stopped, counts } = await take(slow, { batchRows: 1, signal: stopping.signal });
  assert.deepEqual([stopped?.doneToLine, stopped?.rowsLeft, counts], [4, 1, [2, 0, 0, 0]]);
  assert.deepEqual((await take(file, { batchRows: 1 })).counts, [1, 1, 2, 0]);
});

test('after all of this the books agree', async () => {
  assert.deepEqual(await readWrongs(database), []);
});
