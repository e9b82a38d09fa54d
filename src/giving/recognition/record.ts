import { movingLastRecognition } from '../../company/directory/last-recognition.ts';
import { survivorOf } from '../../company/directory/who.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { countingDays } from './days.ts';

/**
 * The CTEs that write recognition: the numbers, the activities, the workspace's counts, and for approved activities also what was
 * given by day, and the receivers' counts, last recognition and counts by day. Every statement that recognizes people embeds them.
 *
 * `given` is another CTE of the same statement. Its columns: nth (1, 2, 3 … in the sequence in which they count), type, status,
 * sender_id, receiver_id, reason_id (null: the workspace's default), is_private, description, request_id, position, amount and
 * currency (null for shoutouts), and created_on, which never goes back. Senders and receivers are surviving records. The workspace is $1, and the caller holds its lock.
 *
 * The CTE `counted` has the number before the first one, as `before`.
 */
export function recordingRecognition(given: string): string {
  return `counted as (
    update activity_counters c
       set total  = c.total + g.activities,
           latest = g.latest
      from (select count(*) as activities, max(created_on) as latest from ${given}) g
     cross join workspaces w
     where c.workspace_id = $1::bigint
       and w.id = $1::bigint
    returning c.total - g.activities as before, w.default_reason_id
  ),
  recorded as (
    insert into activities (workspace_id, number, type, status, sender_id, receiver_id, reason_id, is_private, description,
                            request_id, position, created_on)
    select $1::bigint, c.before + g.nth, g.type, g.status, g.sender_id, g.receiver_id,
           coalesce(g.reason_id, c.default_reason_id), g.is_private, g.description, g.request_id, g.position, g.created_on
      from ${given} g
     cross join counted c
  ),
  ${countingDays(`select created_on, type, currency, amount from ${given} where status = 'APPROVED'`)},
  ${movingLastRecognition(`
        select g.receiver_id as member_id,
               count(*) as times,
               c.before + max(g.nth) as number,
               max(g.created_on) as at,
               (max(g.created_on) at time zone 'utc')::date as day,
               (array_agg(g.type order by g.nth desc))[1] as type
          from ${given} g
         cross join counted c
         where g.status = 'APPROVED'
         group by g.receiver_id, c.before`)}`;
}

/** Counts activities that waited for approval, as they are approved. They count on the day on which they were given. */
export async function countApproved(tx: Queryable, workspaceId: number, numbers: readonly number[]): Promise<void> {
  await tx.query(approvedSql, [workspaceId, numbers]);
}

// Only shoutouts wait, and they have no amount.
const approvedSql = `
  with ${countingDays(`select created_on, type, null::text as currency, null::numeric as amount
                         from activities
                        where workspace_id = $1::bigint
                          and number = any($2::bigint[])`)},
  ${movingLastRecognition(`
        select ${survivorOf('receiver')} as member_id,
               count(*) as times,
               max(a.number) as number,
               max(a.created_on) as at,
               (max(a.created_on) at time zone 'utc')::date as day,
               (array_agg(a.type order by a.number desc))[1] as type
          from activities a
          join members receiver on receiver.workspace_id = a.workspace_id and receiver.id = a.receiver_id
         where a.workspace_id = $1::bigint
           and a.number = any($2::bigint[])
         group by 1`)}
  select`;
