import { totalOfGifts } from '../../giving/budgets/cost.ts';
import { approvalProblems } from './approval-checks.ts';
import { findings, ofWorkspace } from './checks.ts';
import { exportProblems } from './payroll-checks.ts';
import { shareProblems } from './share-checks.ts';
import { newLines, newSeals } from './since-checks.ts';

/**
 * Orders that have an entry or a seal since the checkpoint, or waited then: their totals, gifts, reservations and new entries agree. An order
 * with all its entries before the checkpoint was verified then.
 */
const orders = `
  with ${newLines},
  ${newSeals},
  waited as (select * from json_to_recordset($2::json -> 'reserved') as r ("requestId" uuid, amount numeric)),
  asked as (
    select request_id from lines
     union
    select split_part(key, '/', 1)::uuid from touched where record in ('order', 'gifts')
     union
    select "requestId" from waited
  ),
  moved as (
    select request_id, max(number) as number, max(budget_id) as budget_id, max(budget_id) filter (where type = 'ISSUED') as issued_by,
           sum(case type when 'COMMITTED' then amount when 'RELEASED' then -amount else 0 end) as reserved,
           count(*) filter (where type = 'COMMITTED') as committed,
           coalesce(sum(amount) filter (where type = 'ISSUED'), 0) as issued
      from lines
     where position is null
     group by request_id
  ),
  gifts as (
    select c.request_id, sum(c.amount) as total
      from asked
      join certificates c on c.workspace_id = $1 and c.request_id = asked.request_id
     group by c.request_id
  ),
  requested as (
    select r.request_id, ${totalOfGifts('r.items')} as total
      from (select sent.request_id, sent.body -> 'orderItems' as items
              from asked
              join order_requests sent on sent.workspace_id = $1 and sent.request_id = asked.request_id
            offset 0) r
  )
  ${findings(
    '$1::bigint',
    'm.budget_id',
    'm.number',
    `case when r.request_id is null then format('Order %s is not stored.', asked.request_id)
          when o.id is not null and g.total is distinct from r.total
               then format('Order %s asks for %s, and its gifts add up to %s.', r.request_id, r.total, coalesce(g.total, 0))
          when o.id is null and g.total is not null then format('Order %s has gifts, and was not completed.', r.request_id)
          when o.id is null and m.issued <> 0 then format('Order %s was not completed, and its entries say that it was.', r.request_id)
          when o.id is not null and m.issued is distinct from g.total
               and (m.issued <> 0 or m.committed > 0 or w.amount is not null or s.key is not null)
               then format('The gifts of order %s add up to %s, and its entries say %s.', r.request_id, g.total, coalesce(m.issued, 0))
          when o.failure is null and b.amount is not null and b.amount is distinct from r.total
               then format('%s is reserved for order %s, which asks for %s.', b.amount, r.request_id, r.total)
          when (w.amount is not null or m.committed > 0)
               and coalesce(w.amount, 0) + coalesce(m.reserved, 0) <> coalesce(b.amount, 0)
               then format('Order %s has reserved %s, and its entries say %s.', r.request_id, coalesce(b.amount, 0),
                           coalesce(w.amount, 0) + coalesce(m.reserved, 0))
          when m.issued_by <> b.budget_id then format('Order %s has drawn on another budget than it has reserved.', r.request_id)
     end`,
    `asked
      left join requested r     on r.request_id = asked.request_id
      left join gifts g         on g.request_id = asked.request_id
      left join moved m         on m.request_id = asked.request_id
      left join waited w        on w."requestId" = asked.request_id
      left join touched s       on s.record = 'order' and s.key = asked.request_id::text
      left join orders o        on o.workspace_id = $1 and o.request_id = asked.request_id
      left join order_budgets b on b.workspace_id = $1 and b.request_id = asked.request_id`,
  )}`;

/** Gifts with an entry or a seal since the checkpoint: what is redeemed is what their redemptions add up to, and entries and state agree. */
const gifts = `
  with ${newLines},
  ${newSeals},
  asked as (
    select request_id from lines where position is not null
     union
    select split_part(key, '/', 1)::uuid from touched where record = 'gifts'
  ),
  moved as (
    select request_id, position, max(budget_id) as budget_id, max(number) as number,
           sum(case type when 'RETURNED' then amount when 'REVIVED' then -amount else 0 end) as returned
      from lines
     where position is not null
     group by request_id, position
  ),
  spent as (
    select d.request_id, d.position, sum(d.amount) filter (where d.state in ('REQUESTED', 'DONE')) as amount
      from asked
      join redemptions d on d.workspace_id = $1 and d.request_id = asked.request_id
     group by d.request_id, d.position
  )
  ${findings(
    '$1::bigint',
    'm.budget_id',
    'm.number',
    `case when c.amount is null then format('Gift %s of order %s is not there.', position, request_id)
          when c.amount <= 0 or c.redeemed < 0 or c.redeemed > c.amount
               then format('Gift %s of order %s has %s, and %s of it is redeemed.', position, request_id, c.amount, c.redeemed)
          when c.redeemed <> coalesce(s.amount, 0)
               then format('%s of gift %s of order %s is redeemed, and its redemptions add up to %s.', c.redeemed, position, request_id,
                           coalesce(s.amount, 0))
          when (c.state = 'REDEEMED') <> (c.redeemed = c.amount)
               or (c.state = 'PARTLY_REDEEMED') <> (c.redeemed > 0 and c.redeemed < c.amount)
               then format('Gift %s of order %s is %s, and %s of %s is redeemed.', position, request_id, c.state, c.redeemed, c.amount)
          when m.returned <> 0 and m.returned <> case when c.state in ('EXPIRED', 'CANCELLED') then c.amount else -c.amount end
               then format('Gift %s of order %s is %s and costs %s, and its entries have returned %s.', position, request_id, c.state,
                           c.amount, m.returned)
     end`,
    `moved m
      full join (select c.request_id, c.position, c.amount, c.redeemed, c.state
                   from asked
                   join certificates c on c.workspace_id = $1 and c.request_id = asked.request_id) c using (request_id, position)
      left join spent s using (request_id, position)`,
  )}`;

