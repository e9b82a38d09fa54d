import { totalOfGifts } from '../../giving/budgets/cost.ts';
import { everywhere, mostFindings, rowsOf, type Within } from './checks.ts';

/**
 * The CTE `compared`: every order with its gifts, entries, outcome and what it has reserved, and what is wrong with it.
 *
 * The tables are joined from orders to the others, all by the same key: full joins took a third longer for a million gifts. What belongs
 * to no stored order is found by counting.
 */
function comparing(within: Within = everywhere): string {
  return `
  lines as (
    select e.workspace_id, line.request_id, max(e.number) as number, max(e.budget_id) as budget_id, count(*) as lines,
           max(e.budget_id) filter (where e.type = 'ISSUED')              as issued_by,
           coalesce(sum(case e.type when 'COMMITTED' then line.amount
                                    when 'RELEASED' then -line.amount end), 0) as reserved,
           coalesce(sum(line.amount) filter (where e.type = 'ISSUED'), 0) as issued
      from ${rowsOf('ledger_entries')} e
     cross join unnest(e.requests, e.amounts) as line (request_id, amount)
     where cardinality(e.positions) = 0
       and ${within('line.request_id')}
     group by e.workspace_id, line.request_id
  ),
  gifts as (
    select workspace_id, request_id, sum(amount) as total, count(*) as gifts
      from ${rowsOf('certificates')} c
     where ${within('request_id')}
     group by workspace_id, request_id
  ),
  requested as (
    select workspace_id, request_id, currency, ${totalOfGifts('items')} as total
      from (select workspace_id, request_id, currency, body -> 'orderItems' as items
              from ${rowsOf('order_requests')} r
             where ${within('request_id')}
            offset 0) sent
    offset 0
  ),
  compared as (
    select r.workspace_id, r.request_id, r.currency, g.total as gifts, l.request_id is not null as is_covered, l.number, l.budget_id,
           g.gifts as gift_count, l.lines, o.request_id as outcome, b.request_id as reserved,
           case when o.id is not null and g.total is distinct from r.total
                     then format('Order %s asks for %s, and its gifts add up to %s.', r.request_id, r.total, coalesce(g.total, 0))
                when o.id is null and g.total is not null then format('Order %s has gifts, and was not completed.', r.request_id)
                when o.id is not null and l.issued <> g.total
                     then format('The gifts of order %s add up to %s, and its entries say %s.', r.request_id, g.total, l.issued)
                when o.id is null and l.issued <> 0 then format('Order %s was not completed, and its entries say that it was.', r.request_id)
                when o.failure is null and b.amount is not null and b.amount is distinct from r.total
                     then format('%s is reserved for order %s, which asks for %s.', b.amount, r.request_id, r.total)
                when coalesce(l.reserved, 0) <> coalesce(b.amount, 0)
                     then format('Order %s has reserved %s, and its entries say %s.', r.request_id, coalesce(b.amount, 0), coalesce(l.reserved, 0))
                when l.issued_by <> b.budget_id then format('Order %s has drawn on another budget than it has reserved.', r.request_id)
                when (b.share_member_id is null) <> (b.share_month is null)
                     then format('The share in which order %s counts has no member or no month.', r.request_id)
           end as problem
      from requested r
      left join gifts g         on g.workspace_id = r.workspace_id and g.request_id = r.request_id
      left join lines l         on l.workspace_id = r.workspace_id and l.request_id = r.request_id
      left join orders o        on o.workspace_id = r.workspace_id and o.request_id = r.request_id and ${within('o.request_id')}
      left join order_budgets b on b.workspace_id = r.workspace_id and b.request_id = r.request_id and ${within('b.request_id')}
  )`;
}

/** What the entries say that open the books. */
const opening = `
  opening as (
    select b.workspace_id, b.currency, min(b.id) as budget_id, sum(e.amount) as amount
      from ${rowsOf('ledger_entries')} e
      join budgets b on b.workspace_id = e.workspace_id and b.id = e.budget_id
     where e.type = 'OPENED'
     group by b.workspace_id, b.currency
  )`;

function openingProblem(total: string): string {
  return `format('The gifts of the time before the ledger add up to %s %s, and the entry that opens the book says %s.',
                 coalesce(${total}, 0), currency, coalesce(o.amount, 0))`;
}

/** This many pages of the table are enough to estimate its middle. */
const sampledPages = 200;

/** A requestId about in the middle of all, to share the orders between two statements. */
export const middleOfOrders = `
  select coalesce(percentile_disc(0.5) within group (order by request_id), '00000000-0000-0000-0000-000000000000') as middle
    from ${rowsOf(`order_requests tablesample system (least(100, ${sampledPages} * 819200.0 / greatest(1, pg_relation_size('order_requests'))))`)} r`;

/** The orders before `$2`, and those from it on. */
export const shares: readonly Within[] = ['<', '>='].map((sign) => (requestId) => `${requestId} ${sign} $2::uuid`);

/**
 * Compares orders as `orderProblems` does, and keeps nothing of each of them: how many are wrong, and what has to be compared with other
 * tables. A JSON array, for `ordersAgree`.
 */
