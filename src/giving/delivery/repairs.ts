import { audit } from '../../company/workspaces/audit.ts';
import { readGiftSettings } from '../../company/workspaces/gift-settings.ts';
import { inWorkspace } from '../../company/workspaces/lock.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { GiftDetails, GiftRecord } from '../../ground/contract/gift.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import type { AuditAction } from '../../ground/values/audit-actions.ts';
import { addressKey } from '../../ground/values/email.ts';
import type { Gift } from '../gifts/gift.ts';
import { moveGifts } from '../gifts/moves.ts';
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
import { readDetails, readGiftRecords } from './gift-list/records.ts';
import { isInFlight, queueMail, requeueWithdrawn, resendGift, withdrawMails } from './queue.ts';
import { rescheduleReminders } from './reminders.ts';

/** What repairs of gifts work with. */
export interface RepairOptions {
  database: Database;
  keys: GiftTokenKeys;
  /** Whether this installation emails at all. */
  isMailOn: boolean;
  /** Who asks for the repair: the gift's log and the audit log name them. */
  actor: Actor;
}

/** Repairs a gift in a transaction that holds the workspace's lock. Returns what it did, as the audit log names it; null if nothing changed. */
export type RepairWork = (tx: Queryable, gift: Gift, record: GiftRecord) => Promise<AuditAction | null>;

/** Emails a gift once more, with the same tokens, or for the first time. With the key of the latest request nothing happens. */
export async function sendAgain(
  options: RepairOptions,
  workspaceId: number,
  id: number,
  key: string | null,
): Promise<{ gift: GiftDetails; isReplay: boolean }> {
  let isReplay = false;
  const work = resending(options, key, () => {
    isReplay = true;
  });
  const gift = await repair(options, workspaceId, id, work);
  return { gift, isReplay };
}

export function resending(options: RepairOptions, key: string | null = null, onReplay = () => {}): RepairWork {
  return async (tx, gift, { address }) => {
    checkState('resend', gift);
    await checkMail(tx, options, 'resend', gift);
    if (address === null)
      refuseRepair(
        'resend',
        gift,
        'no email address of its recipient is known: correct the address, or print it',
        'NO_ADDRESS',
      );
    const { isReplay } = await resendGift(tx, gift.workspaceId, gift, { key });
    if (isReplay) {
      onReplay();
      return null;
    }
    await moveGifts(tx, gift.workspaceId, [{ type: 'RESENT', gift, by: options.actor, detail: { address } }]);
    return 'gift.resent';
  };
}

/** Issues a gift again for another address, and emails it there: at once, or when it was to be emailed anyway. */
export function correctAddress(
  options: RepairOptions,
  workspaceId: number,
  id: number,
  email: string,
): Promise<GiftDetails> {
  return repair(options, workspaceId, id, async (tx, gift, { address, delivery, dueAt }) => {
    if (address !== null && addressKey(address) === addressKey(email)) return null;
    checkState('correct', gift);
    await checkMail(tx, options, 'correct', gift);
    await refuseInFlight(tx, 'correct', gift);
    const reissued = await reissueGift(tx, options.keys, gift, options.actor, { was: address, address: email });
    await withdrawMails(tx, workspaceId, gift);
    const scheduled = delivery === 'SCHEDULED' && dueAt !== null;
    await queueMail(tx, workspaceId, {
      kind: 'GIFT',
      gift: reissued,
      address: email,
      ...(scheduled && { dueAt }),
    });
    return 'gift.corrected';
  });
}

/** Cancels a gift and the emails about it that wait. No email about it is sent after this has been answered. */
export function cancel(options: RepairOptions, workspaceId: number, id: number): Promise<GiftDetails> {
  return repair(options, workspaceId, id, cancelling(options));
}

export function cancelling({ actor }: RepairOptions): RepairWork {
  return async (tx, gift) => {
    if (gift.state === 'CANCELLED') return null;
    checkState('cancel', gift);
    await refuseInFlight(tx, 'cancel', gift);
    await cancelGift(tx, gift, actor);
    await withdrawMails(tx, gift.workspaceId, gift);
    return 'gift.cancelled';
  };
}

/** Lets a gift be claimed until the end of a day, or removes its expiry date. One that has expired can be claimed again. */
export function extend(
  options: RepairOptions,
  workspaceId: number,
  id: number,
  expiresOn: string | null,
): Promise<GiftDetails> {
  return repair(options, workspaceId, id, extending(options, expiresOn));
}

export function extending({ actor, isMailOn }: RepairOptions, expiresOn: string | null): RepairWork {
  return async (tx, gift) => {
    const { workspaceId } = gift;
    checkState('extend', gift);
    // A sender that found it expired is about to withdraw its email.
    if (gift.state === 'EXPIRED') await refuseInFlight(tx, 'extend', gift);
    const extended = await extendGift(tx, gift, expiresOn, actor);
    if (!extended) return null;
    const { mailsGifts } = await readGiftSettings(tx, workspaceId);
    if (isMailOn && mailsGifts) await requeueWithdrawn(tx, workspaceId, extended);
    await rescheduleReminders(tx, workspaceId, extended);
    return 'gift.extended';
  };
}

/** Runs a repair under the workspace's lock, and shows the gift after it. */
function repair(
  { database, actor }: RepairOptions,
  workspaceId: number,
  id: number,
  work: RepairWork,
): Promise<GiftDetails> {
  return inWorkspace(database, workspaceId, async (tx) => {
    const gift = await findGift(tx, workspaceId, id);
    const [record] = await readGiftRecords(tx, workspaceId, [id]);
    const action = await work(tx, gift, record as GiftRecord);
    const name = `${gift.firstName} ${gift.lastName}`.trim() || gift.email || gift.employeeNumber;
    if (action !== null) await audit(tx, { workspaceId, actor, action, subject: { id, name } });
    return (await readDetails(tx, workspaceId, id)) as GiftDetails;
  });
}

async function checkMail(tx: Queryable, { isMailOn }: RepairOptions, repair: Repair, gift: Gift): Promise<void> {
  if (!isMailOn)
    refuseRepair(
      repair,
      gift,
      'mail is switched off in this installation: set GIFTWIRE_SMTP_URL, or print the gift',
      'EMAIL_OFF',
    );
  const { mailsGifts } = await readGiftSettings(tx, gift.workspaceId);
  if (!mailsGifts)
    refuseRepair(
      repair,
      gift,
      'this workspace emails no gifts: switch mail on in its settings, or print the gift',
      'EMAIL_OFF',
    );
}

/** An email that is being handed to the mail server cannot be stopped, and takes some seconds. */
async function refuseInFlight(tx: Queryable, repair: Repair, gift: Gift): Promise<void> {
  if (await isInFlight(tx, gift.workspaceId, gift.id))
    refuseRepair(repair, gift, 'its email is being sent at this moment: try again in some seconds', 'OTHER', 5);
}
