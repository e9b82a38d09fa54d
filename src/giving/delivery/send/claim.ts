import { timeOf } from '../../../company/workspaces/lock.ts';
import { type Queryable, queryOptional } from '../../../ground/database/database.ts';
import { type Gift, giftColumns, giftTables } from '../../gifts/gift.ts';
import { addressOf, addressTables } from '../addresses.ts';
import { waitingApprovalMails } from '../approvals/queue.ts';
import type { MailKind } from '../compose/compose.ts';
import { type DecidedRequest, decisionOf } from '../compose/decision.ts';
import { waitingDigests } from '../digests/plan.ts';
import { waitingManagerMails } from '../managers/queue.ts';
import { noReminders, waitingStates } from '../queue.ts';
import { type Pace, permitsNow } from './pace.ts';

/** A sender that dies leaves its workspaces to others after this time. */
export const leaseSeconds = 60;

/** A workspace whose emails this sender sends until the lease ends. */
export interface ClaimedQueue {
  workspaceId: number;
  /** Whether the mail server could not be used lately. */
  isFailing: boolean;
}

/** An email that is due, with its gift as it stands. */
export interface DueMail {
  gift: Gift;
  kind: MailKind;
  edition: number;
  nth: number;
  attempts: number;
  address: string | null;
  /** When the email about the gift was sent, of which this may be a reminder. */
  giftSentAt: Date | null;
  /** Whether the recipient wants no reminders. */
  isQuiet: boolean;
  /** Of DECISION: what was decided. */
  decision: DecidedRequest | null;
  /** Of CODE: until when the code is good. */
  codeEndsAt: Date | null;
  dueAt: Date;
  /** The workspace's time. */
  readAt: Date;
}

type MailColumns = Omit<DueMail, 'gift' | 'edition'> & { mailEdition: number };

/**
 * Claims workspaces with emails that are due. Those whose turn was longest ago come first, so one busy workspace cannot delay the
 * others. Claims none while senders pause, and one while the mail server has failed lately. Never claims one of `except`.
 */
export function claimQueues(
  on: Queryable,
  owner: string,
  pace: Pace | null,
  limit: number,
  except: readonly number[] = [],
): Promise<ClaimedQueue[]> {
  const { most = null, perSecond = null } = pace ?? {};
  return on.query<ClaimedQueue>(claimSql, [most, perSecond, owner, leaseSeconds, limit, except]);
}

/**
 * Marks the gifts of the next emails as in flight. Waits for transactions that have asked `isInFlight`, so what they have changed is
 * read afterwards by `readBatch`. Null when another process has taken the lease.
 */
export async function takeBatch(on: Queryable, owner: string, workspaceId: number, size: number) {
  const taken = await queryOptional<{ giftIds: number[] }>(on, takeSql, [workspaceId, owner, leaseSeconds, size]);
  return taken?.giftIds ?? null;
}

/** The emails that are due about these gifts. */
export async function readBatch(
  on: Queryable,
  workspaceId: number,
  giftIds: readonly number[],
  size: number,
): Promise<DueMail[]> {
  const rows = await on.query<Gift & MailColumns>(readSql, [workspaceId, giftIds, size]);
  return rows.map(
    ({
      kind,
      mailEdition,
      nth,
      attempts,
      address,
      giftSentAt,
      isQuiet,
      decision,
      codeEndsAt,
      dueAt,
      readAt,
      ...gift
    }) => ({
      gift,
      kind,
      edition: mailEdition,
      nth,
      attempts,
      address,
      giftSentAt,
      isQuiet,
      decision,
      codeEndsAt,
      dueAt,
      readAt,
    }),
  );
}

/** The gifts of the workspace $1 whose emails a sender hands over now: they cannot be stopped. */
export const inFlightSql = `
    select in_flight
      from mail_queues
     where workspace_id = $1
       and lease_until > clock_timestamp()
       for share`;

/** Returns whether the lease is still this sender's. */
export async function renewLease(on: Queryable, owner: string, workspaceId: number): Promise<boolean> {
  const renewed = await on.query(
    `update mail_queues
        set lease_until = clock_timestamp() + make_interval(secs => $3)
      where workspace_id = $1
        and lease_owner = $2
     returning workspace_id`,
    [workspaceId, owner, leaseSeconds],
  );
  return renewed.length > 0;
}

