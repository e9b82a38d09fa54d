import { recordsOf } from '../../company/directory/who.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { violates } from '../../ground/database/errors.ts';
import { workspaceOf } from '../../ground/database/one-workspace.ts';
import { inUnits, sumOf, unitsOfOne } from '../../ground/values/money.ts';
import type { AcceptedOrder, ConcernedOrder } from '../orders/order-steps.ts';
import { fits, isByTotal } from './fits.ts';
import { monthNow } from './sender-months.ts';

/*
 * Adds accepted orders to the totals of their senders (sender-months.ts). While a total stays within the lowest limit of the rules that measure it, no rule by
 * this total fits, so the statement that stores an order counts it and nothing has to be judged. A constraint rejects what is above: then a
 * transaction judges the orders. The total may not be above what it judged by
 * either, unless it stays within the limit. So no total exceeds a limit unseen, however the two are mixed.
 */

/** Whether a sender's month alone may have to do with an order: of the other rules none can fit it. */
export function isCountedAlone({ workspace: { rules, role, firstTokenId }, tokenId, order }: ConcernedOrder): boolean {
  return rules.every((rule) =>
    isByTotal(rule) && rule.currency === order.currency
      ? rule.measure === 'SENDER_MONTH'
      : !fits(rule, { tokenId: firstTokenId, callerId: tokenId, role }, order),
  );
}

/** Whether a statement failed because a total would exceed the limit up to which it needs no judgement. */
export function isOverMonth(error: unknown): boolean {
  return violates(error, 'sender_months_limit');
}

/** What each order costs, in its sequence, as an array of PostgreSQL in whole units. */
export function monthCosts(orders: readonly AcceptedOrder[]): string {
  return `{${orders.map(({ order }) => inUnits(totalOf(order))).join()}}`;
}

function totalOf({ orderItems }: AcceptedOrder['order']): number {
  return sumOf(orderItems.map(({ amount }) => amount));
}

/** By transaction: the totals by which it judges orders, by requestId, without these orders. */
const judged = new WeakMap<Queryable, Map<string, number>>();

export function noteJudged(tx: Queryable, totals: Iterable<readonly [requestId: string, total: number]>): void {
  judged.set(tx, new Map([...(judged.get(tx) ?? []), ...totals]));
}

/** Adds accepted orders of a workspace to the totals of their senders, where it counts them. */
export async function countSenderMonths(tx: Queryable, orders: readonly AcceptedOrder[]): Promise<void> {
  const totals = judged.get(tx);
  await tx.query(countSql, [
    workspaceOf(orders),
    orders.map(({ requestId }) => requestId),
    orders.map(({ senderId }) => senderId),
    orders.map(({ order }) => order.currency),
    monthCosts(orders),
    orders.map(({ requestId }) => totals?.get(requestId) ?? null),
  ]);
}

/** Whether a record `member_id` of `total` is not the only one of its person. Then its row alone does not have the total. */
const isOneOfSeveral = (workspace: string) => `exists (
           select from (${recordsOf(workspace, 'total.member_id')}) record where record.id <> total.member_id)`;

/**
 * The CTEs that count orders. `orders` has workspace_id, request_id, sender_id, currency, nth and judged_total, `costs` is what `monthCosts` returns. `limit`
 * is an SQL expression of the limit that a total must stay within, of `counting` and `total`. What belongs to all orders in a currency is read once.
 */
const countingIn = (orders: string, workspace: string, costs: string, limit: string) => `
  counting as materialized (
    select asked.workspace_id, asked.currency, c.round, c.least_above, ${monthNow(workspace)} as month
      from (select distinct workspace_id, currency from ${orders}) asked
      join sender_month_counts c on c.workspace_id = ${workspace} and c.currency = asked.currency
     where c.since is not null
  ),
  month_costs as materialized (
    select c.workspace_id, c.month, o.sender_id as member_id, c.currency, c.round, o.request_id, o.judged_total,
           ((${costs}::bigint[])[o.nth] * ${1 / unitsOfOne})::numeric(20, 4) as amount
      from counting c
     cross join lateral (
       select sender_id, request_id, nth, judged_total
         from ${orders} o
        where o.workspace_id = c.workspace_id and o.currency = c.currency
       offset 0) o
  ),
  month_orders as (
    insert into sender_month_orders (workspace_id, request_id, member_id, currency, month, round, amount)
    select workspace_id, request_id, member_id, currency, month, round, amount from month_costs
  ),
  month_totals as (
    insert into sender_months as s (workspace_id, month, member_id, currency, round, counted, month_limit)
    select total.workspace_id, total.month, total.member_id, total.currency, total.round, total.amount, ${limit}
      from (select workspace_id, month, member_id, currency, round, sum(amount) as amount, max(judged_total) as judged_total
              from month_costs
             group by workspace_id, month, member_id, currency, round) total
      join counting on counting.workspace_id = total.workspace_id and counting.currency = total.currency
     order by total.workspace_id, total.month, total.member_id, total.currency, total.round
    on conflict (workspace_id, month, member_id, currency, round)
    do update set counted = s.counted + excluded.counted, month_limit = excluded.month_limit
  )`;

/**
 * The CTEs for the statement that stores orders, which judges none of them. A total that the row does not have is above every limit. PostgreSQL runs
 * the CTEs of a later step first, so budgets are locked before totals, as in a transaction.
 */
export function counting(orders: string, costs: string): string {
  return `unjudged as (
    select workspace_id, request_id, sender_id, currency, nth, null::numeric as judged_total from ${orders}
  ),
  ${countingIn('unjudged', 'asked.workspace_id', costs, `case when ${isOneOfSeveral('total.workspace_id')} then -1 else coalesce(counting.least_above, -1) end`)}`;
}

/** One statement: if the round ends meanwhile, all tables have the order in the same one. */
const countSql = `
  with sent as (
    select $1::bigint as workspace_id, o.*
      from unnest($2::uuid[], $3::bigint[], $4::text[], $6::numeric[]) with ordinality
             as o (request_id, sender_id, currency, judged_total, nth)
  ),
  ${countingIn(
    'sent',
    '$1::bigint',
    '$5',
    `case when not ${isOneOfSeveral('$1::bigint')} then greatest(counting.least_above, total.judged_total + total.amount) end`,
  )}
  select from counting`;
