import { recordsOf, survivorOf } from '../../company/directory/who.ts';
import { dayIn, startOfDay } from '../../company/workspaces/days.ts';
import { inEachWorkspace } from '../../company/workspaces/each.ts';
import { inWorkspace, timeOf } from '../../company/workspaces/lock.ts';
import type { RuleCondition } from '../../ground/contract/rule.ts';
import { type Database, type Queryable, queryOptional } from '../../ground/database/database.ts';
import { sumOf } from '../../ground/values/money.ts';
import { firstUuidAt } from '../../ground/values/uuid.ts';
import { totalOfGifts } from '../budgets/cost.ts';
import type { AcceptedOrder } from '../orders/order-steps.ts';

/*
 * What senders have sent in the current calendar month of their workspace: all orders that were accepted and have not failed. While a
 * workspace has a rule by this total, acceptance adds each order in the rule's currency, from any source, to a row of its sender. So
 * the total is one read, however many orders there are. Orders from before the rule are added once, when every node counts.
 */

const isMonthly = ({ measure }: Pick<RuleCondition, 'measure'>) => measure === 'SENDER_MONTH';

// Away from the numbers of other advisory locks.
const senderLocks = 0x73_00_00_00_00_00;
const countLocks = 0x74_00_00_00_00_00;

export interface SenderMonth {
  /** The surviving member. */
  senderId: number;
  total: number;
}

/**
 * The totals of the senders of orders without these orders, in their sequence. `locks`: until the transaction ends, no other accepts an
 * order of one of these senders that has to be counted.
 */
export async function readSenderMonths(
  tx: Queryable,
  orders: readonly AcceptedOrder[],
  locks: boolean,
): Promise<SenderMonth[]> {
  const asked = [orders.map(({ workspaceId }) => workspaceId), orders.map(({ senderId }) => senderId)];
  if (locks) await tx.query(lockSql, asked);
  return tx.query<SenderMonth>(totalsSql, [...asked, orders.map(({ order }) => order.currency)]);
}

const lockSql = `
  select pg_advisory_xact_lock(${senderLocks}::bigint + sender.id)
    from (select distinct ${survivorOf('m')} as id
            from unnest($1::bigint[], $2::bigint[]) as asked (workspace_id, sender_id)
            join members m on m.workspace_id = asked.workspace_id and m.id = asked.sender_id
           order by 1) sender`;

const monthNow = (workspaceId: string) => `(
    select date_trunc('month', ${timeOf('clock')} at time zone w.time_zone)::date
      from activity_counters clock
      join workspaces w on w.id = clock.workspace_id
     where clock.workspace_id = ${workspaceId})`;

const totalsSql = `
  select ${survivorOf('m')} as "senderId",
         (select coalesce(sum(s.counted + s.earlier), 0)
            from (${recordsOf('sent.workspace_id', 'sent.sender_id')}) record
            join sender_months s on s.workspace_id = sent.workspace_id and s.member_id = record.id
                                and s.currency = sent.currency and s.month = ${monthNow('sent.workspace_id')}) as total
    from unnest($1::bigint[], $2::bigint[], $3::text[]) with ordinality as sent (workspace_id, sender_id, currency, nth)
    join members m on m.workspace_id = sent.workspace_id and m.id = sent.sender_id
   order by sent.nth`;

/** Adds accepted orders to the totals of their senders, where the workspace counts them. */
export async function countSenderMonths(tx: Queryable, orders: readonly AcceptedOrder[]): Promise<void> {
  const workspaceIds = orders.map(({ workspaceId }) => workspaceId);
  await tx.query('select pg_advisory_xact_lock_shared($1::bigint + id) from unnest($2::bigint[]) as id', [
    countLocks,
    [...new Set(workspaceIds)],
  ]);
  await tx.query(countSql, [
    workspaceIds,
    orders.map(({ requestId }) => requestId),
    orders.map(({ senderId }) => senderId),
    orders.map(({ order }) => order.currency),
    orders.map(({ order }) => sumOf(order.orderItems.map(({ amount }) => amount))),
  ]);
}

const countSql = `
  with counted as (
    insert into sender_month_orders (workspace_id, request_id, member_id, currency, month, amount)
    select o.workspace_id, o.request_id, o.member_id, o.currency, ${monthNow('o.workspace_id')}, o.amount
      from unnest($1::bigint[], $2::uuid[], $3::bigint[], $4::text[], $5::numeric[])
             as o (workspace_id, request_id, member_id, currency, amount)
      join sender_month_counts c on c.workspace_id = o.workspace_id and o.currency = any(c.currencies)
    returning workspace_id, member_id, currency, month, amount
  )
  insert into sender_months as s (workspace_id, member_id, currency, month, counted)
  select workspace_id, member_id, currency, month, sum(amount)
    from counted
   group by workspace_id, member_id, currency, month
   order by workspace_id, member_id, currency, month
  on conflict (workspace_id, member_id, currency, month) do update set counted = s.counted + excluded.counted`;

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

