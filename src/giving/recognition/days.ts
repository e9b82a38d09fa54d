import { dayIn, zoneOf } from '../../company/workspaces/days.ts';
import type { Queryable } from '../../ground/database/database.ts';

/**
 * The CTE that counts what was given by day in the workspace's time zone. `approved` is a select of created_on, type, currency and amount. Rows in the order of
 * the key, as in directory/days.ts.
 */
export function countingDays(approved: string): string {
  return `given_days as (
    insert into activity_days as d (workspace_id, day, type, currency, activities, amount)
    select $1::bigint, ${dayIn('a.created_on', zoneOf('$1::bigint'))}, a.type, coalesce(a.currency, ''), count(*),
           coalesce(sum(a.amount), 0)
      from (${approved}) a
     group by 1, 2, 3, 4
     order by 1, 2, 3, 4
    on conflict (workspace_id, day, type, currency)
    do update set activities = d.activities + excluded.activities, amount = d.amount + excluded.amount
  )`;
}

/**
 * Counts again what was given by day, after the workspace got another time zone. `approved` is as above, of all activities of the workspace
 * $1. The caller holds the workspace's lock.
 */
export async function recountDays(tx: Queryable, workspaceId: number, approved: string): Promise<void> {
  await tx.query('delete from activity_days where workspace_id = $1', [workspaceId]);
  await tx.query(`with ${countingDays(approved)} select`, [workspaceId]);
}
