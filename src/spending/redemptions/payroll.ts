import { createHash } from 'node:crypto';
import { audit } from '../../company/workspaces/audit.ts';
import { lockWorkspace, momentOf } from '../../company/workspaces/lock.ts';
import { seal } from '../../company/workspaces/seals.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { PayrollExport } from '../../ground/contract/payroll.ts';
import type { PayrollColumn } from '../../ground/contract/spending-option.ts';
import { lookUpByKey, type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { slowHistoryBase } from '../../ground/database/history.ts';
import { Failure } from '../../ground/errors.ts';
import { sumOf } from '../../ground/values/money.ts';
import { payrollId } from '../../ground/values/spending-kinds.ts';
import { type DueLine, readDue } from './payroll-due.ts';
import { readPayroll } from './payroll-read.ts';
import { lineText, payrollHeader } from './payroll-text.ts';
import { payrollRecord, redemptionRecord } from './sealed.ts';
import { readSpendingOption, usualColumns } from './spending-options.ts';

interface Closed {
  payroll: PayrollExport;
  replayed: boolean;
}

/**
 * Closes a payroll export: all payroll redemptions that no export has, and the reversals of those that one has. The text of its lines is
 * stored, so that the file stays the same when people are renamed. With the key of an earlier export nothing happens. No statement is about
 * the whole export: a company with a hundred thousand people has large ones.
 */
export async function closePayroll(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  idempotencyKey: string | null = null,
): Promise<Closed> {
  await lockWorkspace(tx, workspaceId);
  const earlier = await findEarlier(tx, workspaceId, idempotencyKey);
  if (earlier !== null) return { payroll: await readPayroll(tx, workspaceId, earlier), replayed: true };
  const { columns } = await readSpendingOption(tx, workspaceId, payrollId);
  const number = await nextPayrollNumber(tx, workspaceId);
  // After a rush the planner's statistics are stale.
  await lookUpByKey(tx);
  const { lines, totals, hash } = await storeLines(tx, workspaceId, number, columns ?? usualColumns);
  if (lines === 0)
    throw new Failure('conflict', 'Nothing is to be paid: no recipient has chosen payroll since the latest export.');
  await tx.query(closeSql, [
    workspaceId,
    number,
    momentOf(tx, workspaceId),
    actor.name,
    payrollHeader(columns ?? usualColumns),
    lines,
    idempotencyKey,
    JSON.stringify(totals),
    hash,
  ]);
  await seal(tx, workspaceId, { record: payrollRecord, keys: [number] });
  const payroll = await readPayroll(tx, workspaceId, number);
  const subject = { id: number, name: null };
  const { sha256 } = payroll;
  await audit(tx, { workspaceId, actor, action: 'payroll.exported', subject, detail: { lines, totals, sha256 } });
  return { payroll, replayed: false };
}

async function findEarlier(tx: Queryable, workspaceId: number, key: string | null): Promise<number | null> {
  const found = await queryOptional<{ number: number }>(
    tx,
    'select number from payroll_exports where workspace_id = $1 and idempotency_key = $2',
    [workspaceId, key],
  );
  return found?.number ?? null;
}

/** The number of the next export. */
export async function nextPayrollNumber(tx: Queryable, workspaceId: number): Promise<number> {
  const { next } = await queryOne<{ next: number }>(
    tx,
    `select greatest(max(number), ${slowHistoryBase}, 0) + 1 as next from payroll_exports where workspace_id = $1`,
    [workspaceId],
  );
  return next;
}

interface StoredLines extends Pick<PayrollExport, 'lines' | 'totals'> {
  /** SHA-256 of the file. */
  hash: Buffer;
}

/** Writes the lines of an export and marks what they pay or take back, some hundred at a time. */
async function storeLines(
  tx: Queryable,
  workspaceId: number,
  number: number,
  columns: readonly PayrollColumn[],
): Promise<StoredLines> {
  const hash = createHash('sha256').update(payrollHeader(columns));
  const sums = new Map<string, number>();
  let lines = 0;
  for (let due: DueLine[] = [], after = 0; ; lines += due.length) {
    due = await readDue(tx, workspaceId, after);
    if (due.length === 0) break;
    after = (due.at(-1) as DueLine).redemptionId;
    const ids = due.map(({ redemptionId }) => redemptionId);
    const amounts = due.map(({ amount }) => amount);
    const texts = due.map((line) => lineText(columns, line));
    await tx.query(linesSql, [workspaceId, number, lines, ids, amounts, texts]);
    await tx.query(markSql, [workspaceId, number, ids]);
    await seal(tx, workspaceId, { record: redemptionRecord, keys: ids });
    hash.update(texts.join(''));
    for (const { currency, amount } of due) sums.set(currency, sumOf([sums.get(currency) ?? 0, amount]));
  }
  const totals = [...sums.keys()].sort().map((currency) => ({ currency, amount: sums.get(currency) as number }));
  return { lines, totals, hash: hash.digest() };
}

const linesSql = `
  insert into payroll_lines (workspace_id, number, nth, redemption_id, amount, text)
  select $1, $2, $3::int + nth, redemption_id, amount, text
    from unnest($4::bigint[], $5::numeric[], $6::text[]) with ordinality as line (redemption_id, amount, text, nth)`;

// Without a join: with stale statistics the planner would read all redemptions of the workspace for one.
const markSql = `
  update redemptions
     set exported_in = case when state = 'DONE' then $2 else exported_in end,
         reversed_in = case when state = 'REVERSED' then $2 else reversed_in end
   where workspace_id = $1
     and id = any($3::bigint[])`;

const closeSql = `
  insert into payroll_exports (workspace_id, number, closed_at, closed_by, header, lines, idempotency_key, totals, hash)
  values ($1, $2, $3::timestamptz, $4, $5, $6, $7, $8, $9)`;
