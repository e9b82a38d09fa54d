import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { splitMember } from '../../src/company/directory/split.ts';
import { exportMembers } from '../../src/company/import/export.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import type { CoveragePage, NotRecognizedPage } from '../../src/ground/contract/coverage.ts';
import {
  apiName,
  filterFields,
  groupFields,
  type MemberField,
  type MemberText,
  memberFieldNames,
  memberFields,
  memberTexts,
  fileFields as openFields,
  reportFields,
  scimFields,
  scimPlaces,
  valueProblem,
} from '../../src/ground/values/member.ts';
import { followEvents } from '../support/events.ts';
import { importAll } from '../support/imports.ts';
import { enterprise, giftwire, openWithScim } from '../support/scim.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

/** Columns of members that no other system sets, and the values of custom fields, which each workspace declares. */
const ownColumns = [
  ...['workspace_id', 'id', 'team_id', 'email_key', 'is_integration', 'merged_into', 'created_at', 'changed_at'],
  ...['custom', 'left_at', 'left_on', 'deprovisioned_at', 'erased_at', 'recognition_count', 'last_recognized_at'],
  ...['last_recognized_on', 'last_recognized_by', 'last_recognized_number'],
];

const reports = '/api/v1/reports';
const extensionUrns = { enterprise, giftwire };
const given = new Map<MemberText, number>();

/** A good value of a field, another one than the time before. */
function aValue(name: MemberText): string {
  const { kind, choices = [] } = memberFields[name];
  const nth = given.get(name) ?? 0;
  given.set(name, nth + 1);
  if (kind === 'email') return `person.${nth}@example.com`;
  if (kind === 'url') return `https://example.com/${nth}.png`;
  if (kind === 'country') return ['CA', 'US', 'FR', 'MX'][nth % 4] as string;
  if (kind === 'language') return ['FR_CA', 'EN_US', 'ES_MX', 'DE_DE'][nth % 4] as string;
  if (kind === 'timeZone') return ['America/Toronto', 'Europe/Paris', 'Asia/Tokyo', 'UTC'][nth % 4] as string;
  if (kind === 'currency') return ['CAD', 'USD', 'EUR', 'MXN'][nth % 4] as string;
  // A last day of the past would let them leave.
  if (kind === 'date') return `${name === 'leavesOn' ? 29 : 20}${10 + (nth % 80)}-02-03`;
  if (kind === 'monthDay') return `02-${10 + (nth % 19)}`;
  return kind === 'choice' ? (choices[nth % choices.length] as string) : `${name} ${nth}`;
}

const valuesOf = <Name extends MemberText>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, aValue(name)])) as Record<Name, string>;

test('each column of members is a declared field, or one that only the service writes', async () => {
  const columns = await database.query<{ name: string; type: string; isNullable: boolean; most: number | null }>(
    `select column_name as name, data_type as type, is_nullable = 'YES' as "isNullable", character_maximum_length as most
       from information_schema.columns
      where table_schema = 'public' and table_name = 'members'`,
  );
  const declared = memberFieldNames.map((name) => memberFields[name].column);
  assert.deepEqual(columns.map(({ name }) => name).toSorted(), [...declared, ...ownColumns].toSorted());
  for (const name of memberFieldNames) {
    const { column, kind, most } = memberFields[name];
    const found = columns.find((one) => one.name === column);
    assert.deepEqual(
      [found?.type, found?.isNullable, found?.most ?? most],
      [kind === 'date' ? 'date' : kind === 'member' ? 'bigint' : 'text', kind !== 'name', most],
      column,
    );
  }
});

