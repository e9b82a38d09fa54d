import { type Actor, audit } from '../access/audit.ts';
import type { PayrollExport } from '../contract/payroll.ts';
import type { PayrollColumn } from '../contract/way.ts';
import { type Queryable, queryOne, queryOptional } from '../database/database.ts';
import { Failure } from '../errors.ts';
import { lockWorkspace, momentOf } from '../workspaces/lock.ts';
import { type DueLine, readDue } from './payroll-due.ts';
import { readPayroll } from './payroll-read.ts';
import { headerText, lineText } from './payroll-text.ts';
import { payrollId } from './way-rules.ts';
import { readWay } from './ways.ts';

interface Closed {
  payroll: PayrollExport;
  replayed: boolean;
}

/**
 * Closes a payroll export: all payroll redemptions that no export has, and the reversals of those that one has. The text of its lines is
 * stored, so that the file stays the same when people are renamed. With the key of an earlier export nothing happens.
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
  const { columns } = await readWay(tx, workspaceId, payrollId);
  const number = await nextNumber(tx, workspaceId);
  const lines = await storeLines(tx, workspaceId, number, columns ?? usualColumns);
  if (lines === 0)
    throw new Failure('conflict', 'Nothing is to be paid: no recipient has chosen payroll since the latest export.');
  await tx.query(closeSql, [
    workspaceId,
    number,
    momentOf(tx, workspaceId),
    actor.name,
    headerText(columns ?? usualColumns),
    lines,
    idempotencyKey,
  ]);
  await tx.query(markPaidSql, [workspaceId, number]);
  const payroll = await readPayroll(tx, workspaceId, number);
  const subject = { id: number, name: null };
  const { totals, sha256 } = payroll;
  await audit(tx, { workspaceId, actor, action: 'payroll.exported', subject, detail: { lines, totals, sha256 } });
  return { payroll, replayed: false };
}

const usualColumns: readonly PayrollColumn[] = (
  ['employeeNumber', 'firstName', 'lastName', 'amount', 'currency', 'date', 'redemptionId'] as const
).map((field) => ({ header: field, field }));

async function findEarlier(tx: Queryable, workspaceId: number, key: string | null): Promise<number | null> {
  const found = await queryOptional<{ number: number }>(
    tx,
    'select number from payroll_exports where workspace_id = $1 and idempotency_key = $2',
    [workspaceId, key],
  );
  return found?.number ?? null;
}

async function nextNumber(tx: Queryable, workspaceId: number): Promise<number> {
  const { next } = await queryOne<{ next: number }>(
    tx,
    'select coalesce(max(number), 0) + 1 as next from payroll_exports where workspace_id = $1',
    [workspaceId],
  );
  return next;
}

/** Writes the lines of an export, some hundred at a time. Returns how many there are. */
async function storeLines(
  tx: Queryable,
  workspaceId: number,
  number: number,
  columns: readonly PayrollColumn[],
): Promise<number> {
  let count = 0;
  for (let due: DueLine[] = [], after = 0; ; count += due.length) {
    due = await readDue(tx, workspaceId, after);
    if (due.length === 0) return count;
    after = (due.at(-1) as DueLine).redemptionId;
    await tx.query(linesSql, [
      workspaceId,
      number,
      count,
      due.map(({ redemptionId }) => redemptionId),
      due.map(({ amount }) => amount),
      due.map((line) => lineText(columns, line)),
    ]);
  }
}

const linesSql = `
  insert into payroll_lines (workspace_id, number, nth, redemption_id, amount, text)
  select $1, $2, $3::int + nth, redemption_id, amount, text
    from unnest($4::bigint[], $5::numeric[], $6::text[]) with ordinality as line (redemption_id, amount, text, nth)`;

const closeSql = `
  insert into payroll_exports (workspace_id, number, closed_at, closed_by, header, lines, idempotency_key, totals, hash)
  select $1, $2, $3::timestamptz, $4, $5, $6, $7,
         (select jsonb_agg(jsonb_build_object('currency', currency, 'amount', amount) order by currency)
            from (select r.currency, sum(l.amount) as amount
                    from payroll_lines l
                    join redemptions d    on d.workspace_id = l.workspace_id and d.id = l.redemption_id
                    join order_requests r on r.workspace_id = d.workspace_id and r.request_id = d.request_id
                   where l.workspace_id = $1
                     and l.number = $2
                   group by r.currency) total),
         (select sha256(convert_to($5 || string_agg(text, '' order by nth), 'UTF8'))
            from payroll_lines
           where workspace_id = $1
             and number = $2)`;

const markPaidSql = `
  update redemptions d
     set exported_in = case when l.amount > 0 then l.number else d.exported_in end,
         reversed_in = case when l.amount < 0 then l.number else d.reversed_in end
    from payroll_lines l
   where l.workspace_id = $1
     and l.number = $2
     and d.workspace_id = l.workspace_id
     and d.id = l.redemption_id`;
