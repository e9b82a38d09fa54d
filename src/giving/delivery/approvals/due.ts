import { shownName } from '../../../company/directory/names.ts';
import { timeOf } from '../../../company/workspaces/lock.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import type { DuePersonalMail, MailRecord } from '../send/personal.ts';
import { type ApprovalMailKind, waitingApprovalMails } from './queue.ts';

/** An email about an approval. Its orders are those of one file, or one. */
export interface ApprovalMail {
  workspaceId: number;
  mailId: string;
  kind: ApprovalMailKind;
  memberId: number;
  userId: number | null;
  address: string;
  name: string;
  /** The account's language; null for a person who does not sign in. */
  language: string | null;
  /** Whether the account still has this address: a link in the email proves it. */
  isAddressCurrent: boolean;
  orders: { requestId: string; since: string; level: number }[];
}

export interface DueApprovalMail extends ApprovalMail, DuePersonalMail {}

/** The emails of a workspace that are due, the earliest first. */
export function readDueApprovalMails(on: Queryable, workspaceId: number, most: number): Promise<DueApprovalMail[]> {
  return on.query<DueApprovalMail>(dueSql, [workspaceId, most]);
}

/** The columns of an email `q` whose orders are grouped. */
export const approvalMailColumns = `
  q.workspace_id as "workspaceId", q.mail_id as "mailId", q.kind, q.member_id as "memberId", q.user_id as "userId", q.address,
  coalesce(case when m.preferred_name is null then u.name end, nullif(${shownName('m')}, ''), '') as name, u.language,
  q.user_id is null or coalesce(u.email = q.address, false) as "isAddressCurrent",
  json_agg(json_build_object('requestId', q.request_id, 'since', q.since, 'level', q.level) order by q.request_id) as orders`;

export const approvalMailTables = `
  join members m    on m.workspace_id = q.workspace_id and m.id = q.member_id
  left join users u on u.id = q.user_id`;

export const approvalMailGroup =
  'q.workspace_id, q.mail_id, q.kind, q.member_id, q.user_id, q.address, u.name, u.language, u.email, m.workspace_id, m.id';

const dueSql = `
  select ${approvalMailColumns},
         max(q.attempts) as attempts, max(extract(epoch from ${timeOf('a')} - q.due_at))::float8 as "waitedSeconds"
    from activity_counters a
    join approval_mails q on q.workspace_id = a.workspace_id
                         and q.state in ${waitingApprovalMails}
                         and q.due_at <= ${timeOf('a')}
    ${approvalMailTables}
   where a.workspace_id = $1
   group by ${approvalMailGroup}
   order by min(q.due_at)
   limit $2`;

/**
 * Writes down what became of an email, for the orders that it was about: an order that joined it meanwhile still waits. The caller holds the
 * workspace's lock.
 */
export async function saveApprovalMail(
  tx: Queryable,
  moment: string,
  mail: DueApprovalMail,
  { state, attempts, pauseMs }: MailRecord,
): Promise<void> {
  const requestIds = mail.orders.map(({ requestId }) => requestId);
  await tx.query(saveSql, [mail.workspaceId, mail.mailId, requestIds, state, attempts, pauseMs, moment]);
}

const saveSql = `
  update approval_mails
     set state    = $4,
         attempts = $5,
         due_at   = $7::timestamptz + $6::float8 * interval '1 millisecond',
         sent_at  = case when $4 = 'SENT' then $7::timestamptz end
   where workspace_id = $1
     and mail_id = $2
     and request_id = any($3::uuid[])
     and state in ${waitingApprovalMails}`;