export function orderSums(within: Within): string {
  return `
  with ${comparing(within)},
  sums as (
    select workspace_id, currency, count(problem) as problems, sum(gifts) filter (where not is_covered) as older,
           sum(gift_count) as gifts, sum(lines) as lines, count(outcome) as outcomes, count(reserved) as reserved
      from compared
     group by workspace_id, currency
  )
  select coalesce(json_agg(sums), '[]')::text as sums from sums`;
}

/** Whether orders agree with everything else. `$2`: the sums of all orders, an array of arrays. */
export function ordersAgree(): string {
  const sumOf = (column: string) => `(select coalesce(sum(${column}), 0) from sums)`;
  const countOf = (table: string) => `(select count(*) from ${rowsOf(table)} t)`;
  return `
  with sums as materialized (
    select sums.*
      from json_array_elements($2::json) as share
     cross join json_to_recordset(share) as sums (workspace_id bigint, currency text, problems bigint, older numeric, gifts bigint,
                                                  lines bigint, outcomes bigint, reserved bigint)
  ),
  ${opening}
  select ${sumOf('problems')} = 0
         and ${sumOf('gifts')} = ${countOf('certificates')}
         and ${sumOf('outcomes')} = ${countOf('orders')}
         and ${sumOf('reserved')} = ${countOf('order_budgets')}
         and ${sumOf('lines')} = (select coalesce(sum(cardinality(requests)), 0) from ${rowsOf('ledger_entries')} e where cardinality(positions) = 0)
         and not exists (select
                           from (select workspace_id, currency, sum(older) as total from sums group by workspace_id, currency) s
                           full join opening o using (workspace_id, currency)
                          where coalesce(s.total, 0) <> coalesce(o.amount, 0)) as agree`;
}

/**
 * What is wrong with orders, as a statement: the total that was sent is the sum of the gifts, and both are what the entries say. The gifts
 * of orders without entries, of the time before the ledger, add up to the entries that open the books. One statement, because both
 * need the comparison of all orders with all gifts.
 */
export function orderProblems(): string {
  return `
  with ${comparing()},
  ${opening}
  (select workspace_id as "workspaceId", budget_id as "budgetId", number, problem
     from compared
    where problem is not null
    limit ${mostFindings})
   union all
  (select workspace_id, o.budget_id, 1,
          ${openingProblem('c.total')}
     from (select workspace_id, currency, sum(gifts) as total
             from compared
            where not is_covered and gifts is not null
            group by workspace_id, currency) c
     full join opening o using (workspace_id, currency)
    where coalesce(c.total, 0) <> coalesce(o.amount, 0)
    limit ${mostFindings})
   union all
  (${strays()}
    limit ${mostFindings})`;
}

/** What belongs to an order that is not stored: gifts, outcomes, what was reserved, and entries. */
function strays(within: Within = everywhere): string {
  const isMissing = (workspaceId: string, requestId: string) =>
    `not exists (select from order_requests r where r.workspace_id = ${workspaceId} and r.request_id = ${requestId})`;
  const tables = ['certificates', 'orders', 'order_budgets'].map(
    (table) => `
          select t.workspace_id, null::bigint as budget_id, null::bigint as number, t.request_id
            from ${rowsOf(table)} t
           where ${isMissing('t.workspace_id', 't.request_id')}
             and ${within('t.request_id')}
           union all`,
  );
  return `select distinct workspace_id, budget_id, number, format('Order %s is not stored.', request_id)
     from (${tables.join('')}
          select e.workspace_id, e.budget_id, e.number, line.request_id
            from ${rowsOf('ledger_entries')} e
           cross join unnest(e.requests) as line (request_id)
           where ${isMissing('e.workspace_id', 'line.request_id')}
             and ${within('line.request_id')}) missing`;
}

/**
 * Compares some of the orders, as `orderProblems` does: what is wrong, what the gifts without entries add up to, by currency.
 */
export function comparedOrders(within: Within): string {
  return `
  with ${comparing(within)},
  kept as materialized (select * from compared),
  found as (
    (select workspace_id as "workspaceId", budget_id as "budgetId", number, problem from kept where problem is not null limit ${mostFindings})
     union all
    (${strays(within)} limit ${mostFindings})
  ),
  older as (
    select currency, sum(gifts) as total from kept where not is_covered and gifts is not null group by currency
  )
  select (select coalesce(json_agg(found), '[]') from found) as faults,
         (select coalesce(json_object_agg(currency, total::text), '{}') from older) as older`;
}

/** Compares what the gifts without entries add up to by currency, `$2`, with the entries that open the books. */
export const openingProblems = `
  with ${opening}
  select $1::bigint as "workspaceId", o.budget_id as "budgetId", 1 as number, ${openingProblem('c.total')} as problem
    from (select key as currency, value::numeric as total from json_each_text($2::json)) c
    full join opening o using (currency)
   where coalesce(c.total, 0) <> coalesce(o.amount, 0)
   limit ${mostFindings}`;
