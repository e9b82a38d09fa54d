import { type Gift, type GiftState, leftOf } from '../../../giving/gifts/gift.ts';
import { findOwnGift } from '../../../giving/gifts/own/list.ts';
import { type Claimant, standingOf } from '../../../giving/gifts/own/standing.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import { Failure } from '../../../ground/errors.ts';
import { amountText } from '../../../ground/values/money.ts';
import { isStanding } from '../parts.ts';
import { readRedemptionsOfGift } from '../read.ts';

const ended: Partial<Record<GiftState, string>> = { EXPIRED: 'has expired', CANCELLED: 'was cancelled' };

/** Says what has happened to a gift that does not have a part any more, and what is left. Nothing was spent. */
export async function explainChange(
  on: Queryable,
  recipient: Claimant,
  giftId: number,
  currency: string,
  left: string,
): Promise<Failure> {
  const gift = await findOwnGift(on, recipient, giftId);
  const reason = await reasonOf(on, gift, currency);
  return new Failure('conflict', `Nothing was spent: the gift of ${gift.senderName} ${reason}. ${left}`);
}

async function reasonOf(on: Queryable, gift: Gift, currency: string): Promise<string> {
  const end = ended[gift.state];
  if (end !== undefined) return end;
  if (standingOf(gift) === 'SEALED') return 'has not been opened yet';
  if (gift.currency !== currency) return `is in ${gift.currency}`;
  if (gift.state === 'ISSUED') return 'has to be claimed first, with a verification code';
  const [latest] = (await readRedemptionsOfGift(on, gift.workspaceId, gift)).filter(isStanding);
  const where = latest
    ? `, after ${amountText(latest.amount, currency)} was spent with "${latest.spendingOptionName}"`
    : '';
  return `has ${amountText(leftOf(gift), currency)} left${where}`;
}
