import { isHere, survivorOf } from '../../company/directory/who.ts';
import { audit } from '../../company/workspaces/audit.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { Queryable } from '../../ground/database/database.ts';
import type { ShoutoutStep } from '../recognition/shoutout-steps.ts';
import type { Ask } from './asks.ts';

/** Occurrences that a manager is emailed about. The transaction holds the workspace's lock. */
export interface AskedManagers {
  workspaceId: number;
  moment: string;
  /** LINE: they are ASKED, with a manager. NUDGE: they are a nudge that was sent. */
  kind: 'LINE' | 'NUDGE';
  occurrenceIds: readonly number[];
}

/** Queues the emails, in the transaction that writes the occurrences. A manager without an address gets none. */
export type EmailManagers = (tx: Queryable, asked: AskedManagers) => Promise<void>;

/**
 * Nudges the managers of people: occurrences that are DUE are SENT with their emails queued, or NOT_DONE if the person has no manager with an
 * address. `emailManagers` is null where no email is sent. The transaction holds the workspace's lock.
 */
export async function nudgeManagers(
  tx: Queryable,
  emailManagers: EmailManagers | null,
  { workspaceId, moment, occurrenceIds }: Omit<AskedManagers, 'kind'>,
): Promise<{ sent: number[]; notDone: number[] }> {
  const rows = await tx.query<{ id: number; isSent: boolean }>(nudgeSql, [
    workspaceId,
    occurrenceIds,
    moment,
    emailManagers !== null,
  ]);
  const idsOf = (isSent: boolean) => rows.filter((row) => row.isSent === isSent).map(({ id }) => id);
  const sent = idsOf(true);
  if (emailManagers && sent.length > 0)
    await emailManagers(tx, { workspaceId, moment, kind: 'NUDGE', occurrenceIds: sent });
  return { sent, notDone: idsOf(false) };
}

const nudgeSql = `
  update occurrences o
     set state = case when who.can_be_asked then 'SENT' else 'NOT_DONE' end,
         reason = case when not who.can_be_asked then 'NO_MANAGER' end,
         detail = case when who.can_be_asked then null
                       when not $4 then 'Managers get no emails, because this service has no mail server.'
                       when who.boss_id is null then 'The person has no manager. Set one, then send it by hand.'
                       else 'The manager has no email address. Add it, then send it by hand.' end,
         asked_member_id = who.boss_id,
         at = $3
    from (select due.id, boss.id as boss_id, $4 and coalesce(boss.email, '') <> '' as can_be_asked
            from occurrences due
            join members person     on person.workspace_id = $1 and person.id = due.member_id
            join members m          on m.workspace_id = $1 and m.id = ${survivorOf('person')}
            left join members named on named.workspace_id = $1 and named.id = m.manager_id
            left join members boss  on boss.workspace_id = $1 and boss.id = ${survivorOf('named')} and ${isHere('boss')} and boss.id <> m.id
           where due.workspace_id = $1
             and due.id = any($2::bigint[])
             and due.state = 'DUE') who
   where o.workspace_id = $1
     and o.id = who.id
  returning o.id, o.state = 'SENT' as "isSent"`;

/**
 * Writes the line of a manager; null removes it. False if the occurrence has gone out or is skipped, so that nothing was written. The caller holds
 * the workspace's lock.
 */
export async function writeLine(
  tx: Queryable,
  workspaceId: number,
  occurrenceId: number,
  line: string | null,
): Promise<boolean> {
  const rows = await tx.query(
    `update occurrences set line = $3 where workspace_id = $1 and id = $2 and state = 'ASKED' returning id`,
    [workspaceId, occurrenceId, line],
  );
  return rows.length > 0;
}

/** The line that a manager writes on the page of their email. False as `writeLine`. */
export async function addLine(
  tx: Queryable,
  manager: Actor,
  workspaceId: number,
  ask: Ask,
  line: string | null,
): Promise<boolean> {
  const isWritten = await writeLine(tx, workspaceId, ask.occurrenceId, line);
  if (isWritten)
    await audit(tx, {
      workspaceId,
      actor: manager,
      action: 'automation.line_set',
      subject: { id: ask.automationId, name: ask.automationName },
      detail: { memberId: ask.personId, occurrenceId: ask.occurrenceId, way: 'EMAIL' },
    });
  return isWritten;
}

const keyPattern = /^nudge:(\d{1,15}):[0-9a-f-]{36}$/;

/** The Idempotency-Key of the shoutout that a manager gives from the email about a nudge. */
export function nudgeKey(occurrenceId: number, mailId: string): string {
  return `nudge:${occurrenceId}:${mailId}`;
}

/** Notes with a nudge the shoutout that the manager gave from it. */
export const noteUsedNudges: ShoutoutStep = {
  async inTransaction(tx, { workspaceId, given }) {
    const used = given.flatMap(({ idempotencyKey, number, senderId, receiverId }) => {
      const [, id] = keyPattern.exec(idempotencyKey ?? '') ?? [];
      return id === undefined ? [] : [{ id: Number(id), number, senderId, receiverId }];
    });
    if (used.length > 0) await tx.query(usedSql, [workspaceId, JSON.stringify(used)]);
  },
};

// The people have to be the same ones: any caller can choose such a key.
const usedSql = `
  update occurrences o
     set shoutout_number = used.number
    from jsonb_to_recordset($2::jsonb) as used (id bigint, number bigint, "senderId" bigint, "receiverId" bigint),
         members person, members manager
   where o.workspace_id = $1
     and o.id = used.id
     and o.state = 'SENT'
     and o.shoutout_number is null
     and person.workspace_id = $1
     and person.id = o.member_id
     and ${survivorOf('person')} = used."receiverId"
     and manager.workspace_id = $1
     and manager.id = o.asked_member_id
     and ${survivorOf('manager')} = used."senderId"`;
