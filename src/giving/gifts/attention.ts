import { isReportOf } from '../../company/directory/reporting-line.ts';
import { timeOf } from '../../company/workspaces/lock.ts';
import type { Attention } from '../../ground/contract/overview.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { currencyOf } from './gift.ts';

type Expiring = Pick<Attention, 'expiringGifts' | 'expiringAmounts' | 'firstExpiry'>;

/** Gifts that expire within a week, up to `most`; with a member, those of their direct and indirect reports. */
export async function countExpiring(
  on: Queryable,
  workspaceId: number,
  onlyReportsOf: number | null,
  most: number,
): Promise<Expiring> {
  const { firstExpiry, ...counts } = await queryOne<Omit<Expiring, 'firstExpiry'> & { firstExpiry: Date | null }>(
    on,
    expiringSql,
    [workspaceId, most, onlyReportsOf],
  );
  return { ...counts, firstExpiry: firstExpiry?.toISOString() ?? null };
}

const expiringSql = `
  with expiring as (
    select gift.expires_at, gift.amount, ${currencyOf('gift')} as currency
      from activity_counters a
     cross join lateral (select ${timeOf('a')} as moment offset 0) here
     cross join lateral (
             select *
               from certificates c
              where c.workspace_id = $1
                and c.state = 'ISSUED'
                and c.expires_at > here.moment
                and c.expires_at <= here.moment + interval '7 days'
                and ${isReportOf('$1::bigint', '$3', 'c.member_id')}
              order by c.expires_at
              limit $2::int) gift
     where a.workspace_id = $1
  )
  select (select count(*) from expiring) as "expiringGifts",
         (select coalesce(json_agg(json_build_object('currency', currency, 'amount', amount) order by gifts desc, amount desc, currency), '[]')
            from (select currency, count(*) as gifts, sum(amount) as amount from expiring group by currency) sums) as "expiringAmounts",
         (select min(expires_at) from expiring) as "firstExpiry"`;
