import type { WorkspaceGrant } from '../access/grants.ts';
import type { Shoutout } from '../contract/shoutout.ts';
import type { Database } from '../database/database.ts';
import { dayChange, moveDays } from '../directory/days.ts';
import { survivorOf } from '../directory/who.ts';
import { Failure } from '../errors.ts';
import { inWorkspace } from '../workspaces/lock.ts';
import { addGap } from './gaps.ts';
import { findShoutout } from './read.ts';

/**
 * Approves or declines a shoutout that waits for it, and keeps who did, when and why. Once approved it counts as
 * recognition on the day it was given; once declined it leaves the reports. The same decision again changes nothing; the
 * opposite one is refused, and so is another reason, which would be lost. Nobody decides what they gave or received.
 */
export async function decideShoutout(
  database: Database,
  { workspaceId, memberId }: WorkspaceGrant,
  number: number,
  decision: 'APPROVED' | 'DECLINED',
  reason: string | null,
): Promise<Shoutout> {
  return inWorkspace(database, workspaceId, async (tx) => {
    const parties = await tx.query(partySql, [workspaceId, number, memberId]);
    if (parties.length > 0)
      throw new Failure(
        'forbidden',
        'This token acts as the one who gave or received this shoutout: somebody else has to decide it.',
      );
    const decided = await tx.query(decideSql, [workspaceId, number, decision, memberId, reason]);
    if (decided.length > 0 && decision === 'APPROVED') await tx.query(recognizeSql, [workspaceId, number]);
    if (decided.length > 0 && decision === 'DECLINED') await addGap(tx, workspaceId, number);
    const shoutout = await findShoutout(tx, workspaceId, number, memberId);
    const already = `This shoutout was ${shoutout.status.toLowerCase()} already, for good`;
    if (shoutout.status !== decision) throw new Failure('conflict', `${already}.`);
    if (reason !== null && shoutout.decisionReason !== reason)
      throw new Failure('conflict', `${already}, and its reason does not change: leave the reason out.`);
    return shoutout;
  });
}

// An integration is nobody in particular: what it was trusted to decide, it may decide whoever the sender is.
const partySql = `
  select
    from activities a
    join members acts_as     on acts_as.workspace_id = a.workspace_id and acts_as.id = $3
    join members sent_as     on sent_as.workspace_id = a.workspace_id and sent_as.id = a.sender_id
    join members received_as on received_as.workspace_id = a.workspace_id and received_as.id = a.receiver_id
   where a.workspace_id = $1
     and a.number = $2
     and a.type = 'SHOUTOUT'
     and not acts_as.is_integration
     and ${survivorOf('acts_as')} in (${survivorOf('sent_as')}, ${survivorOf('received_as')})`;

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
       set decided_by = $4, decided_at = clock_timestamp(), decision_reason = $5
      from decided d
     where s.workspace_id = d.workspace_id
       and s.number = d.number
  )
  select number from decided`;

// What was given later and counts already stays the last recognition.
const recognizeSql = `
  with recognized as (
  update members m
     set recognition_count      = m.recognition_count + 1,
         last_recognized_on     = case when is_last then (a.created_on at time zone 'utc')::date
                                       else m.last_recognized_on end,
         last_recognized_by     = case when is_last then a.type else m.last_recognized_by end,
         last_recognized_number = greatest(m.last_recognized_number, a.number)
    from activities a
    join members received_as on received_as.workspace_id = a.workspace_id and received_as.id = a.receiver_id
    join members receiver    on receiver.workspace_id = a.workspace_id
                            and receiver.id = ${survivorOf('received_as')}
   cross join lateral (select a.number > coalesce(receiver.last_recognized_number, 0)) as last (is_last)
   where a.workspace_id = $1
     and a.number = $2
     and m.workspace_id = receiver.workspace_id
     and m.id = receiver.id
  returning ${dayChange('receiver', 'm')})
  ${moveDays('recognized')}`;
