import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { survivorOf } from '../../company/directory/who.ts';
import { audit } from '../../company/workspaces/audit.ts';
import { inWorkspace } from '../../company/workspaces/lock.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { Shoutout } from '../../ground/contract/shoutout.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { runSteps, tellSteps } from '../../ground/database/run-steps.ts';
import { Failure } from '../../ground/errors.ts';
import { addGaps } from './gaps.ts';
import { refuseWithGifts } from './post-gifts.ts';
import { shoutoutsOfPost } from './posts.ts';
import { findShoutout } from './read.ts';
import { countApproved } from './record.ts';
import { numberOfShoutout } from './shoutout-ids.ts';
import type { ChangedShoutouts, DecidedShoutout, ShoutoutStep } from './shoutout-steps.ts';

export interface NewDecision {
  /** The id of the shoutout. */
  id: number;
  decision: DecidedShoutout['decision'];
  reason: string | null;
  /** Who decides, for the audit log. */
  actor: Actor;
}

/**
 * Approves or declines a shoutout that waits for it, with all of its post, and keeps who did, when and why. Once approved it counts as
 * recognition on the day it was given; once declined it leaves the reports. The same decision again changes nothing. The
 * opposite one is refused, and so is another reason, which would be lost. The sender and the recipient cannot decide.
 */
export async function decideShoutout(
  database: Database,
  steps: readonly ShoutoutStep[],
  workspace: WorkspaceGrant,
  { id, decision, reason, actor }: NewDecision,
): Promise<Shoutout> {
  const { workspaceId, memberId } = workspace;
  const { shoutout, changed } = await inWorkspace(database, workspaceId, async (tx, moment) => {
    const number = await numberOfShoutout(tx, workspaceId, id);
    await refuseParties(tx, workspaceId, number, memberId);
    await refuseWithGifts(tx, workspaceId, number);
    const made = { decision, decidedBy: memberId, reason };
    const all = await shoutoutsOfPost(tx, workspaceId, number);
    const numbers = await writeDecisions(
      tx,
      workspaceId,
      all.map((one) => ({ number: one.number, moment })),
      made,
    );
    const decided = all
      .filter((one) => numbers.includes(one.number))
      .map((one) => ({ id: one.id, decision, decidedBy: memberId }));
    const changed: ChangedShoutouts = { workspaceId, moment, given: [], decided };
    if (decided.length > 0) {
      await runSteps(steps, tx, changed);
    }
    const shoutout = await findShoutout(tx, workspaceId, id, workspace);
    if (decided.length > 0) {
      const action = decision === 'APPROVED' ? 'shoutout.approved' : 'shoutout.declined';
      await audit(tx, { workspaceId, actor, action, subject: { id, name: receiverOf(shoutout) } });
    }
    compare(shoutout, decision, reason);
    return { shoutout, changed };
  });
  if (changed.decided.length > 0) tellSteps(steps, changed);
  return shoutout;
}

/** The recipient's name, for the audit log. Its readers do not learn who received a private shoutout. */
function receiverOf({ isPrivate, receiver }: Shoutout): string | null {
  if (isPrivate) return null;
  return `${receiver.firstName} ${receiver.lastName}`.trim() || receiver.email || null;
}

function compare(shoutout: Shoutout, decision: DecidedShoutout['decision'], reason: string | null): void {
  const already = `This shoutout was ${shoutout.status.toLowerCase()} already, and this is final`;
  if (shoutout.status !== decision) throw new Failure('conflict', `${already}.`);
  if (reason !== null && shoutout.decisionReason !== reason)
    throw new Failure('conflict', `${already}, and its reason does not change: leave the reason out.`);
}

async function refuseParties(tx: Queryable, workspaceId: number, number: number, memberId: number): Promise<void> {
  const parties = await tx.query(partySql, [workspaceId, number, memberId]);
  if (parties.length > 0)
    throw new Failure(
      'forbidden',
      'This token acts as the sender or the recipient of this shoutout: another approver must decide it.',
    );
}

/**
 * Decides those of these shoutouts that wait for it, and returns their numbers. What is approved counts for its receiver, and
 * what is declined leaves a gap in the numbers. The caller holds the workspace's lock.
 */
export async function writeDecisions(
  tx: Queryable,
  workspaceId: number,
  shoutouts: readonly { number: number; moment: string }[],
  { decision, decidedBy, reason }: Omit<NewDecision, 'id' | 'actor'> & { decidedBy: number },
): Promise<number[]> {
  const rows = await tx.query<{ number: number }>(decideSql, [
    workspaceId,
    shoutouts.map(({ number }) => number),
    shoutouts.map(({ moment }) => moment),
    decision,
    decidedBy,
    reason,
  ]);
  const decided = rows.map((row) => row.number);
  if (decided.length > 0 && decision === 'APPROVED') await countApproved(tx, workspaceId, decided);
  if (decided.length > 0 && decision === 'DECLINED') await addGaps(tx, workspaceId, decided);
  return decided;
}

// An integration is not a person, so it can decide any shoutout: its token has the scope for it.
const partySql = `
  select
    from activities a
    join members acts_as     on acts_as.workspace_id = a.workspace_id and acts_as.id = $3
    join members sent_as     on sent_as.workspace_id = a.workspace_id and sent_as.id = a.sender_id
    join members received_as on received_as.workspace_id = a.workspace_id and received_as.id = a.receiver_id
   where a.workspace_id = $1
     and (a.number = $2 or a.lead_number = (select lead_number from activities where workspace_id = $1 and number = $2))
     and a.type = 'SHOUTOUT'
     and not acts_as.is_integration
     and ${survivorOf('acts_as')} in (${survivorOf('sent_as')}, ${survivorOf('received_as')})`;

const decideSql = `
  with decided as (
    update activities a
       set status = $4
      from unnest($2::bigint[], $3::timestamptz[]) as asked (number, moment)
     where a.workspace_id = $1
       and a.number = asked.number
       and a.type = 'SHOUTOUT'
       and a.status = 'PENDING'
    returning a.workspace_id, a.number, asked.moment
  ),
  noted as (
    update shoutouts s
       set decided_by = $5, decided_at = d.moment, decision_reason = $6
      from decided d
     where s.workspace_id = $1
       and s.number = d.number
  )
  select number from decided order by number`;