test('the checks and indexes of members are those that the declaration needs', async () => {
  const [{ merged } = { merged: '' }] = await database.query<{ merged: string }>(
    `select pg_get_constraintdef(oid) as merged
       from pg_constraint
      where conrelid = 'members'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%merged_into%'`,
  );
  const indexes = await database.query<{ name: string; sql: string; isUnique: boolean }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as sql, indisunique as "isUnique"
       from pg_index where indrelid = 'members'::regclass`,
  );
  for (const name of memberFieldNames) {
    const { column, merge } = memberFields[name];
    if (merged.includes(`${column} IS NULL`))
      assert.ok(merge === undefined || merge === 'manager', `${name} must move`);
    const key = new RegExp(`\\(workspace_id, (${column}|lower\\(${column}\\)|${column}_key)\\)`);
    const isUnique = indexes.some(({ sql, isUnique: only }) => only && key.test(sql));
    assert.equal(isUnique, merge === 'unique', `${name} is unique`);
  }
  for (const name of filterFields) {
    const key = `(workspace_id, lower(${memberFields[name].column})`;
    assert.ok(
      indexes.some(({ sql }) => sql.includes(key)),
      `${name} can be a filter`,
    );
  }
});

test('every field that changes has an event', async () => {
  const workspace = await openWorkspace(service, { people: [{ email: 'boss@example.com' }, valuesOf(memberTexts)] });
  const [boss = 0, id = 0] = workspace.memberIds;
  const { said } = followEvents(workspace);
  await said();
  for (const name of memberFieldNames) {
    const value = name === 'managerId' ? boss : aValue(name);
    for (const [next, expected] of [
      [value, [`member.changed ${id}`]],
      [value, []],
      [null, [`member.changed ${id}`]],
    ] as const) {
      await workspace.change(id, { [name]: next });
      assert.deepEqual(await said(), expected, `${name} is ${next}`);
    }
  }
});

test('reports show every change of a field that they have', async () => {
  const people = [{ email: 'ada@example.com', ...valuesOf(reportFields) }, { email: 'li@example.com' }];
  const workspace = await openWorkspace(service, { people });
  const [id = 0] = workspace.memberIds;
  await workspace.gift({ email: 'ada@example.com' });
  for (const value of [aValue, () => null])
    for (const name of reportFields) {
      const next = value(name);
      // The reports have answered with the value before.
      await readReports();
      await workspace.change(id, { [name]: next });
      const { row, unrecognized, groups } = await readReports();
      assert.equal(row[name], next ?? '', `the file shows ${name}`);
      if (!groupFields.some((one) => one === name)) continue;
      assert.equal(unrecognized[name as keyof typeof unrecognized], next, `who was not recognized shows ${name}`);
      assert.ok(groups.get(name)?.includes(next), `people are grouped by ${name}`);
    }

  async function readReports() {
    const file = await workspace.call<string>(`${reports}/members/last-recognized`, {
      headers: { Accept: 'text/csv' },
    });
    const [row = {}] = parse(file.body, { columns: true }) as Record<string, string>[];
    const path = `${reports}/members/not-recognized?since=2999-12-31&asOf=2999-12-31`;
    const { members } = await workspace.read<NotRecognizedPage>(path);
    const unrecognized = members.find(({ member }) => member.id === id);
    assert.ok(unrecognized);
    const groups = new Map<string, (string | null)[]>();
    for (const by of groupFields) {
      const page = await workspace.read<CoveragePage>(`${reports}/coverage?by=${by}`);
      const names = page.groups.map((group) => group.name);
      groups.set(by, names);
    }
    return { row, unrecognized, groups };
  }
});

test('a field that was set in one way is the same in every other way', async () => {
  const { workspace, scim } = await openWithScim(service);
  const [id = 0] = await workspace.addPeople([{ email: 'ada@example.com', userName: 'ada' }]);
  const path = `/api/v1/members/${id}`;
  const check = async (expected: Record<string, string | null>, how: string) => {
    const member = await workspace.read<Record<string, unknown>>(path);
    const apart = openFields.map((name) => [name, member[apiName(name)]]);
    assert.deepEqual(Object.fromEntries(apart), expected, `${how}: the API`);
    const { body: user } = await scim.get(`/Users/${id}`);
    const inBoth = scimFields.filter((name) => name in expected);
    assert.deepEqual(
      inBoth.map((name) => [name, scimValue(user, name)]),
      inBoth.map((name) => [name, expected[name as MemberText]]),
      `${how}: SCIM`,
    );
    let file = '';
    await exportMembers(database, { workspaceId: workspace.id }, async (text) => {
      file += text;
    });
    const [row = {}] = parse(file, { columns: true }) as Record<string, string>[];
    assert.deepEqual(
      Object.fromEntries(openFields.map((name) => [name, row[name] || null])),
      expected,
      `${how}: files`,
    );
    const again = await importAll(database, workspace.id, file);
    assert.deepEqual([again.changed, again.unchanged], [0, 1], `${how}: its own file changes nothing`);
  };

  const sent = valuesOf(openFields);
  const isDate = (name: MemberText) => memberFields[name].kind === 'date';
  const spaced = (name: MemberText, text: string) => (isDate(name) ? text : ` ${text} `);
  const body = Object.fromEntries(openFields.map((name) => [apiName(name), spaced(name, sent[name])]));
  assert.equal((await workspace.call(path, { method: 'PATCH', body })).status, 200);
  await check(sent, 'the API');

  const imported = { ...valuesOf(openFields), email: sent.email, employeeNumber: sent.employeeNumber };
  const cells = (names: readonly string[], row: Record<string, string>) => names.map((name) => row[name]).join(',');
  const file = `${openFields.join(',')}\n${cells(openFields, imported)}\n`;
  assert.equal((await importAll(database, workspace.id, file)).changed, 1);
  await check(imported, 'a file');

  const provisioned = openFields.filter((name) => name in scimPlaces);
  const patched = { ...imported, ...valuesOf(provisioned) };
  const operations = provisioned.map((name) => ({
    op: 'replace',
    path: memberFields[name].scim
      ?.replace(/^(enterprise|giftwire)(?=:)/, (one) => extensionUrns[one as keyof typeof extensionUrns])
      .replace(/\[(\w+)\]/, '[type eq "$1"]'),
    value: patched[name],
  }));
  const answer = await scim.patch(`/Users/${id}`, operations);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  await check(patched, 'SCIM');
  for (const name of provisioned) {
    const filter = `${operations[provisioned.indexOf(name)]?.path?.replace(/\[.*\]/, '')} eq "${patched[name].replace(/^([A-Z]{2})_/, '$1-')}"`;
    assert.equal((await scim.find('Users', filter)).length, 1, filter);
  }

  const [kept = 0] = await workspace.addPeople([{ userName: 'kept' }]);
  await workspace.merge(id, kept);
  const survivor = await workspace.read<Record<string, unknown>>(`/api/v1/members/${kept}`);
  for (const name of openFields) assert.equal(survivor[apiName(name)], patched[name], `a merge fills ${name}`);
  const blank = Object.fromEntries(openFields.map((name) => [apiName(name), isDate(name) ? null : '']));
  const cleared = await workspace.call<Record<string, unknown>>(`/api/v1/members/${kept}`, {
    method: 'PATCH',
    body: blank,
  });
  for (const name of openFields) assert.ok(!cleared.body[apiName(name)], `a blank text clears ${name}`);
});

test('a split takes the fields along that do not identify the person', async () => {
  const workspace = await openWorkspace(service);
  const values = valuesOf(openFields);
  const [id = 0] = await workspace.addPeople([values]);
  const added = await inWorkspace(database, workspace.id, (tx) =>
    splitMember(tx, theService, workspace.id, id, ['email']),
  );
  const member = await workspace.read<Record<string, unknown>>(`/api/v1/members/${added}`);
  for (const name of openFields)
    assert.equal(member[apiName(name)], name === 'employeeNumber' ? null : values[name], name);
});

test('a text of the longest length is stored, and a longer one is rejected', async () => {
  const workspace = await openWorkspace(service, { people: [{ email: 'ada@example.com' }] });
  const path = `/api/v1/members/${workspace.memberIds[0]}`;
  for (const name of openFields) {
    const { kind, most } = memberFields[name];
    if (kind !== 'text' && kind !== 'name') continue;
    const send = (value: string) => workspace.call(path, { method: 'PATCH', body: { [apiName(name)]: value } });
    // Each character is one, though it has two UTF-16 units.
    assert.equal((await send('😀'.repeat(most))).status, 200, name);
    assert.match(
      refusal(await send('😀'.repeat(most + 1)), 400),
      new RegExp(`${apiName(name)} must have at most ${most} `),
    );
  }
});

test('each kind of field says what is wrong with a value', () => {
  const problems: [MemberField['kind'], string, RegExp | null][] = [
    ['date', '2026-02-28', null],
    ['date', '2026-02-30', /must be a date/],
    ['monthDay', '02-29', null],
    ['monthDay', '02-30', /must be a month and a day/],
    ['monthDay', '2026-02-28', /must be a month and a day/],
    ['choice', 'b', null],
    ['choice', 'c', /must be one of a, b/],
    ['currency', 'XYZ', /currency/],
    ['url', 'javascript:alert(1)', /URL/],
    ['email', 'nobody', /e-?mail/],
  ];
  for (const [kind, value, expected] of problems) {
    const problem = valueProblem({ column: 'trial', kind, most: 100, choices: ['a', 'b'] }, value);
    if (expected === null) assert.equal(problem, null, value);
    else assert.match(problem ?? '', expected, value);
  }
});

/** The text that a SCIM resource has of a field; null if it has none. */
// biome-ignore lint/suspicious/noExplicitAny: an answer whose shape the declaration says.
function scimValue(user: any, name: keyof typeof scimPlaces): string | null {
  const { extension, attribute, type, part } = scimPlaces[name];
  const value = (extension === null ? user : user[extensionUrns[extension]])?.[attribute];
  const chosen = type === undefined ? value : value?.find((one: { type: string }) => one.type === type);
  const text = (part === undefined ? chosen : chosen?.[part]) ?? null;
  // SCIM writes languages as browsers do.
  return memberFields[name].kind === 'language' && text !== null ? text.replace('-', '_').toUpperCase() : text;
}
