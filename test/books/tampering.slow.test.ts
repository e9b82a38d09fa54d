import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Column, sealAs } from '../../src/company/workspaces/seals.ts';
import type { Database, Queryable } from '../../src/ground/database/database.ts';
import { migrationsFolder } from '../../src/ground/database/schema.ts';
import { readContent } from '../../src/insight/books/checkpoint.ts';
import type { LedgerFault } from '../../src/insight/books/checks.ts';
import { moneyTables, sealedRecords } from '../../src/insight/books/sealed.ts';
import { verifySince } from '../../src/insight/books/since.ts';
import { verifyLedger } from '../../src/insight/books/verify.ts';
import { checkLedger, tamper } from '../support/budgets.ts';
import { createTestDatabase } from '../support/database.ts';
import { tokenKey } from '../support/gift-page.ts';
import { liveWithMoney } from '../support/money-history.ts';
import { startService } from '../support/service.ts';
import { findInPieces, verifyFully } from '../support/verifications.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService({
  tokenKey,
  database: await createTestDatabase({ mayDisagree: 'the tests of this file tamper with it' }),
});
const { database, workspaceId } = service;

/** The books before anything has happened: everything is new since then. */
const nothing = await readContent(database, workspaceId, sealedRecords);
await liveWithMoney(service);
assert.deepEqual(await verifyFully(database, workspaceId), []);
const other = await openWorkspace(service);
/** A redemption without a code. */
const uncoded = `(select min(id) from redemptions where workspace_id = ${workspaceId} and kind = 'TILL')`;

interface Catalogue {
  table: string;
  column: string;
  type: string;
  canBeNull: boolean;
}

const catalogue = await database.query<Catalogue>(
  `select table_name as table, column_name as column, udt_name as type, is_nullable = 'YES' as "canBeNull"
     from information_schema.columns
    where table_name = any($1)
    order by 1, ordinal_position`,
  [moneyTables.map(({ table }) => table)],
);

test('an untouched history has no problem', () => checkLedger(database));

test('every column of every money table says what becomes of it', async () => {
  const declared = moneyTables.flatMap(({ table, columns }) => Object.keys(columns).map((name) => `${table}.${name}`));
  assert.deepEqual(declared.sort(), catalogue.map(({ table, column }) => `${table}.${column}`).sort());
});

test('a column that is sealed as never null cannot be null', () => {
  const optional = moneyTables.flatMap(({ table, columns }) =>
    Object.keys(columns)
      .filter((name) => columns[name] === sealAs.plain || columns[name] === sealAs.bytes)
      .map((name) => catalogue.find((one) => one.table === table && one.column === name))
      .filter((place) => place?.canBeNull),
  );
  // An order that was sealed has an id, because it was completed.
  assert.deepEqual(
    optional.map((place) => `${place?.table}.${place?.column}`),
    ['orders.id'],
  );
});

test('every table with an amount or a currency is a money table', async () => {
  const tables = await database.query<{ table: string }>(
    `select distinct c.table_name as table
       from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
      where t.table_schema = 'public'
        and t.table_type = 'BASE TABLE'
        and (c.column_name in ('currency', 'amount', 'amounts', 'value') or c.udt_name in ('numeric', '_numeric'))`,
  );
  const others = tables.map(({ table }) => table).filter((table) => !moneyTables.some((one) => one.table === table));
  assert.deepEqual(others.sort(), [
    // Counts for reports, made of the gifts.
    'activity_days',
    // What people may still draw in a month: test/books/shares.test.ts.
    'budget_shares',
    // Its value is an email address.
    'member_emails',
    // The currency that a report filters people by.
    'members',
    // What an automation did for a person; the order of the gift has its amount.
    'occurrences',
    // What an order that waits amounts to, and its decisions: test/books/approvals.test.ts.
    'order_approvals',
    // Settings: above which amount an order waits or is rejected.
    'rules',
    // Totals by which rules decide whether an order waits; no money comes from them.
    'sender_month_counts',
    'sender_month_orders',
    'sender_months',
    // Settings: from which amount a gift asks for a verification code.
    'workspaces',
  ]);
});

