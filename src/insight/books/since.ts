import type { Queryable } from '../../ground/database/database.ts';
import type { LedgerFault } from './checks.ts';
import { findProblems, ifReadable } from './readable.ts';
import { sealedRecords } from './sealed.ts';
import { books, sinceChecks } from './since-checks.ts';
import { sinceOrders } from './since-orders.ts';

const [entries, balances, money, ...seals] = sinceChecks(sealedRecords);

/** What agrees in itself comes first, as in a verification of everything: the seals find more and say less about it. */
const checks = [entries, balances, ...sinceOrders, money, ...seals] as readonly string[];

/** Compares what is new since a checkpoint, and everything that can still be paid out, in the snapshot of `tx`. */
export async function verifySince(tx: Queryable, workspaceId: number, content: string): Promise<LedgerFault[]> {
  const found: LedgerFault[] = [];
  for (const check of checks) found.push(...(await findProblems(tx, check, [workspaceId, content])));
  return found;
}

/** Whether what the comparisons read of a checkpoint has its form. */
export function isReadable(tx: Queryable, content: string): Promise<boolean> {
  const read = async () => (await tx.query<{ isWhole: boolean }>(readableSql, [content], 'once'))[0]?.isWhole ?? false;
  return ifReadable(tx, read, () => false);
}

const readableSql = `
  with ${books.replaceAll('$2', '$1')},
  waited as (select * from json_to_recordset($1::json -> 'reserved') as r ("requestId" uuid, amount numeric)),
  records as (select decode(one ->> 2, 'hex') as hash from json_array_elements($1::json -> 'records') as one)
  select ($1::json ->> 'seals')::bigint is not null and ($1::json ->> 'sealHash') is not null
         and coalesce((select bool_and(books is not null) from books), $1::json -> 'books' is not null)
         and coalesce((select bool_and(waited is not null) from waited), $1::json -> 'reserved' is not null)
         and coalesce((select bool_and(hash is not null) from records), $1::json -> 'records' is not null) as "isWhole"`;

/** A checkpoint is sealed after the moment that it is about. One whose position was moved has no seal there. */
export async function checkpointProblems(tx: Queryable, workspaceId: number, content: string): Promise<LedgerFault[]> {
  const sealed = await tx.query(
    `select 1 from seals where workspace_id = $1 and number > ($2::json ->> 'seals')::bigint and 'checkpoint' = any(records) limit 1`,
    [workspaceId, content],
  );
  return sealed.length > 0 ? [] : [aboutCheckpoint(workspaceId, 'has no seal: it was changed or added with SQL')];
}

export function aboutCheckpoint(workspaceId: number, problem: string): LedgerFault {
  return { workspaceId, budgetId: null, number: null, problem: `The checkpoint ${problem}.` };
}

export const unreadableCheckpoint = 'cannot be read: it was changed with SQL';
