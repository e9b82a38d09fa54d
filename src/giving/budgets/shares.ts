import type { Queryable } from '../../ground/database/database.ts';
import type { EntryType } from './entry.ts';
import type { Line } from './post.ts';

/**
 * The CTE that adds orders to the shares of their senders. `draws` is a CTE of orders with budget_id, amount, share_member_id, share_month and
 * month_cap. A constraint rejects what is above the cap. It reads `moved`, so that a budget is always locked before its shares.
 */
export function sharing(draws: string): string {
  return `shared as (
    insert into budget_shares (workspace_id, budget_id, member_id, month, amount, month_cap)
    select d.workspace_id, d.budget_id, d.share_member_id, d.share_month, sum(d.amount), max(d.month_cap)
      from ${draws} d
     where d.share_member_id is not null
       and exists (select from moved m where m.workspace_id = d.workspace_id and m.budget_id = d.budget_id)
     group by d.workspace_id, d.budget_id, d.share_member_id, d.share_month
     order by d.workspace_id, d.budget_id, d.share_member_id, d.share_month
    on conflict (workspace_id, budget_id, member_id, month)
    do update set amount = budget_shares.amount + excluded.amount, month_cap = excluded.month_cap
  )`;
}

/** What an entry does to the share of the sender of an order: money that comes back is theirs again in the month of the order. */
const effects: Partial<Record<EntryType, 1 | -1>> = { RELEASED: -1, RETURNED: -1, REVIVED: 1 };

/** Whether entries of a type change shares. */
export function changesShares(type: EntryType): boolean {
  return effects[type] !== undefined;
}

/** Changes the shares of orders by what an entry about them has moved. Orders outside of a share are left alone. */
export async function moveShares(
  tx: Queryable,
  workspaceId: number,
  type: EntryType,
  lines: readonly Line[],
): Promise<void> {
  await tx.query(
    `update budget_shares s
        set amount = s.amount + moved.amount, month_cap = null
       from (select o.budget_id, o.share_member_id, o.share_month, sum(line.amount) * $4::int as amount
               from unnest($2::uuid[], $3::numeric[]) as line (request_id, amount)
               join order_budgets o on o.workspace_id = $1 and o.request_id = line.request_id
              where o.share_member_id is not null
              group by o.budget_id, o.share_member_id, o.share_month) moved
      where s.workspace_id = $1
        and s.budget_id = moved.budget_id
        and s.member_id = moved.share_member_id
        and s.month = moved.share_month`,
    [workspaceId, lines.map(({ requestId }) => requestId), lines.map(({ amount }) => amount), effects[type]],
  );
}