/** Assignments that constraints allow, where another value alone is not enough. */
const allowed: Record<string, string> = {
  'budgets.kind': `kind = case kind when 'UNLIMITED' then 'WORKSPACE' else 'UNLIMITED' end, member_id = null`,
  'budgets.member_id': `member_id = (select max(id) from members where workspace_id = ${workspaceId}), kind = 'MEMBER'`,
  'budgets.granted': 'granted = granted + 1, available = available + 1',
  'budgets.available': 'available = available + 1, granted = granted + 1',
  'budgets.committed': 'committed = committed + 1, granted = granted + 1',
  'budgets.issued': 'issued = issued + 1, granted = granted + 1',
  'budgets.redeemed': 'redeemed = redeemed + 1, granted = granted + 1',
  'budgets.largest_gift': 'largest_gift = 1',
  'budgets.allowance': `allowance = coalesce(allowance, 0) + 1, allowance_every = 'MONTH', next_allowance_at = coalesce(next_allowance_at, now())`,
  'budgets.allowance_every': `allowance_every = 'YEAR', allowance = coalesce(allowance, 1), next_allowance_at = coalesce(next_allowance_at, now())`,
  'budgets.next_allowance_at': `next_allowance_at = now(), allowance = coalesce(allowance, 1), allowance_every = coalesce(allowance_every, 'MONTH')`,
  'certificates.state': `state = case state when 'ISSUED' then 'CLAIMED' else 'ISSUED' end`,
  'order_requests.body': `body = jsonb_set(body, '{orderItems,0,amount}', '26')`,
  'orders.failure': `failure = 'Not this one.', id = null`,
  'payroll_lines.redemption_id': 'redemption_id = 999999999',
  'pool_codes.pool_id': `pool_id = (select max(id) from code_pools where workspace_id = ${workspaceId})`,
  'pool_codes.redemption_id': `redemption_id = case when redemption_id is null then ${uncoded} end, given_at = case when redemption_id is null then now() end`,
  'pool_codes.given_at': `given_at = now(), redemption_id = coalesce(redemption_id, ${uncoded})`,
  'pool_stocks.announced': `announced = 'EMPTY'`,
  'redemptions.finished_by': `finished_by = '{"is": "TOKEN", "id": 999}'`,
  'redemptions.kind': `kind = case kind when 'PAYROLL' then 'TILL' else 'PAYROLL' end`,
  'redemptions.redeemed_by': `redeemed_by = '{"is": "TOKEN", "id": 999}'`,
  'redemptions.reversed_in': 'reversed_in = coalesce(reversed_in, 0) + 1, exported_in = coalesce(exported_in, 1)',
  'redemptions.state': `state = case state when 'DONE' then 'REQUESTED' else 'DONE' end`,
  'redemptions.tax_type': `tax_type = case tax_type when 'CASH' then 'NON_CASH' else 'CASH' end`,
  'spending_options.kind': `kind = case kind when 'PAYROLL' then 'TILL' else 'PAYROLL' end`,
  'spending_options.tax_type': `tax_type = case tax_type when 'CASH' then 'NON_CASH' else 'CASH' end`,
};

/** Gives a column another value, as SQL. */
function assignment({ table, column, type }: Catalogue): string {
  const byType: Record<string, string> = {
    bool: `not ${column}`,
    bytea: `decode('00ff', 'hex')`,
    date: `coalesce(${column}, current_date) + 1`,
    json: `'{"note": "tampered"}'`,
    jsonb: `'{"note": "tampered"}'`,
    text: `coalesce(${column}, '') || 'x'`,
    timestamptz: `coalesce(${column}, now()) + interval '1 second'`,
    uuid: 'gen_random_uuid()',
    int4: `coalesce(${column}, 0) + 100`,
    int8: `coalesce(${column}, 0) + 1000000`,
    _int4: `array_append(${column}, 7)`,
    _numeric: `array_append(${column}, 7)`,
    _text: `array_append(${column}, 'XXX')`,
    _uuid: `array_append(${column}, gen_random_uuid())`,
  };
  const value = column === 'workspace_id' ? other.id : (byType[type] ?? `coalesce(${column}, 0) + 1`);
  return allowed[`${table}.${column}`] ?? `${column} = ${value}`;
}

/** What verification says after one row has another value: of a row that has a value, and of one that has none. */
async function outcomesOf(place: Catalogue): Promise<string[]> {
  const { table, column } = place;
  const rows = await database.query<{ ctid: string }>(
    `select distinct on (${column} is null) ctid::text as ctid
       from ${table}
      where workspace_id = ${workspaceId}
      order by ${column} is null, ctid`,
  );
  assert.ok(rows.length > 0, `${table} has no row`);
  const outcomes = rows.map(({ ctid }) => outcomeOf(`update ${table} set ${assignment(place)} where ctid = '${ctid}'`));
  return Promise.all(outcomes);
}

/** Which verifications find a problem: of everything at once, of everything in pieces, of what is new. */
async function findEachWay(inside: Database, tx: Queryable): Promise<LedgerFault[]> {
  const found = {
    whole: (await verifyLedger(inside)).faults,
    pieces: await findInPieces(tx, workspaceId),
    new: await verifySince(tx, workspaceId, nothing),
  };
  return Object.entries(found).flatMap(([problem, faults]) =>
    faults.length > 0 ? [{ workspaceId, budgetId: null, number: null, problem }] : [],
  );
}

