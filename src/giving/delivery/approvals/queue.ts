import { createHash, randomUUID } from 'node:crypto';
import { isHere, survivorOf } from '../../../company/directory/who.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import type { ApprovalStep, ChangedApprovals } from '../../approvals/announce.ts';
import { decidingRoles, readDeciders } from '../../approvals/deciders.ts';
import { type ApprovalRow, type AskedRow, askedAbout, readApprovalRows } from '../../approvals/read.ts';
import { announceDue } from '../queue.ts';

export type ApprovalMailKind = 'ASKED' | 'DECIDED';

/** The states in which an email about an approval waits to be sent, as SQL. The index approval_mails_due has these rows. */
export const waitingApprovalMails = `('QUEUED', 'DEFERRED')`;

/** The orders of a file come one after the other. An email about them waits this long for the next one. */
const gatherSeconds = 5;
/** As many as one request decides. */
const mostInMail = 100;

/** The step that emails the people whom a change of approvals concerns. */
export const queueApprovalMails: ApprovalStep = { onChange: queueFor };

/**
 * Queues the emails that orders need as they are now: to each person who is asked, or to the sender and the requester of orders that were
 * decided. An email that was queued before is not queued again, unless the approver has another address now, or it was cancelled because the
 * person was not asked for a while. The transaction holds the workspace's lock.
 */
export async function queueFor(tx: Queryable, changed: ChangedApprovals): Promise<void> {
  const { workspaceId, requestIds } = changed;
  const rows = await readApprovalRows(tx, workspaceId, requestIds);
  await queueWanted(tx, changed, rows, await wantedMails(tx, workspaceId, rows));
}

/** An email about one order to one person. */
export interface WantedMail {
  requestId: string;
  /** Since when the order waits, as text, because a Date would cut off the microseconds. */
  since: string;
  level: number;
  kind: ApprovalMailKind;
  memberId: number;
  userId: number | null;
  address: string;
}

/** The emails about these orders that are not queued yet. A person without an address gets none. */
export async function wantedMails(
  on: Queryable,
  workspaceId: number,
  rows: readonly AskedRow[],
): Promise<WantedMail[]> {
  const deciders = await readDeciders(on, workspaceId);
  const wanted = rows.flatMap((row): { kind: string; memberId: number | null }[] => {
    const { requestId, level, state } = row;
    const order = { requestId, level, kind: state === 'WAITING' ? 'ASKED' : 'DECIDED' };
    return state === 'WAITING'
      ? askedAbout(row, deciders).asked.map(({ id }) => ({ ...order, memberId: id }))
      : [{ ...order, memberId: null }];
  });
  return wanted.length === 0
    ? []
    : on.query<WantedMail>(wantedSql, [workspaceId, JSON.stringify(wanted), decidingRoles]);
}

async function queueWanted(
  tx: Queryable,
  { workspaceId, moment }: ChangedApprovals,
  rows: readonly ApprovalRow[],
  wanted: readonly WantedMail[],
): Promise<void> {
  if (wanted.length === 0) return;
  const byId = new Map(rows.map((row) => [row.requestId, row]));
  const mails = wanted.map((one) => ({ ...one, ...bundleOf(byId.get(one.requestId) as ApprovalRow, one) }));
  const open = await tx.query<Bundle>(openSql, [workspaceId, moment, [...new Set(mails.map(({ bundle }) => bundle))]]);
  const bundles = new Map(open.map((one) => [one.bundle, one]));
  const queued = mails.map((mail) => {
    const known = bundles.get(mail.bundle);
    const bundle = known && known.orders < mostInMail ? known : { ...mail, mailId: randomUUID(), orders: 0 };
    bundle.orders += 1;
    bundles.set(mail.bundle, bundle);
    return { ...mail, mailId: bundle.mailId };
  });
  const [{ nextDue } = { nextDue: null }] = await tx.query<{ nextDue: string | null }>(queueSql, [
    workspaceId,
    JSON.stringify(queued),
    moment,
    gatherSeconds,
  ]);
  if (nextDue !== null) await announceDue(tx, workspaceId, nextDue);
}

interface Bundle {
  bundle: string;
  mailId: string;
  orders: number;
}

