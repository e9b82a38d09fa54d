import type { Queryable } from '../../../ground/database/database.ts';
import { Failure } from '../../../ground/errors.ts';
import { type ClaimOutcome, claimAtDesk, type GiftDesk, mailCodeAtDesk, NoAddress } from '../claim.ts';
import { type Gift, readGiftsById } from '../gift.ts';
import { moveGifts } from '../moves.ts';
import { thankAtDesk } from '../thank.ts';
import { inTurnOfGift } from '../turns.ts';
import { findOwnGift } from './list.ts';
import type { Claimant } from './standing.ts';

/** What a person does with a gift of their own whom the service knows, so that they need no link. Each returns the gift as it is then. */

/** Opens a sealed gift. */
export async function openOwnGift(desk: GiftDesk, recipient: Claimant, id: number): Promise<Gift> {
  return (await atOwnDesk(desk, recipient, id, open)).gift;
}

async function open(tx: Queryable, gift: Gift): Promise<void> {
  if (gift.state === 'ISSUED') await moveGifts(tx, gift.workspaceId, [{ type: 'VIEWED', gift }]);
}

export type OwnClaimOutcome = Exclude<ClaimOutcome, 'closed' | 'gone' | 'no email'>;

/** Claims a gift, and opens it. `typed`: the verification code, if one was emailed. */
export function claimOwnGift(
  desk: GiftDesk,
  recipient: Claimant,
  id: number,
  typed: string | null,
): Promise<{ outcome: OwnClaimOutcome; gift: Gift }> {
  return atOwnDesk(desk, recipient, id, async (tx, gift) => {
    await open(tx, gift);
    return possible(await claimAtDesk(tx, desk, gift, typed, recipient.provesEmail), gift);
  });
}

/** Emails another verification code for a gift. */
export function mailOwnCode(
  desk: GiftDesk,
  recipient: Claimant,
  id: number,
): Promise<{ outcome: OwnClaimOutcome; gift: Gift }> {
  return atOwnDesk(desk, recipient, id, async (tx, gift) => possible(await mailCodeAtDesk(tx, desk, gift), gift));
}

function possible(outcome: ClaimOutcome, gift: Gift): OwnClaimOutcome {
  if (outcome === 'no email') throw noEmail();
  if (outcome === 'closed' || outcome === 'gone')
    throw new Failure(
      'conflict',
      `The gift cannot be claimed: it ${gift.state === 'EXPIRED' ? 'has expired' : 'was cancelled'}.`,
    );
  return outcome;
}

function noEmail(): Failure {
  return new Failure(
    'conflict',
    'This gift is claimed with an emailed verification code, and there is no email address for it: ask the people team.',
  );
}

/** Sends a thank-you note to the sender of a gift, once. */
export async function thankForOwnGift(desk: GiftDesk, recipient: Claimant, id: number, text: string): Promise<Gift> {
  const { gift } = await atOwnDesk(desk, recipient, id, async (tx, found) => {
    if ((await thankAtDesk(tx, desk, found, text)) === 'thanked') return;
    throw new Failure('conflict', 'Only a gift that you have claimed can be answered with a thank-you note.');
  });
  return gift;
}

/** Works on a gift as its workspace's one writer. What is refused is thrown, so that a retry with its key is carried out. */
async function atOwnDesk<Outcome>(
  { database }: GiftDesk,
  recipient: Claimant,
  id: number,
  work: (tx: Queryable, gift: Gift) => Promise<Outcome>,
): Promise<{ outcome: Outcome; gift: Gift }> {
  const found = await findOwnGift(database, recipient, id);
  try {
    return await inTurnOfGift(database, found, async (tx) => {
      const gift = await findOwnGift(tx, recipient, id);
      const outcome = await work(tx, gift);
      return { outcome, gift: (await readGiftsById(tx, recipient.workspaceId, [id]))[0] as Gift };
    });
  } catch (error) {
    throw error instanceof NoAddress ? noEmail() : error;
  }
}
