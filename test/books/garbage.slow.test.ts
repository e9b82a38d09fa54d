import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database, Queryable } from '../../src/ground/database/database.ts';
import type { LedgerFault } from '../../src/insight/books/checks.ts';
import { runVerification } from '../../src/insight/books/runs.ts';
import { moneyTables } from '../../src/insight/books/sealed.ts';
import { verifyLedger, verifyNew } from '../../src/insight/books/verify.ts';
import { tamper } from '../support/budgets.ts';
import { createTestDatabase } from '../support/database.ts';
import { tokenKey } from '../support/gift-page.ts';
import { liveWithMoney } from '../support/money-history.ts';
import { everyNth } from '../support/seed.ts';
import { startService } from '../support/service.ts';
import { findInPieces, verifyFully } from '../support/verifications.ts';

const service = await startService({
  tokenKey,
  database: await createTestDatabase({ mayDisagree: 'the tests of this file tamper with it' }),
});
const { database, workspaceId } = service;
// One half is verified before the checkpoint, the other half is new since then.
await liveWithMoney(service);
assert.deepEqual(await verifyFully(database, workspaceId), []);
await service.fulfilled({
  orderItems: [{ message: 'Thanks', amount: 5, recipient: { email: 'new@example.com' } }],
  currency: 'CAD',
});
await service.stop();

/** Values that no program of Giftwire writes, by the type of the column. */
const garbage: Record<string, string[]> = {
  text: [`'garbage'`, `repeat('9', 30)`],
  json: [`'"garbage"'`, `'{"redemptions": ["garbage"]}'`, `'null'`],
  jsonb: [`'"garbage"'`, `'{"orderItems": {"amount": "garbage"}}'`, `'null'`],
  numeric: ['-1', `'NaN'`],
  int2: ['-1'],
  int4: ['-1', '2147483647'],
  int8: ['-1', '9223372036854775807'],
  bytea: [`''`],
  uuid: [`'00000000-0000-0000-0000-000000000000'`],
  bool: ['null'],
  date: [`'infinity'`],
  timestamptz: [`'infinity'`],
  _text: [`'{}'`, `'{garbage,null}'`],
  _numeric: [`'{}'`, `'{NaN,null}'`],
  _int4: [`'{-1,null}'`],
  _uuid: [`'{00000000-0000-0000-0000-000000000000}'`],
  _bytea: [`'{}'`, `array[''::bytea, null]`],
};

const columns = await database.query<{ table: string; column: string; type: string }>(
  `select table_name as table, column_name as column, udt_name as type
     from information_schema.columns
    where table_schema = 'public' and table_name = any($1)
    order by 1, ordinal_position`,
  [[...new Set([...moneyTables.map(({ table }) => table), 'seals'])]],
);

/** Gives the column that value in a row of the workspace that has another one, best not null. Constraints are dropped before. */
function spoil(table: string, column: string, value: string): string {
  return `do $$
  declare one record;
  begin
    for one in select conrelid::regclass as own, conname from pg_constraint
                where contype in ('c', 'f', 'u', 'p') and '${table}'::regclass in (conrelid, confrelid) order by contype = 'f' desc loop
      execute format('alter table %s drop constraint if exists %I cascade', one.own, one.conname);
    end loop;
    for one in select indexrelid::regclass as own from pg_index where indrelid = '${table}'::regclass and indisunique loop
      execute format('drop index %s', one.own);
    end loop;
    alter table ${table} alter column ${column} drop not null;
    update ${table} set ${column} = ${value}
     where ctid = (select ctid from ${table}
                    where workspace_id = ${workspaceId} and ${column}::text is distinct from (${value})::text
                    order by ${column} is null, ctid desc
                    limit 1);
  end $$`;
}

/** All verifications, to their end. */
async function verifyEachWay(inside: Database, tx: Queryable): Promise<LedgerFault[]> {
  const all = { ...inside, query: tx.query.bind(tx) };
  const found = [
    ...(await verifyLedger(all)).faults,
    ...(await verifyNew(all, workspaceId)).faults,
    ...(await findInPieces(tx, workspaceId)),
  ];
  await tx.query(
    `insert into verifications (workspace_id, number, kind, requested_at) values ($1, 1000, 'DAILY', '-infinity')`,
    [workspaceId],
  );
  for (let step = 0; step < 2; step++) found.push(...((await runVerification(all))?.faults ?? []));
  const [run] = await tx.query(`select from verifications where number = 1000 and finished_at is not null`);
  assert.ok(run, 'the daily verification has ended');
  return found;
}

for (const table of [...new Set(columns.map((one) => one.table))])
  test(`garbage in any column of ${table} is a finding, never an error`, async () => {
    // A line of a file that gets another number may still be at the same place.
    const declared = moneyTables.find((one) => one.table === table)?.columns ?? {};
    const values = columns
      .filter((one) => one.table === table)
      .flatMap(({ column, type }) => {
        assert.ok(garbage[type], `values for the type ${type}`);
        return garbage[type].map((value) => ({ column, value }));
      });
    for (const { column, value } of everyNth(4, values)) {
      const sql = spoil(table, column, value);
      const found = await tamper(database, sql, verifyEachWay).catch((error) => {
        throw new Error(`${table}.${column} = ${value}`, { cause: error });
      });
      const decides = !(column in declared && 'open' in (declared[column] as object)) && column !== 'nth';
      if (decides) assert.ok(found.length > 0, `${table}.${column} = ${value} is found`);
    }
  });
