import { recordsOf, survivorOf } from '../../company/directory/who.ts';
import { dayIn, startOfDay } from '../../company/workspaces/days.ts';
import { inEachWorkspace } from '../../company/workspaces/each.ts';
import { inWorkspace, timeOf } from '../../company/workspaces/lock.ts';
import type { RuleCondition } from '../../ground/contract/rule.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { workspaceOf } from '../../ground/database/one-workspace.ts';
import { firstUuidAt } from '../../ground/values/uuid.ts';
import { totalOfGifts } from '../budgets/cost.ts';
import type { AcceptedOrder } from '../orders/order-steps.ts';

/*
 * What senders have sent in the current calendar month of their workspace: all orders that were accepted and have not failed. While a
 * workspace has a rule by this total, acceptance adds each order in the rule's currency, from any source, to a row of its sender. So
 * the total is one read, however many orders there are. Orders from before the rule are added once, when every node counts. Each currency
 * is counted in rounds: to end a round changes one row, and what it has counted is no longer read.
 */

const isMonthly = ({ measure }: Pick<RuleCondition, 'measure'>) => measure === 'SENDER_MONTH';

// Away from the numbers of other advisory locks.
const senderLocks = 0x73_00_00_00_00_00;

export interface SenderMonth {
  /** The surviving member. */
  senderId: number;
  total: number;
}

/**
 * The totals of the senders of a workspace's orders without these orders, in their sequence. `locks`: until the transaction ends, no other accepts an
 * order of one of these senders that has to be counted.
 */
export async function readSenderMonths(
  tx: Queryable,
  orders: readonly AcceptedOrder[],
  locks: boolean,
): Promise<SenderMonth[]> {
  const asked = [workspaceOf(orders), orders.map(({ senderId }) => senderId)];
  if (locks) await tx.query(lockSql, asked);
  return tx.query<SenderMonth>(totalsSql, [...asked, orders.map(({ order }) => order.currency)]);
}

const lockSql = `
  select pg_advisory_xact_lock(${senderLocks}::bigint + sender.id)
    from (select distinct ${survivorOf('m')} as id
            from unnest($2::bigint[]) as asked (sender_id)
            join members m on m.workspace_id = $1 and m.id = asked.sender_id
           order by 1) sender`;

export const monthNow = (workspaceId: string) => `(
    select date_trunc('month', ${timeOf('clock')} at time zone w.time_zone)::date
      from activity_counters clock
      join workspaces w on w.id = clock.workspace_id
     where clock.workspace_id = ${workspaceId})`;

const totalsSql = `
  select ${survivorOf('m')} as "senderId",
         (select coalesce(sum(s.counted + s.earlier), 0)
            from (${recordsOf('$1', 'sent.sender_id')}) record
            join sender_month_counts c on c.workspace_id = $1 and c.currency = sent.currency
            join sender_months s on s.workspace_id = $1 and s.month = ${monthNow('$1')}
                                and s.member_id = record.id and s.currency = c.currency and s.round = c.round) as total
    from unnest($2::bigint[], $3::text[]) with ordinality as sent (sender_id, currency, nth)
    join members m on m.workspace_id = $1 and m.id = sent.sender_id
   order by sent.nth`;

/** Takes orders that have failed out of the totals. The caller holds the workspace's lock. */
export async function takeBackSenderMonths(
  tx: Queryable,
  workspaceId: number,
  failed: readonly { requestId: string }[],
): Promise<void> {
  if (failed.length === 0) return;
  const requestIds = failed.map(({ requestId }) => requestId);
  const counted = await tx.query<{ requestId: string }>(takeBackSql, [workspaceId, requestIds]);
  const known = new Set(counted.map(({ requestId }) => requestId));
  const earlier = requestIds.filter((id) => !known.has(id));
  if (earlier.length > 0) await tx.query(takeBackEarlierSql, [workspaceId, earlier]);
}

/** Locks the totals that are lessened, in the order in which acceptance adds to them. */
const lockMonths = (less: string) => `
    select s.month, s.member_id, s.currency, s.round, l.amount
      from ${less} l
      join sender_months s on s.workspace_id = $1
       and (s.month, s.member_id, s.currency, s.round) = (l.month, l.member_id, l.currency, l.round)
     order by s.month, s.member_id, s.currency, s.round
       for update of s`;

const takeBackSql = `
  with gone as (
    delete from sender_month_orders where workspace_id = $1 and request_id = any($2::uuid[]) returning *
  ),
  less as (
    select month, member_id, currency, round, sum(amount) as amount
      from gone
     group by month, member_id, currency, round
  ),
  locked as materialized (
    ${lockMonths('less')}
  ),
  lessened as (
    update sender_months s
       set counted = s.counted - l.amount
      from locked l
     where s.workspace_id = $1
       and (s.month, s.member_id, s.currency, s.round) = (l.month, l.member_id, l.currency, l.round)
  )
  select g.request_id as "requestId"
    from gone g
    join sender_month_counts c on c.workspace_id = $1 and (c.currency, c.round) = (g.currency, g.round)`;

