import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { privacyPage } from '../../scripts/privacy.ts';
import { holdsPersonalData } from '../../src/ground/values/personal.ts';
import { declaredData } from '../../src/insight/rights/declared.ts';
import { createTestDatabase } from '../support/database.ts';
import { writerOf } from '../support/tables.ts';

const database = await createTestDatabase();

test('every column with texts, JSON or bytes says whether it is personal data', async () => {
  const rows = await database.query<{ name: string }>(
    `select table_name || '.' || column_name as name
       from information_schema.columns
      where table_schema = current_schema()
        and udt_name in ('text', 'varchar', 'json', 'jsonb', 'bytea', '_text', '_varchar', '_json', '_jsonb', '_bytea')
      order by 1`,
  );
  const declared = declaredData.flatMap(({ table, columns }) => Object.keys(columns).map((name) => `${table}.${name}`));
  const known = new Set(rows.map(({ name }) => name));
  assert.deepEqual(
    rows.map(({ name }) => name).filter((name) => !declared.includes(name)),
    [],
    'declare these in personal.ts of the module that writes the table: what they hold, why, what erasure does, how long they are kept',
  );
  assert.deepEqual(
    declared.filter((name) => !known.has(name)),
    [],
    'personal.ts declares columns that are not in the database',
  );
  assert.equal(new Set(declared).size, declared.length, 'personal.ts declares a column twice');
});

test('a table is declared beside its writer', () => {
  for (const { table } of declaredData)
    assert.ok(writerOf[table] || /^migration/.test(table), `${table} has no writer`);
});

test('what is declared can be carried out', async () => {
  for (const { table, columns, rows = {}, goes = [], key } of declaredData) {
    for (const where of Object.values(rows))
      await database.query(
        `select from ${table} t where ${table === 'users' ? 'true' : onWorkspace(table)} and (${where}) limit 0`,
        [1, [1], [1]],
      );
    for (const relation of goes) assert.ok(rows[relation], `${table} does not say which rows go`);
    for (const [name, column] of Object.entries(columns).filter(([, one]) => holdsPersonalData(one))) {
      if (!holdsPersonalData(column)) continue;
      const relations = column.of.filter((one) => one !== 'named');
      const isErased = column.becomes !== undefined || relations.some((one) => goes.includes(one));
      assert.ok(
        isErased || column.search || column.stays || column.erasedBy,
        `${table}.${name}: say what erasure does`,
      );
      const isFound = column.search || column.stays;
      assert.ok(!column.of.includes('named') || isFound, `${table}.${name}: nothing looks for people whom it names`);
      if (column.search) assert.ok(key, `${table}: a search in texts needs the key of the table`);
      if (column.becomes !== undefined)
        for (const relation of relations)
          assert.ok(rows[relation], `${table}.${name}: no rows are known as ${relation}`);
    }
  }
});

/** Every parameter has a type in every statement. */
function onWorkspace(table: string): string {
  const isWhole = ['workspaces', 'accounts', 'employee_links', 'sessions', 'sign_in_links'].includes(table);
  return `${isWhole ? '$1::bigint > 0' : 't.workspace_id = $1::bigint'} and cardinality($2::bigint[]) > 0 and cardinality($3::bigint[]) > 0`;
}

test('docs/privacy.md is current', () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  assert.equal(read('docs/privacy.md'), privacyPage(read('scripts/privacy.md')), 'run "npm run privacy"');
});
