import { startOfDay, zoneOf } from '../../company/workspaces/days.ts';
import { timeOf } from '../../company/workspaces/lock.ts';
import type { MyGiving } from '../../ground/contract/post-gift.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { sendersOf, shareLeft } from './senders.ts';

/**
 * What a member can give of budgets that are meant for one person, one in each currency: their own budget, or a shared one on which each person draws up to a
 * cap in a month. Without a cap, a shared budget is for people who send orders. Nothing is kept for people who never give.
 */
export function readGivable(
  on: Queryable,
  workspaceId: number,
  memberId: number,
  currency?: string,
): Promise<MyGiving['giving']> {
  return on.query(givableSql, [workspaceId, memberId, currency ?? null]);
}

const endOfMonth = startOfDay(
  `date_trunc('month', ${timeOf('a')} at time zone ${zoneOf('$1::bigint')}) + interval '1 month'`,
  zoneOf('$1::bigint'),
);

const givableSql = `
  with sent as (
    select distinct b.workspace_id, $2::bigint as sender_id, b.currency, null::bigint as named_budget_id
      from budgets b
     where b.workspace_id = $1::bigint
       and b.closed_at is null
       and b.kind <> 'UNLIMITED'
       and ($3::text is null or b.currency = $3)
  ),
  senders as (
    ${sendersOf('sent', '$1::bigint')}
  )
  select b.currency, least(b.available, case when s.month_cap is not null then ${shareLeft} end) as left, b.person_cap as "perMonth",
         to_char(least(b.lapses_at, case when b.person_cap is not null then ${endOfMonth} end) at time zone 'utc',
                 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "lapsesAt",
         b.gift_limit as "giftLimit", b.kind = 'MEMBER' as "isOwn"
    from senders s
    join budgets b          on b.workspace_id = $1::bigint and b.id = s.budget_id
    join activity_counters a on a.workspace_id = $1::bigint
   where b.kind = 'MEMBER'
      or s.month_cap is not null
   order by b.currency`;
