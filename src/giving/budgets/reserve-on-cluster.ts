import type { Queryable } from '../../ground/database/database.ts';
import { sumOf } from '../../ground/values/money.ts';
import { post } from './post.ts';
import { sendersOf } from './senders.ts';

/** An order that may draw on a budget. */
export interface Draw {
  workspaceId: number;
  requestId: string;
  senderId: number;
  /** The budget that the order names. */
  budgetId?: number | null;
  order: { currency: string; orderItems: readonly { amount: number }[] };
}

/**
 * The time in a workspace, of its clock alone: the test clock may be ahead, and periods end by it. No `clock_timestamp()`, as in every statement that
 * changes rows.
 */
export function workspaceNow(workspaceId: string): string {
  return `(now() + (select a.clock_ahead from activity_counters a where a.workspace_id = ${workspaceId}))`;
}

export function costOfOrder({ orderItems }: Draw['order']): [total: number, largest: number] {
  const amounts = orderItems.map(({ amount }) => amount);
  return [sumOf(amounts), Math.max(...amounts)];
}

/** The orders $1 to $5, as the CTE `sent`: workspaces, ids, senders, currencies and the budgets that they name. */
export const sentOrders = `
  with sent as (
    select *
      from unnest($1::bigint[], $2::uuid[], $3::bigint[], $4::text[], $5::bigint[]) with ordinality
             as o (workspace_id, request_id, sender_id, currency, named_budget_id, nth)
  )`;

/** What an order draws on a budget. */
interface DrawnRow {
  nth: number;
  budgetId: number;
  shareMemberId: number | null;
  shareMonth: string | null;
  monthCap: string | null;
  at: string;
}

/** Reserves what orders of one workspace cost, with a statement for each table. `values` are those of `sentOrders`. */
export async function reserveOnCluster(
  tx: Queryable,
  draws: readonly Draw[],
  values: readonly unknown[],
): Promise<void> {
  const workspaceId = (draws[0] as Draw).workspaceId;
  const rows = await tx.query<DrawnRow>(drawsOnClusterSql, [...values.slice(0, 5), workspaceId]);
  const [first] = rows;
  if (!first) return;
  const drawn = rows.map((row) => {
    const draw = draws[row.nth - 1] as Draw;
    const [total, largest] = costOfOrder(draw.order);
    return { ...row, requestId: draw.requestId, currency: draw.order.currency, total, largest };
  });
  const columnsOf = (some: typeof drawn) => [
    workspaceId,
    some.map(({ budgetId }) => budgetId),
    some.map(({ shareMemberId }) => shareMemberId),
    some.map(({ shareMonth }) => shareMonth),
    some.map(({ total }) => total),
  ];
  await tx.query(drawnSql, [...columnsOf(drawn), drawn.map(({ requestId }) => requestId)]);
  const postings = [...Map.groupBy(drawn, ({ budgetId }) => budgetId)].map(([budgetId, some]) => ({
    budgetId,
    isUnlimited: false,
    type: 'COMMITTED' as const,
    lines: some.map(({ requestId, total, currency }) => ({ requestId, amount: total, currency })),
    largestGift: Math.max(...some.map(({ largest }) => largest)),
  }));
  await post(tx, workspaceId, first.at, postings);
  const shared = drawn.filter(({ shareMemberId }) => shareMemberId !== null);
  if (shared.length > 0) await tx.query(sharesSql, [...columnsOf(shared), shared.map(({ monthCap }) => monthCap)]);
}

const drawsOnClusterSql = `${sentOrders},
  senders as (
    ${sendersOf('sent', '$6::bigint')}
  )
  select o.nth, s.budget_id as "budgetId", s.share_member_id as "shareMemberId", s.share_month::text as "shareMonth",
         s.month_cap::text as "monthCap", ${workspaceNow('$6::bigint')}::text as at
    from sent o
    join senders s using (workspace_id, sender_id, currency)
   where $2::uuid[] is not null
     and s.named_budget_id is not distinct from o.named_budget_id
   order by s.budget_id, o.nth`;

const drawnSql = `
  insert into order_budgets (workspace_id, budget_id, share_member_id, share_month, amount, request_id)
  select $1::bigint, * from unnest($2::bigint[], $3::bigint[], $4::date[], $5::numeric[], $6::uuid[])`;

const sharesSql = `
  insert into budget_shares (workspace_id, budget_id, member_id, month, amount, month_cap)
  select $1::bigint, budget_id, member_id, month, sum(amount), max(month_cap)
    from unnest($2::bigint[], $3::bigint[], $4::date[], $5::numeric[], $6::numeric[]) as d (budget_id, member_id, month, amount, month_cap)
   group by budget_id, member_id, month
   order by budget_id, member_id, month
  on conflict (workspace_id, budget_id, member_id, month)
  do update set amount = budget_shares.amount + excluded.amount, month_cap = excluded.month_cap`;