async function outcomeOf(sql: string): Promise<string> {
  try {
    const found = await tamper(database, sql, findEachWay);
    return found.length > 0 ? (found.length === 3 ? 'found' : `found by ${found} alone`) : 'not found';
  } catch (error) {
    if (/violates .* constraint/.test(String(error))) return 'stopped';
    throw new Error(sql, { cause: error });
  }
}

/** Columns whose changes the database rejects, because a table refers to another by them, or a check compares them with another column. */
const stopped = [
  'budgets.shared_team_id',
  'budgets.shared_name',
  'budgets.lapse_every',
  'budgets.lapses_at',
  'order_budgets.share_member_id',
  'order_budgets.share_month',
  'code_pools.id',
  'code_pools.workspace_id',
  'pool_codes.workspace_id',
  'pool_stocks.pool_id',
  'pool_stocks.workspace_id',
];

for (const { table, columns } of moneyTables)
  test(`a changed column of ${table} is found, or its reason says why it decides nothing`, async () => {
    const expected: string[] = [];
    const actual: string[] = [];
    for (const place of catalogue.filter((one) => one.table === table)) {
      const name = `${table}.${place.column}`;
      const isOpen = 'open' in (columns[place.column] as Column);
      expected.push(`${name} ${stopped.includes(name) ? 'stopped' : isOpen ? 'not found' : 'found'}`);
      actual.push(`${name} ${[...new Set(await outcomesOf(place))]}`);
    }
    assert.deepEqual(actual, expected);
  });

test('a removed row of every money table is found', async () => {
  for (const { table } of moneyTables.filter((one) => one.table !== 'pool_stocks')) {
    const outcome = await outcomeOf(
      `delete from ${table} where ctid = (select max(ctid) from ${table} where workspace_id = ${workspaceId})`,
    );
    assert.notEqual(outcome, 'not found', table);
  }
});

test('changes that move money are found', async () => {
  const of = `workspace_id = ${workspaceId}`;
  const cases: Record<string, RegExp> = {
    [`update redemptions set kind = 'PAYROLL', spending_option = 'payroll' where ${of} and kind = 'TILL'`]:
      /Redemption \d+ was changed after seal \d+/,
    [`update certificates set amount = 505 - amount where ${of} and amount in (5, 500)`]:
      /One of the gifts 0 to 15 of order [0-9a-f-]+ was changed after seal/,
    [`update order_requests set currency = 'KWD' where ${of}`]: /Order [0-9a-f-]+ was changed after seal/,
    [`update budgets set allowance = 1000 where ${of} and allowance = 10`]: /Budget \d+ was changed after seal/,
    [`update payroll_exports set closed_by = 'Eve' where ${of}`]:
      /was closed by another person than the audit log says/,
    [`insert into spending_options select workspace_id, 'eve', kind, name, description, currencies, min_amount, max_amount, allows_parts,
             is_on, position, tax_type, detail from spending_options where ${of} and id = 'shop'`]:
      /Spending option eve has no seal/,
  };
  for (const [sql, problem] of Object.entries(cases)) assert.match((await tamper(database, sql)).join('\n'), problem);
});

test('a changed seal is found, and so is one that was removed or added', async () => {
  const of = `workspace_id = ${workspaceId}`;
  const cases: Record<string, RegExp> = {
    [`update seals set hashes[1] = hashes[2] where ${of} and number = (select min(number) from seals where ${of} and cardinality(hashes) > 1)`]:
      /The fields of seal \d+ do not have its hash/,
    [`update seals set keys[1] = '1' where ${of} and number = 2`]: /The fields of seal 2 do not have its hash/,
    [`update seals set at = at + interval '1 second', version = 2 where ${of} and number = 2`]: /The fields of seal 2/,
    [`delete from seals where ${of} and number = 3`]: /A seal before seal 4 is missing/,
    [`delete from seals where ${of} and number = (select max(number) from seals where ${of})`]:
      /was changed after seal|has no seal/,
  };
  for (const [sql, problem] of Object.entries(cases)) assert.match((await tamper(database, sql)).join('\n'), problem);
});

test('an upgrade seals what is there, and finds what is changed after it', async () => {
  const sql = await readFile(join(migrationsFolder, '0030_seals.sql'), 'utf8');
  await database.pool.query(`drop table seals; delete from ledger_checkpoints; ${sql}`);
  await checkLedger(database);
  const said = await tamper(
    database,
    `update redemptions set at = at + interval '1 day' where workspace_id = ${workspaceId}`,
  );
  assert.match(said.join('\n'), /Redemption \d+ was changed after seal 1/);
});
