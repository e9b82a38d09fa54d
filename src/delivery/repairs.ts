import type { GiftDetails, GiftRecord } from '../contract/gift.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { Gift } from '../gifts/gift.ts';
import { readDetails, readRecords } from '../gifts/records.ts';
import {
  cancelGift,
  checkState,
  extendGift,
  findGift,
  type Repair,
  refuseRepair,
  reissueGift,
} from '../gifts/repairs.ts';
import type { GiftTokenKeys } from '../gifts/token-keys.ts';
import { addressKey } from '../values/email.ts';
import { readGiftSettings } from '../workspaces/gift-settings.ts';
import { inWorkspace } from '../workspaces/lock.ts';
import { isInFlight, queueMail, requeueWithdrawn, resendGift, withdrawMails } from './queue.ts';
import { rescheduleReminders } from './reminders.ts';

/** What repairs of gifts work with. */
export interface RepairOptions {
  database: Database;
  keys: GiftTokenKeys;
  /** Whether this installation mails at all. */
  isMailOn: boolean;
}

/** Mails a gift once more, with the same tokens, or for the first time. With the key of the latest request nothing happens. */
export async function sendAgain(
  options: RepairOptions,
  workspaceId: number,
  id: number,
  key: string | null,
): Promise<{ gift: GiftDetails; isReplay: boolean }> {
  let isReplay = false;
  const gift = await repair(options, workspaceId, id, async (tx, found, { address }) => {
    checkState('resend', found);
    await checkMail(tx, options, 'resend', found);
    if (address === null)
      refuseRepair('resend', found, 'no e-mail address of its recipient is known: correct the address, or print it');
    ({ isReplay } = await resendGift(tx, workspaceId, found, { key }));
  });
  return { gift, isReplay };
}

/** Issues a gift again for another address, and mails it there: at once, or when it was to be mailed anyway. */
export function correctAddress(
  options: RepairOptions,
  workspaceId: number,
  id: number,
  email: string,
): Promise<GiftDetails> {
  return repair(options, workspaceId, id, async (tx, gift, { address, delivery, dueAt }) => {
    if (address !== null && addressKey(address) === addressKey(email)) return;
    checkState('correct', gift);
    await checkMail(tx, options, 'correct', gift);
    await refuseInFlight(tx, 'correct', gift);
    const reissued = await reissueGift(tx, options.keys, gift);
    await withdrawMails(tx, workspaceId, gift);
    const scheduled = delivery === 'SCHEDULED' && dueAt !== null;
    await queueMail(tx, workspaceId, {
      kind: 'GIFT',
      gift: reissued,
      address: email,
      ...(scheduled && { dueAt }),
    });
  });
}

/** Cancels a gift and the mails about it that wait. No mail about it is sent after this has been answered. */
export function cancel(options: RepairOptions, workspaceId: number, id: number): Promise<GiftDetails> {
  return repair(options, workspaceId, id, async (tx, gift) => {
    if (gift.state === 'CANCELLED') return;
    checkState('cancel', gift);
    await refuseInFlight(tx, 'cancel', gift);
    await cancelGift(tx, gift);
    await withdrawMails(tx, workspaceId, gift);
  });
}

/** Lets a gift be claimed until the end of a day, or for good. One that has expired can be claimed again. */
export function extend(
  options: RepairOptions,
  workspaceId: number,
  id: number,
  expiresOn: string | null,
): Promise<GiftDetails> {
  return repair(options, workspaceId, id, async (tx, gift) => {
    checkState('extend', gift);
    // A sender that found it expired is about to withdraw its mail.
    if (gift.state === 'EXPIRED') await refuseInFlight(tx, 'extend', gift);
    const extended = await extendGift(tx, gift, expiresOn);
    if (!extended) return;
    const { mailsGifts } = await readGiftSettings(tx, workspaceId);
    if (options.isMailOn && mailsGifts) await requeueWithdrawn(tx, workspaceId, extended);
    await rescheduleReminders(tx, workspaceId, extended);
  });
}

/** Runs a repair under the workspace's lock, and shows the gift after it. */
function repair(
  { database }: RepairOptions,
  workspaceId: number,
  id: number,
  work: (tx: Queryable, gift: Gift, record: GiftRecord) => Promise<void>,
): Promise<GiftDetails> {
  return inWorkspace(database, workspaceId, async (tx) => {
    const gift = await findGift(tx, workspaceId, id);
    const [record] = await readRecords(tx, workspaceId, [id]);
    await work(tx, gift, record as GiftRecord);
    return (await readDetails(tx, workspaceId, id)) as GiftDetails;
  });
}

async function checkMail(tx: Queryable, { isMailOn }: RepairOptions, repair: Repair, gift: Gift): Promise<void> {
  if (!isMailOn)
    refuseRepair(repair, gift, 'mail is switched off in this installation: set GIFTWIRE_SMTP_URL, or print the gift');
  const { mailsGifts } = await readGiftSettings(tx, gift.workspaceId);
  if (!mailsGifts)
    refuseRepair(repair, gift, 'this workspace mails no gifts: switch mail on in its settings, or print the gift');
}

/** A mail that is being handed to the mail server cannot be stopped, and takes some seconds. */
async function refuseInFlight(tx: Queryable, repair: Repair, gift: Gift): Promise<void> {
  if (await isInFlight(tx, gift.workspaceId, gift.id))
    refuseRepair(repair, gift, 'its mail is being sent at this moment: try again in some seconds', 5);
}
