import { isReportOf } from '../../company/directory/reporting-line.ts';
import { survivorOf } from '../../company/directory/who.ts';
import { timeOf } from '../../company/workspaces/lock.ts';
import { percentReached } from '../../giving/budgets/levels.ts';
import type { Attention } from '../../ground/contract/overview.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { firstUuidAt } from '../../ground/values/uuid.ts';
import type { Reader } from './span.ts';

/** Nobody needs to know more exactly how much there is to do, and counting has an end. */
const mostCounted = 1_000;
const dayMs = 86_400_000;
const ordersOfDays = 30;

type Moments = { firstExpiry: Date | null; oldestWaiting: Date | null };
type Failure = { latestFailure: (Omit<NonNullable<Attention['latestFailure']>, 'at'> & { at: string }) | null };

/**
 * What somebody should look at now. A manager is shown the gifts of their own reports alone: the rest is not theirs to put right. Each count reads an index that has only such rows, and ends at 1,000.
 */
export async function readAttention(on: Queryable, { workspaceId, onlyReportsOf }: Reader): Promise<Attention> {
  const row = await queryOne<Omit<Attention, keyof Moments | keyof Failure> & Moments & Failure>(on, attentionSql, [
    workspaceId,
    mostCounted,
    firstUuidAt(Date.now() - ordersOfDays * dayMs),
    onlyReportsOf,
  ]);
  const { firstExpiry, oldestWaiting, latestFailure, ...counts } = row;
  return {
    ...counts,
    firstExpiry: firstExpiry?.toISOString() ?? null,
    oldestWaiting: oldestWaiting?.toISOString() ?? null,
    latestFailure: latestFailure && { ...latestFailure, at: new Date(latestFailure.at).toISOString() },
  };
}

/**
 * Gifts that wait because their mail stands in this state: those of the current edition that can still be claimed. The newest
 * order first. Such mails are few, so each gift is looked up; the planner would rather read all gifts that nobody has claimed.
 */
const unsent = (state: string) => `
  select c.id, c.member_id, mail.due_at
    from now_here
   cross join (select *
                 from mails
                where workspace_id = $1
                  and kind = 'GIFT'
                  and state = '${state}'
                order by request_id desc, position desc
               offset 0) mail
   cross join lateral (
           select *
             from certificates
            where workspace_id = $1
              and request_id = mail.request_id
              and position = mail.position
           offset 0) c
   where c.edition = mail.edition
     and c.state = 'ISSUED'
     and (c.expires_at is null or c.expires_at > now_here.moment)
     and ${isReportOf('$1::bigint', '$4', 'c.member_id')}
   order by mail.request_id desc, mail.position desc
   limit $2::int`;

const attentionSql = `
  with now_here as (
    select ${timeOf('a')} as moment from activity_counters a where workspace_id = $1
  ),
  failed as (${unsent('FAILED')}),
  without_address as (${unsent('NO_ADDRESS')}),
  expiring as (
    select c.expires_at, c.amount, r.currency
      from now_here
     cross join lateral (
             select *
               from certificates gift
              where gift.workspace_id = $1
                and gift.state = 'ISSUED'
                and gift.expires_at > now_here.moment
                and gift.expires_at <= now_here.moment + interval '7 days'
                and ${isReportOf('$1::bigint', '$4', 'gift.member_id')}
              order by gift.expires_at
              limit $2::int) c
      join order_requests r on r.workspace_id = $1 and r.request_id = c.request_id
  ),
  waiting as (
    select created_on
      from activities
     where workspace_id = $1
       and status = 'PENDING'
       and type = 'SHOUTOUT'
       and $4::bigint is null
     order by number
     limit $2::int
  ),
  budget_levels as (
    select ${percentReached} as percent
      from budgets b
     where b.workspace_id = $1
       and b.kind <> 'UNLIMITED'
       and b.closed_at is null
       and $4::bigint is null
     limit $2::int
  )
  select (select count(*) from failed) as "failedGifts",
         (select json_build_object('id', f.id, 'firstName', m.first_name, 'lastName', m.last_name, 'at', f.due_at)
            from (select * from failed order by due_at desc limit 1) f
            join members sent_to on sent_to.workspace_id = $1 and sent_to.id = f.member_id
            join members m       on m.workspace_id = $1 and m.id = ${survivorOf('sent_to')}) as "latestFailure",
         (select count(*) from without_address) as "giftsWithoutAddress",
         (select count(*) from expiring) as "expiringGifts",
         (select coalesce(json_agg(json_build_object('currency', currency, 'amount', amount) order by amount desc, currency), '[]')
            from (select currency, sum(amount) as amount from expiring group by currency) sums) as "expiringAmounts",
         (select min(expires_at) from expiring) as "firstExpiry",
         (select count(*) from waiting) as "waitingShoutouts",
         (select min(created_on) from waiting) as "oldestWaiting",
         (select count(*)
            from (select
                    from orders
                   where workspace_id = $1
                     and failure is not null
                     and request_id >= $3::uuid
                     and $4::bigint is null
                   limit $2::int) o
         ) as "failedOrders",
         (select count(*) from budget_levels where percent between 1 and 99) as "lowBudgets",
         (select count(*) from budget_levels where percent = 0) as "exhaustedBudgets",
         (select count(*)
            from (select
                    from redemptions
                   where workspace_id = $1
                     and state = 'REQUESTED'
                     and $4::bigint is null
                   limit $2::int) asked
         ) as "openRequests",
         (select count(*)
            from pool_stocks
           where workspace_id = $1
             and announced <> 'ENOUGH'
             and $4::bigint is null
         ) as "lowStocks",
         (select count(*)
            from webhooks
           where workspace_id = $1
             and (failing_since is not null or disabled_reason <> 'BY_HAND')
             and $4::bigint is null
         ) as "failingWebhooks"`;
