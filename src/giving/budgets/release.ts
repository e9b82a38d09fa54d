import type { Queryable } from '../../ground/database/database.ts';
import { workspaceOf } from '../../ground/database/one-workspace.ts';
import type { Failure } from '../../ground/errors.ts';
import { lapseBefore } from './lapse-before.ts';
import { lockBudgets } from './lock-budgets.ts';
import { type Draw, overLimit, refuseOverBudget, reserveOrders } from './reserve.ts';
import { type BudgetOwner, ownerName } from './senders.ts';

/**
 * Of orders that waited with their money reserved: says which of them are above limits that were set meanwhile, by requestId. An order for
 * which there was no budget draws on the one that there is now. The caller holds the workspace's lock, and undoes everything if one is rejected.
 */
export async function reserveReleased(tx: Queryable, draws: readonly Draw[]): Promise<ReadonlyMap<string, Failure>> {
  await lockBudgets(tx, draws);
  const drawn = await tx.query<BudgetOwner & { requestId: string; giftLimit: number | null }>(drawnSql, [
    workspaceOf(draws),
    draws.map(({ requestId }) => requestId),
  ]);
  const books = new Map(drawn.map((one) => [one.requestId, one]));
  const free = draws.filter(({ requestId }) => !books.has(requestId));
  await lapseBefore(tx, free);
  const refused = new Map(free.length === 0 ? [] : await refuseOverBudget(tx, free));
  for (const { requestId, order } of draws) {
    const book = books.get(requestId);
    const largest = Math.max(...order.orderItems.map(({ amount }) => amount));
    if (book && book.giftLimit !== null && largest > book.giftLimit)
      refused.set(requestId, overLimit({ ...book, largest, currency: order.currency }, book.giftLimit));
  }
  if (refused.size === 0 && free.length > 0) await reserveOrders(tx, free);
  return refused;
}

const drawnSql = `
  select o.request_id as "requestId", b.gift_limit as "giftLimit",
         b.kind, ${ownerName} as owner
    from unnest($2::uuid[]) as asked (request_id)
    join order_budgets o on o.workspace_id = $1 and o.request_id = asked.request_id
    join budgets b       on b.workspace_id = $1 and b.id = o.budget_id`;
