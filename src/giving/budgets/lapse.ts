import { appendEvents } from '../../company/events/log.ts';
import { startOfDay } from '../../company/workspaces/days.ts';
import { momentOf } from '../../company/workspaces/lock.ts';
import type { NewEvent } from '../../ground/contract/event.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { nextPeriod, periodName } from './periods.ts';
import { post } from './post.ts';

/**
 * Lets what is available lapse in these budgets where a period has ended, one period of each. What is reserved or issued stays. The entry is of the moment
 * at which the period ended, also if no node ran then. The caller holds the workspace's lock, so that it happens once. Returns the ids of the budgets.
 */
export async function lapseNext(tx: Queryable, workspaceId: number, budgetIds: readonly number[]): Promise<number[]> {
  const ended = await takeEnded(tx, workspaceId, budgetIds);
  const lapsed = ended.filter(({ amount }) => amount > 0);
  for (const { budgetId, amount, endedAt, period } of lapsed)
    await post(tx, workspaceId, endedAt, [
      { type: 'LAPSED', budgetId, isUnlimited: false, amount, detail: { note: period } },
    ]);
  const events = lapsed.map(
    ({ budgetId, memberId, currency, amount, period }): NewEvent => ({
      type: 'budget.lapsed',
      data: { budgetId, memberId, currency, available: 0, amount, period },
    }),
  );
  await appendEvents(tx, workspaceId, momentOf(tx, workspaceId), events);
  return ended.map(({ budgetId }) => budgetId);
}

interface Ended {
  budgetId: number;
  memberId: number | null;
  currency: string;
  amount: number;
  endedAt: string;
  period: string;
}

/**
 * Advances the budgets whose period has ended. An allowance that was missed before that end comes first, and the one of the next period comes after: its time may
 * differ by up to 26 hours where the workspace has moved to another time zone. Budgets are locked in the order of their ids, as orders lock them.
 */
function takeEnded(tx: Queryable, workspaceId: number, budgetIds: readonly number[]): Promise<Ended[]> {
  return tx.query<Ended>(
    `with due as (
       select id, lapses_at as ended_at
         from budgets
        where workspace_id = $1
          and id = any($2::bigint[])
          and lapses_at <= coalesce(next_allowance_at, 'infinity') + interval '26 hours'
          and least(lapses_at, next_allowance_at) <= $3::timestamptz
        order by id
          for no key update
     )
     update budgets b
        set lapses_at = ${startOfDay(nextPeriod('b.lapses_at', 'b.lapse_every'), 'w.time_zone')},
            largest_gift = null
       from due, workspaces w
      where b.workspace_id = $1
        and b.id = due.id
        and w.id = $1
     returning b.id as "budgetId", b.member_id as "memberId", b.currency, b.available as amount, due.ended_at::text as "endedAt",
               ${periodName(`${nextPeriod('due.ended_at', 'b.lapse_every')} - 2 * ('1 ' || b.lapse_every)::interval`, 'b.lapse_every')} as period`,
    [workspaceId, budgetIds, momentOf(tx, workspaceId)],
  );
}
