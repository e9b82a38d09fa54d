import { lockWorkspace, timeOf } from '../../company/workspaces/lock.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { workspaceOf } from '../../ground/database/one-workspace.ts';
import { grantNext } from './allowances.ts';
import { namedBudgets, sendersOf } from './senders.ts';

interface Sent {
  workspaceId: number;
  senderId: number;
  budgetId?: number | null;
  order: { currency: string };
}

/**
 * Lets money lapse that should have lapsed before these orders of a workspace come: workers may be late, or not there. Only in the budgets on which these orders draw: a
 * workspace can have thousands, and the others can wait for a worker. It takes the lock of the workspace if something is due, and before any budget is locked.
 */
export async function lapseBefore(tx: Queryable, orders: readonly Sent[]): Promise<void> {
  if (orders.length === 0) return;
  const workspaceId = workspaceOf(orders);
  const due = await tx.query<{ id: number }>(dueSql, [
    workspaceId,
    orders.map(({ senderId }) => senderId),
    orders.map(({ order }) => order.currency),
    namedBudgets(orders),
  ]);
  if (due.length === 0) return;
  await lockWorkspace(tx, workspaceId);
  await lapseFirst(
    tx,
    workspaceId,
    due.map(({ id }) => id),
  );
}

/** Nothing is due in most workspaces: the budgets of senders are looked for where something is. */
const dueSql = `
  with ended as (
    select b.id
      from budgets b
      join activity_counters a on a.workspace_id = $1
     where b.workspace_id = $1
       and b.lapses_at <= ${timeOf('a')}
  ),
  sent as (
    select $1::bigint as workspace_id, o.*
      from unnest($2::bigint[], $3::text[], $4::bigint[]) as o (sender_id, currency, named_budget_id)
     where exists (select from ended)
  ),
  senders as (
    ${sendersOf('sent', '$1::bigint')}
  )
  select distinct budget_id as id
    from senders
   where exists (select from senders where budget_id in (select id from ended))`;

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