const takeBackSql = `
  with gone as (
    delete from sender_month_orders where workspace_id = $1 and request_id = any($2::uuid[]) returning *
  ),
  lessened as (
    update sender_months s
       set counted = s.counted - g.amount
      from (select member_id, currency, month, sum(amount) as amount from gone group by member_id, currency, month) g
     where s.workspace_id = $1
       and (s.member_id, s.currency, s.month) = (g.member_id, g.currency, g.month)
  )
  select request_id as "requestId" from gone`;

const monthOfOrder = `date_trunc('month', ${dayIn('(r.accepted_at + clock.clock_ahead)', 'w.time_zone')})::date`;

/** Of orders that were not counted when they were accepted: what they cost, by sender, currency and month. `condition` selects them. */
const earlierTotals = (condition: string) => `
  select r.sender_id as member_id, r.currency, ${monthOfOrder} as month, sum(${totalOfGifts(`(r.body -> 'orderItems')`)}) as amount
    from order_requests r
    join workspaces w            on w.id = r.workspace_id
    join activity_counters clock on clock.workspace_id = r.workspace_id
    join sender_month_counts c   on c.workspace_id = r.workspace_id and r.currency = any(c.currencies)
   where r.workspace_id = $1
     and not exists (select from sender_month_orders s where s.workspace_id = r.workspace_id and s.request_id = r.request_id)
     and ${condition}
   group by r.sender_id, r.currency, ${monthOfOrder}`;

const takeBackEarlierSql = `
  update sender_months s
     set earlier = greatest(s.earlier - e.amount, 0)
    from (${earlierTotals('c.added_at is not null and r.request_id = any($2::uuid[])')}) e
   where s.workspace_id = $1
     and (s.member_id, s.currency, s.month) = (e.member_id, e.currency, e.month)`;

/**
 * Begins to count, or ends it, when the currencies of rules by this total have changed. Part of every change of rules; the caller holds
 * the workspace's lock.
 */
export async function setCounting(
  tx: Queryable,
  workspaceId: number,
  conditions: readonly RuleCondition[],
): Promise<void> {
  const currencies = [...new Set(conditions.filter(isMonthly).map(({ currency }) => currency))].sort();
  const before = await queryOptional<{ currencies: string[] }>(
    tx,
    'select currencies from sender_month_counts where workspace_id = $1',
    [workspaceId],
  );
  if ((before?.currencies ?? []).join() === currencies.join()) return;
  // Acceptance counts an order in both tables: it must not do so between the statements.
  await tx.query('select pg_advisory_xact_lock($1::bigint)', [countLocks + workspaceId]);
  for (const table of ['sender_months', 'sender_month_orders', 'sender_month_counts'])
    await tx.query(`delete from ${table} where workspace_id = $1`, [workspaceId]);
  if (currencies.length > 0)
    await tx.query(
      'insert into sender_month_counts (workspace_id, currencies, since) values ($1, $2, clock_timestamp())',
      [workspaceId, currencies],
    );
}

/** After this time every node knows the rule, and what was on its way is stored. */
const everyNodeAfterSeconds = 15;

/** Adds the orders of the current month from before every node counted, once, in each workspace that began to count. */
export async function addEarlierOrders(database: Database, afterSeconds = everyNodeAfterSeconds): Promise<number> {
  const found = await database.query<{ workspaceId: number; startMs: number }>(uncountedSql, [afterSeconds]);
  await inEachWorkspace(found, async ({ workspaceId, startMs }) => {
    await inWorkspace(database, workspaceId, async (tx) => {
      const due = await tx.query(
        'update sender_month_counts set added_at = now() where workspace_id = $1 and added_at is null returning workspace_id',
        [workspaceId],
      );
      if (due.length > 0) await tx.query(addEarlierSql, [workspaceId, firstUuidAt(startMs)]);
    });
  });
  return found.length;
}

// A request id begins with the time by the clock of a node, which may differ from the database's: a day before is enough.
const uncountedSql = `
  select c.workspace_id as "workspaceId",
         (extract(epoch from ${startOfDay(monthNow('c.workspace_id'), 'w.time_zone')} - a.clock_ahead) * 1000 - 86400000)::float8 as "startMs"
    from sender_month_counts c
    join workspaces w        on w.id = c.workspace_id
    join activity_counters a on a.workspace_id = c.workspace_id
   where c.added_at is null
     and c.since <= clock_timestamp() - make_interval(secs => $1)`;

const addEarlierSql = `
  insert into sender_months as s (workspace_id, member_id, currency, month, earlier)
  select $1, e.member_id, e.currency, e.month, e.amount
    from (${earlierTotals(`r.request_id >= $2::uuid
     and not exists (select from orders o
                      where o.workspace_id = r.workspace_id and o.request_id = r.request_id and o.failure is not null)`)}) e
   where e.month = ${monthNow('$1')}
  on conflict (workspace_id, member_id, currency, month) do update set earlier = excluded.earlier`;
