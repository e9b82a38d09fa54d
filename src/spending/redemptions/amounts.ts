import { type Gift, type GiftState, leftOf } from '../../giving/gifts/gift.ts';
import type { SpendingOption } from '../../ground/contract/spending-option.ts';
import { Failure, invalid } from '../../ground/errors.ts';
import { amountText, decimalsProblem } from '../../ground/values/money.ts';
import { isFor, limitsOf } from './spending-options.ts';

const closed: Partial<Record<GiftState, string>> = {
  ISSUED: 'it has not been claimed yet',
  EXPIRED: 'it has expired',
  CANCELLED: 'it was cancelled',
};

/** How much of a gift is spent: what was asked for, else all that is left. Throws a Failure that says what is possible. */
export function amountToSpend(gift: Gift, option: SpendingOption, asked: number | undefined): number {
  checkCurrency(option, gift.currency);
  const reason = closed[gift.state];
  if (reason) throw new Failure('conflict', `The gift cannot be spent: ${reason}.`);
  const left = leftOf(gift);
  const amount = asked ?? left;
  const problem = decimalsProblem(amount, gift.currency);
  if (problem !== null) throw invalid([{ path: 'amount', problem }]);
  if (left === 0) throw new Failure('overBudget', 'Nothing is left of the gift: it is spent.');
  if (amount > left)
    throw new Failure(
      'overBudget',
      `${amountText(amount, gift.currency)} is more than the gift has: ${amountText(left, gift.currency)} is left.`,
    );
  checkLimits(option, gift, amount, left);
  return amount;
}

/** Refuses gifts in a currency that the spending option does not take, and all if it is off. */
export function checkCurrency(option: SpendingOption, currency: string): void {
  if (isFor(option, { currency })) return;
  throw new Failure('conflict', `Gifts in ${currency} cannot be spent with the spending option "${option.name}".`);
}

function checkLimits(option: SpendingOption, { currency }: Gift, amount: number, left: number): void {
  if (!option.allowsParts && amount !== left)
    throw takesOnly(option, `no parts of a gift: spend all that is left, ${amountText(left, currency)}`);
  checkSize(option, currency, amount);
}

/** Refuses less or more than the spending option takes at once. */
export function checkSize(option: SpendingOption, currency: string, amount: number): void {
  const { least, most } = limitsOf(option, currency);
  if (amount < least) throw takesOnly(option, `${amountText(least, currency)} at least`);
  if (amount > most) throw takesOnly(option, `${amountText(most, currency)} at most`);
}

export function takesOnly({ name }: SpendingOption, rule: string): Failure {
  return new Failure('conflict', `The spending option "${name}" takes ${rule}.`);
}
