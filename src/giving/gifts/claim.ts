import { readGiftSettings } from '../../company/workspaces/gift-settings.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { type CodeAnswer, checkCode, makeCode } from './codes.ts';
import { type Gift, readGiftsById } from './gift.ts';
import { moveGifts } from './moves.ts';
import type { GiftTokenKeys } from './token-keys.ts';
import { inTurnOfGift } from './turns.ts';

/** What happens to emails together with a gift. The module delivery/ does that; it stands above this one, so it is passed in. */
export interface GiftMails {
  /** Queues an email. Returns whether there is an address for it. */
  queue(tx: Queryable, gift: Gift, kind: 'CODE' | 'THANKS' | 'DECISION', nth: number): Promise<boolean>;
  /** Cancels the emails that wait for a gift that was claimed. */
  withdraw(tx: Queryable, gift: Gift): Promise<void>;
}

export interface GiftDesk {
  database: Database;
  keys: GiftTokenKeys;
  /** Null where this installation emails nothing. */
  mails: GiftMails | null;
}

/**
 * What came of a claim. `claimed`: the gift is the recipient's, now or since an earlier claim. `closed`: its state forbids it.
 * `gone`: its link was replaced. The others are about the emailed code: one was emailed just now or a moment ago, what was typed is
 * not it, no code is good any more, there were too many today, or none can be emailed.
 */
export type ClaimOutcome =
  | 'claimed'
  | 'closed'
  | 'gone'
  | 'code asked'
  | 'code wrong'
  | 'code over'
  | 'no more codes'
  | 'no email';

export interface Claim {
  outcome: ClaimOutcome;
  gift: Gift;
}

/** Claims a gift for its recipient. Many claims at once are one: the workspace's lock lets them in one after the other. */
export async function claimGift(desk: GiftDesk, found: Gift, typedCode: string | null): Promise<Claim> {
  if (found.claimedAt) return { outcome: 'claimed', gift: found };
  return atDesk(desk, found, (tx, gift) => claimAtDesk(tx, desk, gift, typedCode)).catch(withoutAddress(found));
}

/** The same in a transaction that holds the workspace's lock. `isProven`: the caller has proven that they read the recipient's email. */
export async function claimAtDesk(
  tx: Queryable,
  desk: GiftDesk,
  gift: Gift,
  typedCode: string | null,
  isProven = false,
): Promise<ClaimOutcome> {
  if (gift.state !== 'ISSUED') return gift.claimedAt ? 'claimed' : 'closed';
  if (!isProven && (await asksForCode(tx, gift))) {
    if (typedCode === null) return mailCode(tx, desk, gift);
    const refusal = refusals[await checkCode(tx, desk.keys, gift, typedCode)];
    if (refusal) return refusal;
  }
  const moved = await moveGifts(tx, gift.workspaceId, [{ type: 'CLAIMED', gift }]);
  if (moved.length === 0) return 'closed';
  await desk.mails?.withdraw(tx, gift);
  return 'claimed';
}

const refusals: Record<CodeAnswer, ClaimOutcome | null> = { right: null, wrong: 'code wrong', over: 'code over' };

/** Emails another code, to a recipient who did not get the one before. */
export function mailAnotherCode(desk: GiftDesk, found: Gift): Promise<Claim> {
  return atDesk(desk, found, (tx, gift) => mailCodeAtDesk(tx, desk, gift)).catch(withoutAddress(found));
}

/** The same in a transaction that holds the workspace's lock. Throws NoAddress. */
export async function mailCodeAtDesk(tx: Queryable, desk: GiftDesk, gift: Gift): Promise<ClaimOutcome> {
  if (gift.state !== 'ISSUED') return gift.claimedAt ? 'claimed' : 'closed';
  return (await asksForCode(tx, gift)) ? mailCode(tx, desk, gift) : 'code asked';
}

async function mailCode(tx: Queryable, { mails }: GiftDesk, gift: Gift): Promise<ClaimOutcome> {
  if (!mails) return 'no email';
  const made = await makeCode(tx, gift);
  if (made === 'too many') return 'no more codes';
  if (made !== 'fresh' && !(await mails.queue(tx, gift, 'CODE', made.nth))) throw new NoAddress();
  return 'code asked';
}

/** Rolls back a code that could not be emailed. */
export class NoAddress extends Error {}

function withoutAddress(gift: Gift): (error: unknown) => Claim {
  return (error) => {
    if (error instanceof NoAddress) return { outcome: 'no email', gift };
    throw error;
  };
}

/** Whether a gift is claimed only with a code that is emailed to its recipient. */
export async function asksForCode(tx: Queryable, { workspaceId, amount }: Gift): Promise<boolean> {
  const { codeAbove } = await readGiftSettings(tx, workspaceId);
  return codeAbove !== null && amount > codeAbove;
}

/**
 * Works on a gift as its workspace's one writer. The gift is read again: since it was found, its link may have been replaced,
 * and then it is gone for the caller.
 */
export async function atDesk<Outcome>(
  { database }: GiftDesk,
  found: Gift,
  work: (tx: Queryable, gift: Gift) => Promise<Outcome>,
): Promise<{ outcome: Outcome | 'gone'; gift: Gift }> {
  return inTurnOfGift(database, found, async (tx) => {
    const read = async () => (await readGiftsById(tx, found.workspaceId, [found.id]))[0] as Gift;
    const gift = await read();
    if (gift.edition !== found.edition) return { outcome: 'gone', gift };
    return { outcome: await work(tx, gift), gift: await read() };
  });
}
