import type { Queryable } from '../../ground/database/database.ts';
import { postLines } from './books.ts';
import { announceLevels } from './levels.ts';
import { lockDrawnBudgets } from './lock-budgets.ts';
import type { Line } from './post.ts';

/** Orders of one workspace that have got their outcome. */
export interface Settled {
  completed: readonly { requestId: string; total: number; currency: string }[];
  failed: readonly { requestId: string }[];
}

/**
 * Moves what finished orders cost: on to the gifts that were issued, or back to the budget. The caller holds the workspace's
 * lock. Says what is low after that, also because orders were accepted meanwhile: acceptance does not hold the lock that events need.
 */
export async function settleOrders(
  tx: Queryable,
  workspaceId: number,
  moment: string,
  { completed, failed }: Settled,
): Promise<void> {
  if (completed.length > 0 && failed.length > 0)
    await lockDrawnBudgets(
      tx,
      workspaceId,
      [...completed, ...failed].map(({ requestId }) => requestId),
    );
  const issued = completed.map(({ requestId, total, currency }) => ({ requestId, amount: total, currency }));
  const drawnOn = await postLines(tx, workspaceId, moment, 'ISSUED', issued);
  const released = failed.length === 0 ? [] : await releaseOrders(tx, workspaceId, moment, failed);
  await announceLevels(tx, workspaceId, moment, [...drawnOn, ...released]);
}

/** An order that is tried again later draws on the budget that its sender has then. */
async function releaseOrders(
  tx: Queryable,
  workspaceId: number,
  moment: string,
  failed: readonly { requestId: string }[],
): Promise<number[]> {
  const requestIds = failed.map(({ requestId }) => requestId);
  const lines = await tx.query<Line>(
    `select o.request_id as "requestId", o.amount, b.currency
       from order_budgets o
       join budgets b on b.workspace_id = o.workspace_id and b.id = o.budget_id
      where o.workspace_id = $1
        and o.request_id = any($2::uuid[])`,
    [workspaceId, requestIds],
  );
  const released = await postLines(tx, workspaceId, moment, 'RELEASED', lines);
  await tx.query('delete from order_budgets where workspace_id = $1 and request_id = any($2::uuid[])', [
    workspaceId,
    requestIds,
  ]);
  return released;
}
