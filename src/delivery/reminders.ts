import type { Queryable } from '../database/database.ts';
import type { Gift } from '../gifts/gift.ts';
import { type GiftSettings, readGiftSettings } from '../workspaces/gift-settings.ts';
import { momentOf } from '../workspaces/lock.ts';
import { announceDue, noReminders, withdrawMails } from './queue.ts';

const [hour, day] = [3_600_000, 86_400_000];

/** Nobody gets two reminders within so short a time. */
const leastGapMs = 20 * hour;
/** Gifts expire at midnight where the workspace is. The reminder before that comes in the morning. */
const morningMs = 9 * hour;

/** A gift that was mailed, and how many reminders of it were sent. */
export interface Mailed {
  gift: Pick<Gift, 'requestId' | 'position' | 'edition' | 'expiresAt'>;
  giftSentAt: Date;
  reminders: number;
}

/** When the next reminder is due after `last`, the latest mail about the gift; null: there are no more. */
export function nextReminder(
  { reminderDays, reminderDaysBeforeExpiry }: Pick<GiftSettings, 'reminderDays' | 'reminderDaysBeforeExpiry'>,
  { giftSentAt, last, expiresAt }: { giftSentAt: Date; last: Date; expiresAt: Date | null },
): Date | null {
  const times = reminderDays.map((days) => giftSentAt.getTime() + days * day);
  const end = expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
  if (expiresAt && reminderDaysBeforeExpiry !== null) times.push(end - reminderDaysBeforeExpiry * day + morningMs);
  const next = Math.min(...times.filter((time) => time >= last.getTime() + leastGapMs && time < end));
  return Number.isFinite(next) ? new Date(next) : null;
}

/**
 * Schedules the next reminder of gifts to which a mail was sent now. There is one at a time. A gift whose mail is sent once more keeps
 * the reminder that it has, and one whose recipient wants no reminders gets none. The caller holds the workspace's lock.
 */
export async function scheduleReminders(
  tx: Queryable,
  workspaceId: number,
  settings: GiftSettings,
  mailed: readonly Mailed[],
): Promise<void> {
  const moment = momentOf(tx, workspaceId);
  const planned = mailed.flatMap(({ gift, giftSentAt, reminders }) => {
    const dueAt = nextReminder(settings, { giftSentAt, last: new Date(moment), expiresAt: gift.expiresAt });
    return dueAt ? [{ gift, nth: reminders + 1, dueAt }] : [];
  });
  if (planned.length === 0) return;
  const added = await tx.query<{ dueAt: string }>(scheduleSql, [
    workspaceId,
    planned.map(({ gift }) => gift.requestId),
    planned.map(({ gift }) => gift.position),
    planned.map(({ gift }) => gift.edition),
    planned.map(({ nth }) => nth),
    planned.map(({ dueAt }) => dueAt),
  ]);
  const [first] = added.map(({ dueAt }) => dueAt).sort();
  if (first) await announceDue(tx, workspaceId, first);
}

/** Chooses the next reminder again, for a gift that expires at another time than before. The caller holds the workspace's lock. */
export async function rescheduleReminders(tx: Queryable, workspaceId: number, gift: Mailed['gift']): Promise<void> {
  const [sent] = await tx.query<{ giftSentAt: Date | null; reminders: number }>(sentSql, [
    workspaceId,
    gift.requestId,
    gift.position,
    gift.edition,
  ]);
  if (!sent?.giftSentAt) return;
  await withdrawMails(tx, workspaceId, gift, ['REMINDER']);
  const settings = await readGiftSettings(tx, workspaceId);
  await scheduleReminders(tx, workspaceId, settings, [{ gift, ...sent, giftSentAt: sent.giftSentAt }]);
}

const scheduleSql = `
  insert into mails (workspace_id, request_id, position, edition, kind, nth, state, due_at)
  select $1, planned.request_id, planned.position, planned.edition, 'REMINDER', planned.nth, 'SCHEDULED', planned.due_at
    from unnest($2::uuid[], $3::int[], $4::int[], $5::int[], $6::timestamptz[])
           as planned (request_id, position, edition, nth, due_at)
   where not exists (select from mails known
                      where known.workspace_id = $1
                        and known.request_id = planned.request_id
                        and known.position = planned.position
                        and known.kind = 'REMINDER'
                        and known.edition = planned.edition
                        and (known.nth = ${noReminders} or known.nth >= planned.nth))
  returning due_at::text as "dueAt"`;

const sentSql = `
  select max(sent_at) filter (where kind = 'GIFT') as "giftSentAt",
         coalesce(max(nth) filter (where kind = 'REMINDER'), 0) as reminders
    from mails
   where workspace_id = $1
     and request_id = $2
     and position = $3
     and edition = $4`;
