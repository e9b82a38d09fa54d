import { lockWorkspace, timeOf } from '../../company/workspaces/lock.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { grantNext } from './allowances.ts';

/**
 * Lets money lapse that should have lapsed before these orders come: workers may be late, or not there. It takes the locks of those workspaces alone, and before
 * any budget is locked.
 */
export async function lapseBefore(tx: Queryable, orders: readonly { workspaceId: number }[]): Promise<void> {
  const workspaceIds = [...new Set(orders.map(({ workspaceId }) => workspaceId))];
  const due = await tx.query<{ workspaceId: number; budgetIds: number[] }>(dueSql, [workspaceIds]);
  for (const { workspaceId, budgetIds } of due) {
    await lockWorkspace(tx, workspaceId);
    while ((await grantNext(tx, workspaceId, budgetIds)) > 0);
  }
}

const dueSql = `
  select b.workspace_id as "workspaceId", array_agg(b.id::float8 order by b.id) as "budgetIds"
    from budgets b
    join activity_counters a using (workspace_id)
   where b.workspace_id = any($1::bigint[])
     and b.lapses_at <= ${timeOf('a')}
   group by b.workspace_id
   order by b.workspace_id`;
