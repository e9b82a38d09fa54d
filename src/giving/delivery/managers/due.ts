import { shownName } from '../../../company/directory/names.ts';
import { addressKey, hasLeft, survivorOf } from '../../../company/directory/who.ts';
import { timeOf } from '../../../company/workspaces/lock.ts';
import { type Queryable, queryOptional } from '../../../ground/database/database.ts';
import { type Ask, readAsks } from '../../automations/asks.ts';
import type { AskedManagers } from '../../automations/managers.ts';
import type { LinkedMail } from '../mail-link.ts';
import type { DuePersonalMail, MailRecord } from '../send/personal.ts';
import { waitingManagerMails } from './queue.ts';

/** An email to a manager, about people whose day it is. */
export interface ManagerMail extends LinkedMail {
  kind: AskedManagers['kind'];
  memberId: number;
  name: string;
  /** The manager's own; null: the workspace's counts. */
  language: string | null;
  /** The manager's own, else the workspace's. */
  timeZone: string;
  /** The manager's address now; null: none. */
  address: string | null;
  /** Whether the manager is here, and has the address that the email was sent to: its link proves that. */
  isTheirs: boolean;
  occurrenceIds: number[];
}

export interface DueManagerMail extends ManagerMail, DuePersonalMail {}

/** The emails of a workspace that are due, the earliest first. */
export function readDueManagerMails(on: Queryable, workspaceId: number, most: number): Promise<DueManagerMail[]> {
  return on.query<DueManagerMail>(dueSql, [workspaceId, most]);
}

/** The email that a link belongs to; null for a link of a history that a restore has ended. */
export function findManagerMail(on: Queryable, { workspaceId, mailId }: LinkedMail): Promise<ManagerMail | null> {
  return queryOptional<ManagerMail>(on, findSql, [workspaceId, mailId]);
}

/** What an email asks about, as it is now. */
export interface OpenAsks {
  /** The manager can write a line, or give the shoutout. */
  open: Ask[];
  /** It went out, or the manager gave the shoutout. */
  done: Ask[];
}

/** What the manager may read: nothing about a person who has another manager now. */
export async function readOpenAsks(on: Queryable, mail: ManagerMail): Promise<OpenAsks> {
  const { workspaceId, kind, memberId, isTheirs, occurrenceIds } = mail;
  const asks = isTheirs ? await readAsks(on, workspaceId, occurrenceIds) : [];
  const own = asks.filter(({ managerId, personId }) => managerId === memberId && personId !== memberId);
  const isOpen = ({ state, isUsed }: Ask) => (kind === 'LINE' ? state === 'ASKED' : state === 'SENT' && !isUsed);
  const isDone = ({ state, isUsed }: Ask) =>
    kind === 'LINE' ? ['DUE', 'SENDING', 'SENT', 'MESSAGE_ONLY'].includes(state) : isUsed;
  return { open: own.filter(isOpen), done: own.filter(isDone) };
}

/** Writes down what became of an email. What was skipped meanwhile is not in it. The caller holds the workspace's lock. */
export async function saveManagerMail(
  tx: Queryable,
  moment: string,
  { workspaceId, mailId, occurrenceIds, address }: DueManagerMail,
  { state, attempts, pauseMs }: MailRecord,
): Promise<void> {
  await tx.query(saveSql, [workspaceId, mailId, occurrenceIds, state, attempts, pauseMs, moment, address]);
}

const columns = `
  q.workspace_id as "workspaceId", q.mail_id as "mailId", q.kind, m.id as "memberId", coalesce(${shownName('m')}, '') as name,
  m.own_language as language, coalesce(m.own_time_zone, w.time_zone) as "timeZone", m.email as address,
  not ${hasLeft('m')} and coalesce(bool_and(q.address is null or ${addressKey('q.address')} = m.email_key), false) as "isTheirs",
  json_agg(q.occurrence_id order by q.occurrence_id) as "occurrenceIds"`;

const tables = `
  join workspaces w  on w.id = q.workspace_id
  join members named on named.workspace_id = q.workspace_id and named.id = q.member_id
  join members m     on m.workspace_id = q.workspace_id and m.id = ${survivorOf('named')}`;

const group = 'q.workspace_id, q.mail_id, q.kind, m.workspace_id, m.id, w.time_zone';

const findSql = `
  select ${columns}
    from manager_mails q
    ${tables}
   where q.workspace_id = $1
     and q.mail_id = $2
   group by ${group}`;

const dueSql = `
  select ${columns},
         max(q.attempts) as attempts, max(extract(epoch from ${timeOf('a')} - q.due_at))::float8 as "waitedSeconds"
    from activity_counters a
    join manager_mails q on q.workspace_id = a.workspace_id
                        and q.state in ${waitingManagerMails}
                        and q.due_at <= ${timeOf('a')}
    ${tables}
   where a.workspace_id = $1
   group by ${group}
   order by min(q.due_at)
   limit $2`;

const saveSql = `
  update manager_mails q
     set state    = case when $4 = 'SENT' and not exists (select
                                                            from occurrences o
                                                           where o.workspace_id = $1
                                                             and o.id = q.occurrence_id
                                                             and o.state <> 'SKIPPED')
                         then 'CANCELLED' else $4 end,
         attempts = $5,
         due_at   = $7::timestamptz + $6::float8 * interval '1 millisecond',
         sent_at  = case when $4 = 'SENT' then $7::timestamptz end,
         address  = case when $4 = 'SENT' then $8 else q.address end
   where workspace_id = $1
     and mail_id = $2
     and occurrence_id = any($3::bigint[])
     and state in ${waitingManagerMails}`;
