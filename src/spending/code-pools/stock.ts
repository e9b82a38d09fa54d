import { appendEvents } from '../../company/events/log.ts';
import { dayIn } from '../../company/workspaces/days.ts';
import { inEachWorkspace } from '../../company/workspaces/each.ts';
import { inWorkspace, momentOf, timeOf } from '../../company/workspaces/lock.ts';
import type { EventType, NewEvent } from '../../ground/contract/event.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';

/** The day in the workspace, whose alias is `w`, at a moment. */
export function dayAt(moment: string): string {
  return dayIn(moment, 'w.time_zone');
}

/** Whether the code `c` can be given on a day. The last day counts. */
export function isFree(day: string): string {
  return `(c.redemption_id is null and (c.expires_on is null or c.expires_on >= ${day}))`;
}

interface Level {
  poolId: number;
  retailer: string;
  value: number;
  currency: string;
  left: number;
  level: 'ENOUGH' | 'LOW' | 'EMPTY';
  was: 'ENOUGH' | 'LOW' | 'EMPTY';
}

const heights = { EMPTY: 0, LOW: 1, ENOUGH: 2 };
const eventOfLevel = { LOW: 'pool.low', EMPTY: 'pool.empty' } as const satisfies Record<string, EventType>;

/**
 * Says of which retailers and values few codes are left, or none: once, until codes are added. The caller holds the workspace's lock.
 */
export async function announceStock(tx: Queryable, workspaceId: number, poolId: number): Promise<void> {
  const moment = momentOf(tx, workspaceId);
  const changed = await tx.query<Level>(levelsSql, [workspaceId, poolId, moment]);
  const fallen = changed.filter(({ level, was }) => heights[level] < heights[was]);
  await appendEvents(tx, workspaceId, moment, fallen.flatMap(eventOf));
}

function eventOf({ level, was: _was, ...data }: Level): NewEvent[] {
  return level === 'ENOUGH' ? [] : [{ type: eventOfLevel[level], data }];
}

const levelsSql = `
  with counted as (
    select s.retailer, s.value, s.announced, p.low_at, p.currency,
           (select count(*)::int
              from pool_codes c
             where c.workspace_id = $1
               and c.pool_id = $2
               and c.retailer = s.retailer
               and c.value = s.value
               and ${isFree(dayAt('$3::timestamptz'))}) as free
      from pool_stocks s
      join code_pools p on p.workspace_id = s.workspace_id and p.id = s.pool_id
      join workspaces w on w.id = s.workspace_id
     where s.workspace_id = $1
       and s.pool_id = $2
  ), levels as (
    select *, case when free = 0 then 'EMPTY' when free <= low_at then 'LOW' else 'ENOUGH' end as level
      from counted
  )
  update pool_stocks s
     set announced = l.level
    from levels l
   where s.workspace_id = $1
     and s.pool_id = $2
     and s.retailer = l.retailer
     and s.value = l.value
     and l.level <> l.announced
  returning s.pool_id as "poolId", s.retailer, s.value, l.currency, l.free as left, l.level, l.announced as was`;

/** Announces what has become low because codes expired. Returns how many pools were looked at. */
export async function announceExpiredCodes(database: Database): Promise<number> {
  const due = await database.query<{ workspaceId: number; poolId: number }>(expiredSql);
  await inEachWorkspace(due, ({ workspaceId, poolId }) =>
    inWorkspace(database, workspaceId, (tx) => announceStock(tx, workspaceId, poolId)),
  );
  return due.length;
}

/** Pools that hold expired codes, in stocks that were not announced as empty. */
const expiredSql = `
  select distinct s.workspace_id as "workspaceId", s.pool_id as "poolId"
    from pool_stocks s
    join workspaces w        on w.id = s.workspace_id
    join activity_counters a on a.workspace_id = s.workspace_id
   where s.announced <> 'EMPTY'
     and exists (select
                   from pool_codes c
                  where c.workspace_id = s.workspace_id
                    and c.pool_id = s.pool_id
                    and c.retailer = s.retailer
                    and c.value = s.value
                    and c.redemption_id is null
                    and c.expires_on < ${dayAt(timeOf('a'))})`;
