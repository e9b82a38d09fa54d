import { type GiftSettings, readGiftSettings } from '../../company/workspaces/gift-settings.ts';
import { momentOf } from '../../company/workspaces/lock.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import type { Gift } from '../gifts/gift.ts';
import { announceDue, noReminders, waitingStates, withdrawMails } from './queue.ts';

const [hour, day] = [3_600_000, 86_400_000];

/** The shortest time between two reminders to a recipient. */
const leastGapMs = 20 * hour;
/** Gifts expire at midnight where the workspace is. The reminder before that comes in the morning. */
const morningMs = 9 * hour;

/** A gift that was emailed, and when. */
export interface Mailed {
  gift: Pick<Gift, 'requestId' | 'position' | 'edition' | 'expiresAt'>;
  giftSentAt: Date;
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
 * Schedules the next reminder of gifts to which an email was sent now. There is one at a time. A gift whose mail is sent once more keeps
 * the reminder that it has, and one whose recipient wants no reminders gets none. The caller holds the workspace's lock.
 */
export async function scheduleReminders(
  tx: Queryable,
  workspaceId: number,
  settings: GiftSettings,
  mailed: readonly Mailed[],
): Promise<void> {
  const moment = momentOf(tx, workspaceId);
  const planned = mailed.flatMap(({ gift, giftSentAt }) => {
    const dueAt = nextReminder(settings, { giftSentAt, last: new Date(moment), expiresAt: gift.expiresAt });
    return dueAt ? [{ gift, dueAt }] : [];
  });
  if (planned.length === 0) return;
  const added = await tx.query<{ dueAt: string }>(scheduleSql, [
    workspaceId,
    planned.map(({ gift }) => gift.requestId),
    planned.map(({ gift }) => gift.position),
    planned.map(({ gift }) => gift.edition),
    planned.map(({ dueAt }) => dueAt),
  ]);
  const [first] = added.map(({ dueAt }) => dueAt).sort();
  if (first) await announceDue(tx, workspaceId, first);
}

/** Chooses the next reminder again, for a gift that expires at another time than before. The caller holds the workspace's lock. */
export async function rescheduleReminders(tx: Queryable, workspaceId: number, gift: Mailed['gift']): Promise<void> {
  const mailed = await queryOptional<{ giftSentAt: Date | null }>(tx, sentSql, [
    workspaceId,
    gift.requestId,
    gift.position,
    gift.edition,
  ]);
  if (!mailed?.giftSentAt) return;
  await withdrawMails(tx, workspaceId, gift, ['REMINDER']);
  const settings = await readGiftSettings(tx, workspaceId);
  await scheduleReminders(tx, workspaceId, settings, [{ gift, giftSentAt: mailed.giftSentAt }]);
}

const scheduleSql = `
  insert into mails (workspace_id, request_id, position, edition, kind, nth, state, due_at)
  select $1, planned.request_id, planned.position, planned.edition, 'REMINDER', coalesce(known.latest, 0) + 1,
         'SCHEDULED', planned.due_at
    from unnest($2::uuid[], $3::int[], $4::int[], $5::timestamptz[]) as planned (request_id, position, edition, due_at)
   cross join lateral (
           select max(nth) as latest, bool_or(nth = ${noReminders} or state in ${waitingStates}) as is_settled
             from mails
            where workspace_id = $1
              and request_id = planned.request_id
              and position = planned.position
              and kind = 'REMINDER'
              and edition = planned.edition) known
   where known.is_settled is not true
  returning due_at::text as "dueAt"`;

const sentSql = `
  select sent_at as "giftSentAt"
    from mails
   where workspace_id = $1
     and request_id = $2
     and position = $3
     and kind = 'GIFT'
     and edition = $4
     and nth = 0`;
