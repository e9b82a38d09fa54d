import type { Queryable } from '../../ground/database/database.ts';
import type { LedgerFault } from './checks.ts';
import { sealedRecords } from './sealed.ts';
import { sinceChecks } from './since-checks.ts';
import { sinceOrders } from './since-orders.ts';

const [entries, balances, money, ...seals] = sinceChecks(sealedRecords);

/** What agrees in itself comes first, as in a verification of everything: the seals find more and say less about it. */
const checks = [entries, balances, ...sinceOrders, money, ...seals] as readonly string[];

/** Compares what is new since a checkpoint, and everything that can still be paid out, in the snapshot of `tx`. */
export async function verifySince(tx: Queryable, workspaceId: number, content: string): Promise<LedgerFault[]> {
  const found: LedgerFault[] = [];
  for (const check of checks) found.push(...(await tx.query<LedgerFault>(check, [workspaceId, content], 'once')));
  return found;
}

/** A checkpoint is sealed after the moment that it is about. One whose position was moved has no seal there. */
export async function checkpointProblems(tx: Queryable, workspaceId: number, content: string): Promise<LedgerFault[]> {
  const sealed = await tx.query(
    `select 1 from seals where workspace_id = $1 and number > ($2::json ->> 'seals')::bigint and 'checkpoint' = any(records) limit 1`,
    [workspaceId, content],
  );
  if (sealed.length > 0) return [];
  return [
    {
      workspaceId,
      budgetId: null,
      number: null,
      problem: 'The checkpoint has no seal: it was changed or added with SQL.',
    },
  ];
}