/**
 * Gives a workspace back, so that any sender may take it at once. The end of the lease tells when its turn was. The caller holds the
 * workspace's lock: emails that are queued at the same time announce when they are due afterwards.
 */
export async function releaseQueue(tx: Queryable, owner: string, workspaceId: number): Promise<void> {
  await tx.query(
    `update mail_queues
        set lease_owner = null, lease_until = clock_timestamp(), in_flight = '{}',
            next_due = least((select min(due_at)
                                from mails
                               where workspace_id = $1
                                 and state in ${waitingStates}),
                             (select min(due_at)
                                from approval_mails
                               where workspace_id = $1
                                 and state in ${waitingApprovalMails}),
                             (select min(due_at)
                                from manager_mails
                               where workspace_id = $1
                                 and state in ${waitingManagerMails}),
                             (select min(due_at)
                                from digest_mails
                               where workspace_id = $1
                                 and state in ${waitingDigests}))
      where workspace_id = $1
        and lease_owner = $2`,
    [workspaceId, owner],
  );
}

const claimSql = `
  with due as (
    select q.workspace_id, p.failures > 0 as is_failing
      from mail_pace p
     cross join mail_queues q
      join activity_counters a on a.workspace_id = q.workspace_id
     where q.next_due <= ${timeOf('a')}
       and q.workspace_id <> all($6::bigint[])
       and (q.lease_until is null or q.lease_until <= clock_timestamp())
       and p.resume_at <= clock_timestamp()
       and ($1::float8 is null or ${permitsNow} >= 1)
     order by q.lease_until nulls first, q.next_due
     limit (select case when failures > 0 then 1 else $5::int end from mail_pace)
       for update of q skip locked
  )
  update mail_queues q
     set lease_owner = $3, lease_until = clock_timestamp() + make_interval(secs => $4), in_flight = '{}'
    from due
   where q.workspace_id = due.workspace_id
  returning q.workspace_id as "workspaceId", due.is_failing as "isFailing"`;

/** The gifts of the emails in the workspace $1 that are due, the first $4. */
function dueSql(condition: string): string {
  return `
    select c.id
      from activity_counters a
      join mails due      on due.workspace_id = a.workspace_id
                         and due.due_at <= ${timeOf('a')}
                         and due.state in ${waitingStates}
                         ${condition}
      join certificates c on c.workspace_id = due.workspace_id
                         and c.request_id = due.request_id
                         and c.position = due.position
     where a.workspace_id = $1
     order by due.due_at
     limit $4`;
}

// Codes first: a recipient waits for one at a gift page.
const takeSql = `
  update mail_queues q
     set lease_until = clock_timestamp() + make_interval(secs => $3),
         in_flight = array(select id
                             from (select * from (${dueSql(`and due.kind = 'CODE'`)}) codes
                                   union all
                                   select * from (${dueSql('')}) others) both_kinds
                            limit $4)
   where q.workspace_id = $1
     and q.lease_owner = $2
  returning q.in_flight as "giftIds"`;

const readSql = `
  select ${giftColumns},
         q.kind, q.edition as "mailEdition", q.nth, q.attempts, q.due_at as "dueAt", ${addressOf} as address, first.sent_at as "giftSentAt",
         quiet.state is not null as "isQuiet", ${decisionOf('$1')} as decision, code.ends_at as "codeEndsAt", ${timeOf('a')} as "readAt"
    from (select distinct unnest($2::bigint[]) as id) taken
    join certificates c on c.workspace_id = $1 and c.id = taken.id
    ${giftTables}
    join mails q        on q.workspace_id = c.workspace_id
                       and q.request_id = c.request_id
                       and q.position = c.position
                       and q.state in ${waitingStates}
                       and q.due_at <= ${timeOf('a')}
    ${addressTables}
    left join mails quiet on quiet.workspace_id = q.workspace_id
                         and quiet.request_id = q.request_id
                         and quiet.position = q.position
                         and quiet.kind = 'REMINDER'
                         and quiet.edition = q.edition
                         and quiet.nth = ${noReminders}
    left join claim_codes code on q.kind = 'CODE'
                              and code.workspace_id = q.workspace_id
                              and code.request_id = q.request_id
                              and code.position = q.position
                              and code.edition = q.edition
                              and code.nth = q.nth
   order by q.kind <> 'CODE', q.due_at
   limit $3`;