const monthOfOrder = `date_trunc('month', ${dayIn('(r.accepted_at + clock.clock_ahead)', 'w.time_zone')})::date`;

/** Of orders that this round did not count when they were accepted: what they cost, by sender, currency and month. `condition` selects them. */
const earlierTotals = (condition: string) => `
  select r.sender_id as member_id, r.currency, c.round, ${monthOfOrder} as month,
         sum(${totalOfGifts(`(r.body -> 'orderItems')`)}) as amount
    from order_requests r
    join workspaces w            on w.id = r.workspace_id
    join activity_counters clock on clock.workspace_id = r.workspace_id
    join sender_month_counts c   on c.workspace_id = r.workspace_id and c.currency = r.currency
   where r.workspace_id = $1
     and not exists (select from sender_month_orders s
                      where s.workspace_id = r.workspace_id and s.request_id = r.request_id and s.round = c.round)
     and ${condition}
   group by r.sender_id, r.currency, c.round, ${monthOfOrder}`;

const takeBackEarlierSql = `
  with less as (
    ${earlierTotals('c.added_at is not null and r.request_id = any($2::uuid[])')}
  ),
  locked as materialized (
    ${lockMonths('less')}
  )
  update sender_months s
     set earlier = greatest(s.earlier - l.amount, 0)
    from locked l
   where s.workspace_id = $1
     and (s.month, s.member_id, s.currency, s.round) = (l.month, l.member_id, l.currency, l.round)`;

/**
 * Begins to count currencies of rules by this total, and ends it for those that no such rule has. The totals of other currencies stay.
 * Part of every change of rules; the caller holds the workspace's lock.
 */
export async function setCounting(
  tx: Queryable,
  workspaceId: number,
  conditions: readonly RuleCondition[],
): Promise<void> {
  const counted = [...Map.groupBy(conditions.filter(isMonthly), ({ currency }) => currency)];
  const currencies = counted.map(([currency]) => currency);
  const limits = counted.map(([, some]) => Math.min(...some.map(({ above }) => above)));
  await tx.query(endSql, [workspaceId, currencies]);
  await tx.query(beginSql, [workspaceId, currencies, limits]);
}

const endSql = `
  update sender_month_counts
     set since = null, added_at = null
   where workspace_id = $1
     and since is not null
     and currency <> all($2::text[])`;

const beginSql = `
  insert into sender_month_counts as c (workspace_id, currency, since, least_above)
  select $1, currency, clock_timestamp(), least_above
    from unnest($2::text[], $3::numeric[]) as counted (currency, least_above)
  on conflict (workspace_id, currency) do update
     set round       = case when c.since is null then c.round + 1 else c.round end,
         since       = coalesce(c.since, excluded.since),
         least_above = excluded.least_above`;

/** After this time every node knows the rule, and what was on its way is stored. */
const everyNodeAfterSeconds = 15;

/** Adds the orders of the current month from before every node counted, once, for each currency that a workspace began to count. */
export async function addEarlierOrders(database: Database, afterSeconds = everyNodeAfterSeconds): Promise<number> {
  const found = await database.query<{ workspaceId: number; startMs: number }>(uncountedSql, [afterSeconds]);
  await inEachWorkspace(found, async ({ workspaceId, startMs }) => {
    await inWorkspace(database, workspaceId, async (tx) => {
      const due = await tx.query<{ currency: string }>(dueSql, [workspaceId, afterSeconds]);
      const currencies = due.map(({ currency }) => currency);
      if (due.length > 0) await tx.query(addEarlierSql, [workspaceId, firstUuidAt(startMs), currencies]);
    });
  });
  return found.length;
}

const isDue = (seconds: string) =>
  `added_at is null and since <= clock_timestamp() - make_interval(secs => ${seconds})`;

// A request id begins with the time by the clock of a node, which may differ from the database's: a day before is enough.
const uncountedSql = `
  select w.id as "workspaceId",
         (extract(epoch from ${startOfDay(monthNow('a.workspace_id'), 'w.time_zone')} - a.clock_ahead) * 1000 - 86400000)::float8 as "startMs"
    from workspaces w
    join activity_counters a on a.workspace_id = w.id
   where w.id in (select workspace_id from sender_month_counts where ${isDue('$1')})`;

const dueSql = `
  update sender_month_counts
     set added_at = now()
   where workspace_id = $1
     and ${isDue('$2')}
  returning currency`;

const addEarlierSql = `
  insert into sender_months as s (workspace_id, month, member_id, currency, round, earlier)
  select $1, e.month, e.member_id, e.currency, e.round, e.amount
    from (${earlierTotals(`r.request_id >= $2::uuid
     and r.currency = any($3::text[])
     and not exists (select from orders o
                      where o.workspace_id = r.workspace_id and o.request_id = r.request_id and o.failure is not null)`)}) e
   where e.month = ${monthNow('$1')}
   order by e.month, e.member_id, e.currency, e.round
  on conflict (workspace_id, month, member_id, currency, round) do update set earlier = excluded.earlier, month_limit = null`;
