import { appendEvents } from '../../company/events/log.ts';
import type { NewEvent } from '../../ground/contract/event.ts';
import type { Queryable } from '../../ground/database/database.ts';

interface Level {
  budgetId: number;
  memberId: number | null;
  currency: string;
  available: number;
  percent: number;
  was: number;
}

/**
 * Says which budgets have become low or exhausted, once for each threshold. What comes back, or is granted, lets a budget rise above
 * its thresholds again. The caller holds the workspace's lock.
 */
export async function announceLevels(
  tx: Queryable,
  workspaceId: number,
  moment: string,
  budgetIds: readonly number[],
): Promise<void> {
  if (budgetIds.length === 0) return;
  const changed = await tx.query<Level>(levelsSql, [workspaceId, budgetIds]);
  const fallen = changed.filter(({ percent, was }) => percent < was);
  await appendEvents(tx, workspaceId, moment, fallen.map(eventOf));
}

function eventOf({ budgetId, memberId, currency, available, percent }: Level): NewEvent {
  const data = { budgetId, memberId, currency, available };
  return percent === 0
    ? { type: 'budget.exhausted', data }
    : { type: 'budget.low', data: { ...data, threshold: percent } };
}

/** Less than the smallest gift is as good as nothing. */
const smallestGift = 1;

/** The threshold that the budget `b` has reached, in percent: 100 for none, 0 when it is exhausted. */
export const percentReached = `
  case when b.available < ${smallestGift} then 0
       else coalesce((select min(percent)
                        from unnest(b.low_percents) as percent
                       where b.available * 100 <= b.refilled * percent), 100) end`;

const levelsSql = `
  with levels as (
    select b.id, b.announced_percent as was, ${percentReached} as percent
      from budgets b
     where b.workspace_id = $1
       and b.id = any($2::bigint[])
       and b.kind <> 'UNLIMITED'
  )
  update budgets b
     set announced_percent = l.percent
    from levels l
   where b.workspace_id = $1
     and b.id = l.id
     and l.percent <> l.was
  returning b.id as "budgetId", b.member_id as "memberId", b.currency, b.available, l.percent, l.was`;
