import type { WorkspaceGrant } from '../access/grants.ts';
import type { Shoutout } from '../contract/shoutout.ts';
import type { Database } from '../database/database.ts';
import { inWorkspace } from '../directory/lock.ts';
import { Failure } from '../errors.ts';
import { addGap } from './gaps.ts';
import { findShoutout } from './read.ts';

/**
 * Approves or declines a shoutout that waits for it. Once approved it counts as recognition on the day it was given;
 * once declined it leaves the reports. The same decision again changes nothing, the opposite one is refused.
 */
export async function decideShoutout(
  database: Database,
  { workspaceId, memberId }: WorkspaceGrant,
  number: number,
  decision: 'APPROVED' | 'DECLINED',
): Promise<Shoutout> {
  return inWorkspace(database, workspaceId, async (tx) => {
    const decided = await tx.query(decideSql, [workspaceId, number, decision, memberId]);
    if (decided.length > 0 && decision === 'APPROVED') await tx.query(recognizeSql, [workspaceId, number]);
    if (decided.length > 0 && decision === 'DECLINED') await addGap(tx, workspaceId, number);
    const shoutout = await findShoutout(tx, workspaceId, number, memberId);
    if (shoutout.status !== decision)
      throw new Failure('conflict', `This shoutout was ${shoutout.status.toLowerCase()} already, for good.`);
    return shoutout;
  });
}

const decideSql = `
  with decided as (
    update activities
       set status = $3
     where workspace_id = $1
       and number = $2
       and type = 'SHOUTOUT'
       and status = 'PENDING'
    returning workspace_id, number
  ),
  noted as (
    update shoutouts s
       set decided_by = $4, decided_at = now()
      from decided d
     where s.workspace_id = d.workspace_id
       and s.number = d.number
  )
  select number from decided`;

// What was given later and counts already stays the last recognition.
const recognizeSql = `
  update members m
     set recognition_count      = m.recognition_count + 1,
         last_recognized_on     = case when is_last then (a.created_on at time zone 'utc')::date
                                       else m.last_recognized_on end,
         last_recognized_by     = case when is_last then a.type else m.last_recognized_by end,
         last_recognized_number = greatest(m.last_recognized_number, a.number)
    from activities a
    join members received_as on received_as.workspace_id = a.workspace_id and received_as.id = a.receiver_id
    join members receiver    on receiver.workspace_id = a.workspace_id
                            and receiver.id = coalesce(received_as.merged_into, received_as.id)
   cross join lateral (select a.number > coalesce(receiver.last_recognized_number, 0)) as last (is_last)
   where a.workspace_id = $1
     and a.number = $2
     and m.workspace_id = receiver.workspace_id
     and m.id = receiver.id`;
