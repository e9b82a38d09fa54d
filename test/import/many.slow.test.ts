import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvText } from '../../src/ground/values/csv.ts';
import { readWrongs } from '../support/books.ts';
import { openImports, pick } from '../support/imports.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;
const header = ['email', 'employeeNumber', 'firstName', 'lastName', 'department', 'manager', 'team', 'active'];
const count = 300;

/** Texts with signs that mean something in the format in which rows are copied. */
const hostile = [
  '\\N',
  'a\\tb',
  'back\\',
  'two\tcells',
  'two\nlines',
  'a\rb',
  '\\.',
  '\\\\server\\share',
  'plain',
  'Zoë 🎁',
];
const departmentOf = (nth: number) => hostile[nth % hostile.length] as string;

/** Everybody's manager is the person after them, so that nobody's manager is known when their row is read. */
function person(nth: number): string[] {
  const manager = nth === count ? '' : `p${nth + 1}@example.com`;
  const isHere = String(nth % 50 !== 0);
  return [
    `p${nth}@example.com`,
    String(nth),
    `First ${nth}`,
    'Last',
    departmentOf(nth),
    manager,
    `Team ${nth % 3}`,
    isHere,
  ];
}

const people = Array.from({ length: count }, (_, nth) => person(nth + 1));

test('many people are added at once with all their texts, teams and managers', async () => {
  const { take, list, workspaceId } = await openImports(service);
  assert.deepEqual((await take(csvText([header, ...people]))).counts, [count, 0, 0, 0]);
  assert.deepEqual(
    pick(await list(), 'email', 'number', 'name', 'department', 'manager', 'team', 'active'),
    people.map(([email, number, first, last, department, manager, team, active]) => [
      ...[email, number, `${first}/${last}`, department, manager || null, team],
      active === 'true',
    ]),
  );
  const teams = await database.query<{ members: number }>(
    'select count(*) as members from team_members where workspace_id = $1 group by team_id',
    [workspaceId],
  );
  assert.deepEqual(
    teams.map(({ members }) => members),
    [100, 100, 100],
  );
});

test('of many people only those are written whose row says something new', async () => {
  const { take, list, stored } = await openImports(service, csvText([header, ...people]));
  const before = await stored();
  assert.deepEqual((await take(csvText([header, ...people]))).counts, [0, 0, count, 0]);
  assert.deepEqual(await stored(), before);

  const changes: Record<number, [column: number, text: string]> = {
    1: [2, 'Other'],
    3: [4, ''],
    5: [5, 'p9@example.com'],
    7: [6, 'Team 9'],
    9: [7, 'false'],
    11: [0, 'P11@example.com'],
    50: [7, 'true'],
  };
  const next = people.map((row, nth) => row.map((cell, column) => textAt(changes[nth + 1], column) ?? cell));
  assert.deepEqual((await take(csvText([header, ...next]))).counts, [0, 7, count - 7, 0]);
  const [one, , three, , five, , seven, , nine, , eleven] = await list();
  assert.deepEqual(
    [one?.name, three?.department, five?.manager, seven?.team, nine?.active, eleven?.email],
    ['Other/Last', null, 'p9@example.com', 'Team 9', false, 'P11@example.com'],
  );
  const after = new Set((await stored()).map((row) => JSON.stringify(row)));
  const kept = before.filter((row) => after.has(JSON.stringify(row)));
  // Seven people, and the membership of the one who has another team.
  assert.equal(before.length - kept.length, 8);
});

function textAt(change: [column: number, text: string] | undefined, column: number): string | undefined {
  return change?.[0] === column ? change[1] : undefined;
}

test('after all of this the books agree', async () => {
  assert.deepEqual(await readWrongs(database), []);
});
