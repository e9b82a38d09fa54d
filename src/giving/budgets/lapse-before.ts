import { lockWorkspace, timeOf } from '../../company/workspaces/lock.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { grantNext } from './allowances.ts';
import { namedBudgets, sendersOf } from './senders.ts';

interface Sent {
  workspaceId: number;
  senderId: number;
  budgetId?: number | null;
  order: { currency: string };
}

/**
 * Lets money lapse that should have lapsed before these orders come: workers may be late, or not there. Only in the budgets on which these orders draw: a
 * workspace can have thousands, and the others can wait for a worker. It takes the locks of those workspaces alone, and before any budget is locked.
 */
export async function lapseBefore(tx: Queryable, orders: readonly Sent[]): Promise<void> {
  const due = await tx.query<{ workspaceId: number; budgetIds: number[] }>(dueSql, [
    orders.map(({ workspaceId }) => workspaceId),
    orders.map(({ senderId }) => senderId),
    orders.map(({ order }) => order.currency),
    namedBudgets(orders),
  ]);
  for (const { workspaceId } of due) await lockWorkspace(tx, workspaceId);
  for (const { workspaceId, budgetIds } of due) await lapseFirst(tx, workspaceId, budgetIds);
}

/** Nothing is due in most workspaces: the budgets of senders are looked for in the others alone. */
const dueSql = `
  with ended as (
    select b.workspace_id, b.id
      from budgets b
      join activity_counters a using (workspace_id)
     where b.workspace_id = any($1::bigint[])
       and b.lapses_at <= ${timeOf('a')}
  ),
  sent as (
    select *
      from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) as o (workspace_id, sender_id, currency, named_budget_id)
     where workspace_id in (select workspace_id from ended)
  ),
  senders as (
    ${sendersOf('sent')}
  )
  select workspace_id as "workspaceId", array_agg(distinct budget_id::float8) as "budgetIds"
    from senders
   group by workspace_id
  having bool_or((workspace_id, budget_id) in (select workspace_id, id from ended))
   order by workspace_id`;

/**
 * Lets everything that is due of these budgets lapse, and grants their allowances that are due, before money moves in them. All of them are locked first, in
 * the order of their ids, as orders lock them. The caller holds the workspace's lock.
 */
export async function lapseFirst(tx: Queryable, workspaceId: number, budgetIds: readonly number[]): Promise<void> {
  await tx.query('select from budgets where workspace_id = $1 and id = any($2::bigint[]) order by id for update', [
    workspaceId,
    budgetIds,
  ]);
  while ((await grantNext(tx, workspaceId, budgetIds)) > 0);
}
