import type { Queryable } from '../../ground/database/database.ts';
import { workspaceOf } from '../../ground/database/one-workspace.ts';
import { namedBudgets, sendersOf } from './senders.ts';

/** An order, as far as it says which budget it draws on. */
export interface Drawing {
  workspaceId: number;
  requestId: string;
  senderId: number;
  budgetId?: number | null;
  order: { currency: string };
}

/**
 * Locks the budgets that these orders have drawn on, and of the others the budgets on which they would draw now, all at once in the order of their ids. A
 * transaction that changes several budgets one after the other calls it first: acceptance locks budgets in the same order, so neither waits for the other in a circle.
 */
export async function lockBudgets(tx: Queryable, orders: readonly Drawing[]): Promise<void> {
  await tx.query(lockSql, [
    workspaceOf(orders),
    orders.map(({ requestId }) => requestId),
    orders.map(({ senderId }) => senderId),
    orders.map(({ order }) => order.currency),
    namedBudgets(orders),
  ]);
}

const lockSql = `
  with asked as (
    select $1::bigint as workspace_id, a.*, o.budget_id
      from unnest($2::uuid[], $3::bigint[], $4::text[], $5::bigint[]) as a (request_id, sender_id, currency, named_budget_id)
      left join order_budgets o on o.workspace_id = $1 and o.request_id = a.request_id
  ),
  free as (
    select workspace_id, sender_id, currency, named_budget_id from asked where budget_id is null
  ),
  senders as (
    ${sendersOf('free', '$1::bigint')}
  )
  select from budgets
   where workspace_id = $1
     and id in (select budget_id from asked
                 union all
                select budget_id from senders)
   order by id
     for update`;

/** The same of orders that have drawn on a budget. */
export async function lockDrawnBudgets(tx: Queryable, workspaceId: number, requestIds: readonly string[]) {
  await tx.query(
    `select from budgets
      where workspace_id = $1
        and id in (select budget_id from order_budgets where workspace_id = $1 and request_id = any($2::uuid[]))
      order by id
        for update`,
    [workspaceId, requestIds],
  );
}
