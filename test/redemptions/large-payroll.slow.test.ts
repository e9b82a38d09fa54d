import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import type { PayrollExport, PayrollPage } from '../../src/ground/contract/payroll.ts';
import { type Queryable, queryOne } from '../../src/ground/database/database.ts';
import { closePayroll } from '../../src/spending/redemptions/payroll.ts';
import { giftsOf } from '../support/gifts.ts';
import { claim, spend } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;

/** A workspace in which so many redemptions of 0.01 CAD are to be paid. They are copies: the ledger does not have them. */
async function openRush(lines: number) {
  const { workspace, issue } = await giftsOf(service);
  const [gift] = (await issue({ email: 'ada@example.com', employeeNumber: 'A-1' })) as [number];
  await claim(database, workspace.id, gift);
  const { redemption } = await spend(database, workspace.id, gift, 'payroll', { amount: 0.01 });
  await database.query(
    `insert into redemptions (workspace_id, id, request_id, position, spending_option, kind, spending_option_name, tax_type, amount, state, at, finished_at, detail)
     select workspace_id, id + nth, request_id, position, spending_option, kind, spending_option_name, tax_type, amount, state, at, finished_at, detail
       from redemptions, generate_series(1, $3::int - 1) nth
      where workspace_id = $1
        and id = $2`,
    [workspace.id, redemption.id, lines],
  );
  return workspace;
}

/** How many rows of redemptions and lines the transaction has read and written so far. */
async function rowsOf(tx: Queryable): Promise<number> {
  const { rows } = await queryOne<{ rows: number }>(
    tx,
    `select sum(n_tup_ins + n_tup_upd + seq_tup_read + coalesce(idx_tup_fetch, 0)) as rows
       from pg_stat_xact_user_tables
      where relname in ('redemptions', 'payroll_lines')`,
  );
  return rows;
}

/** Closes an export, and counts the rows that its largest statement reads and writes. */
function countLargest(workspaceId: number): Promise<{ payroll: PayrollExport; largest: number }> {
  return database.transaction(async (tx) => {
    const query = tx.query.bind(tx);
    const counter: Queryable = { query };
    let largest = 0;
    tx.query = async (...statement: Parameters<Queryable['query']>) => {
      const before = await rowsOf(counter);
      const rows = await query(...statement);
      largest = Math.max(largest, (await rowsOf(counter)) - before);
      return rows as never[];
    };
    const { payroll } = await closePayroll(tx, atTheCommandLine, workspaceId);
    return { payroll, largest };
  });
}

test('no statement reads or writes more rows because an export is larger', async () => {
  const [large, larger] = [await openRush(1_100), await openRush(2_300)];
  const [one, other] = [await countLargest(large.id), await countLargest(larger.id)];
  assert.deepEqual([one.payroll.lines, other.payroll.lines], [1_100, 2_300]);
  assert.ok(one.largest >= 500, `${one.largest} rows: nothing was counted`);
  assert.equal(other.largest, one.largest);
});

test('an export of many pieces has every line once, with its total and the hash of its file', async () => {
  const workspace = await openRush(1_234);
  const path = '/api/v1/payroll-exports';
  const { status, body: closed } = await workspace.call<PayrollExport>(path, { method: 'POST' });
  assert.deepEqual([status, closed.lines, closed.totals], [201, 1_234, [{ currency: 'CAD', amount: 12.34 }]]);
  const file = await workspace.call<string>(`${path}/1`, { headers: { Accept: 'text/csv' } });
  assert.equal(createHash('sha256').update(file.body).digest('hex'), closed.sha256);
  const ids = file.body
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').at(-1));
  assert.equal(new Set(ids).size, 1_234);
  const { waiting } = await workspace.read<PayrollPage>(path);
  assert.equal(waiting, 0);
  assert.equal((await workspace.call(path, { method: 'POST' })).status, 409);
});
