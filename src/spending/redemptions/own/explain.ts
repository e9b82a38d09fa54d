import { type Gift, type GiftState, leftOf } from '../../../giving/gifts/gift.ts';
import { findOwnGift } from '../../../giving/gifts/own/list.ts';
import { type Claimant, standingOf } from '../../../giving/gifts/own/standing.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import { Failure } from '../../../ground/errors.ts';
import { amountText } from '../../../ground/values/money.ts';
import { isStanding } from '../parts.ts';
import { readRedemptionsOfGift } from '../read.ts';

const ended: Partial<Record<GiftState, string>> = { EXPIRED: 'has expired', CANCELLED: 'was cancelled' };

interface Wanted {
  giftId: number;
  currency: string;
  /** Whether the gift can be spent in this currency, and has less than was asked for. */
  isSpendable: boolean;
  /** What is left of all gifts, as a sentence. */
  left: string;
}

/** Says why a gift does not have a part that was asked for, and what is left. Nothing was spent. */
export async function explainChange(
  on: Queryable,
  recipient: Claimant,
  { giftId, currency, isSpendable, left }: Wanted,
): Promise<Failure> {
  const gift = await findOwnGift(on, recipient, giftId);
  const reason = (isSpendable ? null : whyNot(gift, currency)) ?? (await remainderOf(on, gift, currency));
  return new Failure('conflict', `Nothing was spent: the gift of ${gift.senderName} ${reason}. ${left}`);
}

function whyNot(gift: Gift, currency: string): string | null {
  const end = ended[gift.state];
  if (end !== undefined) return end;
  if (standingOf(gift) === 'SEALED') return 'has not been opened yet';
  if (gift.currency !== currency) return `is in ${gift.currency}`;
  return gift.state === 'ISSUED' ? 'has to be claimed first, with a verification code' : null;
}

async function remainderOf(on: Queryable, gift: Gift, currency: string): Promise<string> {
  const [latest] = (await readRedemptionsOfGift(on, gift.workspaceId, gift)).filter(isStanding);
  const where = latest
    ? `, after ${amountText(latest.amount, currency)} was spent with "${latest.spendingOptionName}"`
    : '';
  return `has ${amountText(leftOf(gift), currency)} left${where}`;
}