/** Redemptions with an entry since the checkpoint are of the gift, the amount and the state that their entries say. */
const redemptions = `
  with ${newLines},
  moved as (
    select redemption_id, max(budget_id) as budget_id, max(number) as number, min(request_id::text)::uuid as request_id,
           min(position) as position, count(distinct (request_id, position)) > 1 as other_gifts,
           coalesce(sum(amount) filter (where type = 'REDEEMED'), 0) as redeemed,
           coalesce(sum(amount) filter (where type = 'REVERSED'), 0) as reversed
      from lines
     where type in ('REDEEMED', 'REVERSED')
     group by redemption_id
  )
  ${findings(
    '$1::bigint',
    'm.budget_id',
    'm.number',
    `case when d.id is null then format('Redemption %s is not there.', m.redemption_id)
          when m.request_id <> d.request_id or m.position <> d.position or m.other_gifts
               then format('Redemption %s is of another gift than its entry says.', d.id)
          when m.redeemed not in (0, d.amount) or m.reversed not in (0, d.amount)
               or (m.reversed = 0) = (d.state in ('REVERSED', 'DECLINED'))
               then format('Redemption %s of %s is %s, and its entries say that %s was redeemed and %s reversed.',
                           d.id, d.amount, d.state, m.redeemed, m.reversed)
          when d.spending_id is not null and (one.spending_id, one.at, one.spending_option) is distinct from (d.spending_id, d.at, d.spending_option)
               then format('Redemption %s names redemption %s, and was not spent together with it.', d.id, d.spending_id)
     end`,
    `moved m
      left join redemptions d   on d.workspace_id = $1 and d.id = m.redemption_id
      left join redemptions one on one.workspace_id = $1 and one.id = d.spending_id`,
  )}`;

/** Payroll exports closed since the checkpoint: their files, and that each redemption is in the export that it names. */
const payroll = ofWorkspace(`
  with ${newSeals},
  closed as materialized (select key::bigint as number from touched where record = 'payroll'),
  changed as materialized (select key::bigint as id from touched where record = 'redemption'),
  files as (${exportProblems((table) =>
    table === 'audit_log'
      ? '(select * from audit_log where workspace_id = $1)'
      : `(select * from ${table} where workspace_id = $1 and number in (select number from closed))`,
  )})
  select workspace_id, problem from files
   union all
  select l.workspace_id,
         case when d.id is null then format('Payroll export %s has redemption %s, which is not there.', l.number, l.redemption_id)
              when l.number is distinct from case when l.amount > 0 then d.exported_in else d.reversed_in end or abs(l.amount) <> d.amount
                   then format('Payroll export %s has %s for redemption %s of %s.', l.number, l.amount, d.id, d.amount)
         end
    from closed
    join payroll_lines l on l.workspace_id = $1 and l.number = closed.number
    left join redemptions d on d.workspace_id = $1 and d.id = l.redemption_id
   union all
  select $1, format('Payroll export %s should have redemption %s, and it has not.', d.number, d.id)
    from (select r.id, exports.number, exports.is_paid
            from changed
            join redemptions r on r.workspace_id = $1 and r.id = changed.id
           cross join lateral (values (r.exported_in, true), (r.reversed_in, false)) as exports (number, is_paid)
           where exports.number is not null) d
   where not exists (select from payroll_lines l
                      where l.workspace_id = $1 and l.redemption_id = d.id and (l.amount > 0) = d.is_paid and l.number = d.number)`);

/** Approvals of orders that wait, and of those that were completed since the checkpoint. */
const approvals = ofWorkspace(`
  with ${newSeals}
  ${approvalProblems(
    (table) => `(select * from ${table} where workspace_id = $1)`,
    `a.state = 'WAITING' or p.request_id is not null or a.request_id::text in (select key from touched where record = 'order')`,
  )}`);

/** What people have drawn in this month and the one before: no earlier month limits what they may still draw, except for gifts that are revived. */
const shares = ofWorkspace(`
  ${shareProblems(
    (table) => `(select * from ${table} where workspace_id = $1)`,
    (month) => `${month} >= current_date - 62`,
  )}
   union all
  select $1, null where $2::json is null`);

/** Statements of the workspace and the content of a checkpoint. */
export const sinceOrders: readonly string[] = [orders, gifts, redemptions, payroll, approvals, shares];
