import { survivorOf } from '../../company/directory/who.ts';
import { momentOf } from '../../company/workspaces/lock.ts';
import { type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import type { Gift } from '../gifts/gift.ts';
import { addressOf, addressTables } from './addresses.ts';
import type { MailKind } from './compose/compose.ts';

export type MailState = 'SCHEDULED' | 'QUEUED' | 'DEFERRED' | 'SENT' | 'FAILED' | 'NO_ADDRESS' | 'CANCELLED';

/** The states in which an email waits to be sent, as SQL. The index mails_due has these rows. */
export const waitingStates = `('SCHEDULED', 'QUEUED', 'DEFERRED')`;

/** A row with this number says that the recipient wants no reminders of this edition. Reminders count from 1. */
export const noReminders = 0;

export interface NewMail {
  gift: Pick<Gift, 'requestId' | 'position' | 'edition'>;
  kind: MailKind;
  /** Which reminder, which code or which request; 0 for the other kinds. */
  nth?: number;
  /** Absent: the address that is known when the email is sent. */
  address?: string | null;
  /** In the workspace's time. Absent: now. */
  dueAt?: Date | string;
}

/**
 * Queues the email about each gift of orders that are being completed, in their transaction. A gift or its order may say when: `deliverAt`.
 * The gift of a recipient without an email address gets a row too, so that lists find it. Two statements for any number of gifts.
 */
export async function queueGiftMails(
  tx: Queryable,
  workspaceId: number,
  moment: string,
  requestIds: readonly string[],
): Promise<void> {
  if (requestIds.length === 0) return;
  const [queued] = await tx.query<{ nextDue: string | null }>(queueSql, [workspaceId, requestIds, moment]);
  if (queued?.nextDue) await announceDue(tx, workspaceId, queued.nextDue);
}

/**
 * Queues an email about a gift. The caller holds the workspace's lock. Returns the email's state, or null if this email is known already, or
 * is a note of thanks to a sender without an address.
 */
export async function queueMail(tx: Queryable, workspaceId: number, mail: NewMail): Promise<MailState | null> {
  const queued = await queryOptional<QueuedMail>(tx, `${queueOneSql} on conflict do nothing ${returning}`, [
    ...keyOf(workspaceId, mail.gift),
    mail.kind,
    mail.nth ?? 0,
    mail.address ?? null,
    momentOf(tx, workspaceId),
    mail.dueAt ?? null,
    null,
  ]);
  if (queued) await announceQueued(tx, workspaceId, queued);
  return queued?.state ?? null;
}

export interface Resend {
  /** Another address, without a new edition: for a gift that had none. */
  address?: string | null;
  /** The Idempotency-Key of the request. */
  key?: string | null;
}

/**
 * Queues the email about a gift once more: same edition, same Message-ID. An email that waits is due at once, and one that is queued
 * already keeps its place. The caller holds the
 * workspace's lock and has asked `isInFlight` if the address changes. A request with the key of the latest one changes nothing.
 */
export async function resendGift(
  tx: Queryable,
  workspaceId: number,
  gift: NewMail['gift'],
  { address = null, key = null }: Resend = {},
): Promise<{ state: MailState; isReplay: boolean }> {
  const giftKey = keyOf(workspaceId, gift);
  const queued = await queryOptional<QueuedMail>(tx, resendSql, [
    ...giftKey,
    'GIFT',
    0,
    address,
    momentOf(tx, workspaceId),
    null,
    key,
  ]);
  if (!queued) return { ...(await queryOne<{ state: MailState }>(tx, stateSql, giftKey)), isReplay: true };
  await announceQueued(tx, workspaceId, queued);
  return { state: queued.state, isReplay: false };
}

/**
 * Whether a sender hands an email about this gift to the mail server now. The caller holds the workspace's lock. Until its transaction
 * ends, no sender takes further emails of the workspace: a sender that has waited for it reads what it has changed.
 */
export async function isInFlight(tx: Queryable, workspaceId: number, giftId: number): Promise<boolean> {
  const queue = await queryOptional<{ isInFlight: boolean }>(
    tx,
    `select $2::bigint = any(in_flight) and coalesce(lease_until > clock_timestamp(), false) as "isInFlight"
       from mail_queues
      where workspace_id = $1
        for share`,
    [workspaceId, giftId],
  );
  return queue?.isInFlight ?? false;
}

/** The recipient wants no reminders of this edition. The caller holds the workspace's lock. */
export async function stopReminders(tx: Queryable, workspaceId: number, gift: NewMail['gift']): Promise<void> {
  await withdrawMails(tx, workspaceId, gift, ['REMINDER']);
  await tx.query(
    `insert into mails (workspace_id, request_id, position, edition, kind, nth, state, due_at)
     values ($1, $2, $3, $4, 'REMINDER', ${noReminders}, 'CANCELLED', $5)
         on conflict do nothing`,
    [...keyOf(workspaceId, gift), momentOf(tx, workspaceId)],
  );
}

/** Cancels the emails that wait, of any edition: the gift was cancelled, claimed or issued again. The caller holds the workspace's lock. */
export async function withdrawMails(
  tx: Queryable,
  workspaceId: number,
  { requestId, position }: NewMail['gift'],
  kinds: readonly MailKind[] = ['GIFT', 'REMINDER', 'CODE'],
): Promise<void> {
  await tx.query(
    `update mails
        set state = 'CANCELLED'
      where workspace_id = $1
        and request_id = $2
        and position = $3
        and kind = any($4::text[])
        and state in ${waitingStates}`,
    [workspaceId, requestId, position, kinds],
  );
}

/** A reminder or a code came back from the address that the email about the gift went to. The caller holds the workspace's lock. */
export async function failGiftMail(tx: Queryable, workspaceId: number, gift: NewMail['gift']): Promise<void> {
  await tx.query(
    `update mails
        set state = 'FAILED'
      where workspace_id = $1
        and request_id = $2
        and position = $3
        and edition = $4
        and kind = 'GIFT'
        and state = 'SENT'`,
    keyOf(workspaceId, gift),
  );
}

/** Queues the email about a gift that was withdrawn because the gift had expired. The caller holds the workspace's lock. */
export async function requeueWithdrawn(tx: Queryable, workspaceId: number, gift: NewMail['gift']): Promise<void> {
  const moment = momentOf(tx, workspaceId);
  const queued = await queryOptional<QueuedMail>(
    tx,
    `update mails
        set state = 'QUEUED', due_at = $5, attempts = 0
      where workspace_id = $1
        and request_id = $2
        and position = $3
        and edition = $4
        and kind = 'GIFT'
        and state = 'CANCELLED'
     ${returning}`,
    [...keyOf(workspaceId, gift), moment],
  );
  if (queued) await announceQueued(tx, workspaceId, queued);
}

/** Says that an email of the workspace is due then. The caller holds the workspace's lock. */
export async function announceDue(tx: Queryable, workspaceId: number, due: string): Promise<void> {
  await tx.query(
    `insert into mail_queues as q (workspace_id, next_due) values ($1, $2)
         on conflict (workspace_id) do update set next_due = least(q.next_due, excluded.next_due)`,
    [workspaceId, due],
  );
}

interface QueuedMail {
  state: MailState;
  /** As text, because a Date would cut off the microseconds and be a moment too early. */
  dueAt: string;
}

async function announceQueued(tx: Queryable, workspaceId: number, { state, dueAt }: QueuedMail): Promise<void> {
  if (state !== 'NO_ADDRESS') await announceDue(tx, workspaceId, dueAt);
}

function keyOf(workspaceId: number, { requestId, position, edition }: NewMail['gift']) {
  return [workspaceId, requestId, position, edition];
}

const queueOneSql = `
  insert into mails as kept (workspace_id, request_id, position, edition, kind, nth, state, address, due_at, resend_key)
  select q.workspace_id, q.request_id, q.position, q.edition, q.kind, q.nth,
         case when q.due_at > $8::timestamptz then 'SCHEDULED'
              when ${addressOf} is null then 'NO_ADDRESS'
              else 'QUEUED' end,
         q.address, q.due_at, $10::text
    from (select $1::bigint as workspace_id, $2::uuid as request_id, $3::int as position, $4::int as edition,
                 $5::text as kind, $6::int as nth, $7::text as address,
                 greatest($9::timestamptz, $8::timestamptz) as due_at) q
    join order_requests r on r.workspace_id = q.workspace_id and r.request_id = q.request_id
    join certificates c   on c.workspace_id = q.workspace_id and c.request_id = q.request_id and c.position = q.position
    join members named    on named.workspace_id = c.workspace_id and named.id = c.member_id
    join members m        on m.workspace_id = c.workspace_id and m.id = ${survivorOf('named')}
    ${addressTables}
   where q.kind <> 'THANKS' or ${addressOf} is not null`;

const returning = 'returning state, due_at::text as "dueAt"';

const resendSql = `${queueOneSql}
  on conflict (workspace_id, request_id, position, kind, edition, nth) do update
     set state = excluded.state, attempts = 0, resend_key = excluded.resend_key,
         due_at = case when kept.state = 'QUEUED' then kept.due_at else excluded.due_at end,
         address = coalesce(excluded.address, kept.address)
   where excluded.resend_key is null
      or kept.resend_key is distinct from excluded.resend_key
  ${returning}`;

const stateSql = `
  select state
    from mails
   where workspace_id = $1
     and request_id = $2
     and position = $3
     and edition = $4
     and kind = 'GIFT'
     and nth = 0`;

const queueSql = `
  with queued as (
    insert into mails (workspace_id, request_id, position, kind, edition, nth, state, due_at)
    select $1::bigint, c.request_id, c.position, 'GIFT', c.edition, 0,
           case when c.gift_deliver_at > $3::timestamptz then 'SCHEDULED'
                when m.email is null then 'NO_ADDRESS'
                else 'QUEUED' end,
           greatest(c.gift_deliver_at, $3::timestamptz)
      from workspaces w
     cross join unnest($2::uuid[]) as r (request_id)
     cross join lateral (select *
                           from certificates
                          where workspace_id = $1
                            and request_id = r.request_id
                         offset 0) c
      join members named on named.workspace_id = $1 and named.id = c.member_id
      join members m     on m.workspace_id = $1 and m.id = ${survivorOf('named')}
     where w.id = $1
       and w.mails_gifts
    returning state, due_at
  )
  select (min(due_at) filter (where state <> 'NO_ADDRESS'))::text as "nextDue" from queued`;