/** Orders that are decided together share an email. So do others of one file: same reference, sender, rule, currency, and the same note or the same decision, which it quotes. */
function bundleOf(row: ApprovalRow, { kind, memberId, address, level }: WantedMail) {
  const { requestId, customerRequestId, sender, rule, currency, decisions, state, note, together } = row;
  const last = decisions.at(-1);
  const parts = [
    [kind, memberId, address, level, state, sender.id, rule.id, currency],
    together
      ? ['request', together.requestIds[0]]
      : customerRequestId === null
        ? ['order', requestId]
        : ['reference', customerRequestId],
    kind === 'ASKED' ? [note] : [last?.by?.id, last?.comment],
  ];
  const bundle = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  return { bundle, isGathered: kind === 'ASKED' && customerRequestId !== null && !together };
}

/** Approvers get the email at the address of their account. Of several accounts, the one with the lowest id counts. */
const accountOf = (member: string, condition: string) => `
  select u.id, u.email
    from user_roles given
    join users u         on u.id = given.user_id
    join members acts_as on acts_as.workspace_id = given.workspace_id and acts_as.id = given.member_id
   where given.workspace_id = $1
     and ${survivorOf('acts_as')} = ${member}
     and ${condition}
   order by u.id
   limit 1`;

/** The person who requested an order `r`: the user, or the member that the token acts as. */
const requesterOf = (r: string) => `
  coalesce((select g.member_id from user_roles g where g.workspace_id = ${r}.workspace_id and g.user_id = ${r}.token_id),
           (select t.member_id from api_token_workspaces t where t.workspace_id = ${r}.workspace_id and t.token_id = ${r}.token_id))`;

const wantedSql = `
  select w."requestId", a.since::text as since, w.level, w.kind, m.id as "memberId", account.id as "userId",
         case w.kind when 'ASKED' then account.email else coalesce(account.email, m.email) end as address
    from jsonb_to_recordset($2::jsonb) as w ("requestId" uuid, level int, kind text, "memberId" bigint)
    join order_requests r  on r.workspace_id = $1 and r.request_id = w."requestId"
    join order_approvals a on a.workspace_id = $1 and a.request_id = w."requestId"
   cross join lateral (select distinct ${survivorOf('named')} as id
                         from members named
                        where named.workspace_id = $1
                          and named.id in (w."memberId", case when w.kind = 'DECIDED' then r.sender_id end,
                                           case when w.kind = 'DECIDED' then ${requesterOf('r')} end)) person
    join members m         on m.workspace_id = $1 and m.id = person.id and ${isHere('m')}
    left join lateral (${accountOf('m.id', `(w.kind = 'DECIDED' or given.role = any($3::text[]))`)}) account on true
   where case w.kind when 'ASKED' then account.email else coalesce(account.email, m.email) end is not null
     and not exists (select
                       from approval_mails q
                      where q.workspace_id = $1
                        and q.request_id = w."requestId"
                        and q.since = a.since
                        and q.level = w.level
                        and q.kind = w.kind
                        and q.member_id = m.id
                        and (w.kind = 'DECIDED' or q.address = account.email and q.state <> 'CANCELLED'))
   order by w."requestId", m.id`;

/** Emails that still wait for further orders. One that is due may be on its way. */
const openSql = `
  select bundle, mail_id as "mailId", count(*)::int as orders
    from approval_mails
   where workspace_id = $1
     and state = 'QUEUED'
     and attempts = 0
     and due_at > $2::timestamptz
     and bundle = any($3::text[])
   group by bundle, mail_id
   order by count(*) desc`;

const queueSql = `
  with new as (
    select *, $3::timestamptz + case when "isGathered" then make_interval(secs => $4) else interval '0' end as due_at
      from jsonb_to_recordset($2::jsonb) as one ("requestId" uuid, since timestamptz, level int, kind text, "memberId" bigint, "mailId" uuid,
                                                 bundle text, "userId" bigint, address text, "isGathered" boolean)
  ),
  later as (
    update approval_mails q
       set due_at = new.due_at
      from (select distinct "mailId", due_at from new) new
     where q.workspace_id = $1
       and q.mail_id = new."mailId"
       and q.state = 'QUEUED'
  ),
  queued as (
    insert into approval_mails as q (workspace_id, request_id, since, level, kind, member_id, mail_id, bundle, user_id, address, state, due_at)
    select $1, "requestId", since, level, kind, "memberId", "mailId", bundle, "userId", address, 'QUEUED', due_at from new
        on conflict (workspace_id, request_id, since, level, kind, member_id, address) do update
       set mail_id = excluded.mail_id, bundle = excluded.bundle, user_id = excluded.user_id, state = excluded.state,
           due_at = excluded.due_at, attempts = 0
     where q.state = 'CANCELLED'
    returning q.due_at
  )
  select min(due_at)::text as "nextDue" from queued`;
