import type { Gift, GiftState } from '../../giving/gifts/gift.ts';
import type { SpendingOption } from '../../ground/contract/spending-option.ts';
import { Failure, invalid } from '../../ground/errors.ts';
import { amountText, decimalsProblem } from '../../ground/values/money.ts';
import { isFor, leftOf, limitsOf } from './spending-options.ts';

const closed: Partial<Record<GiftState, string>> = {
  ISSUED: 'it has not been claimed yet',
  EXPIRED: 'it has expired',
  CANCELLED: 'it was cancelled',
};

/** How much of a gift is spent: what was asked for, else all that is left. Throws a Failure that says what is possible. */
export function amountToSpend(gift: Gift, option: SpendingOption, asked: number | undefined): number {
  if (!isFor(option, gift))
    throw new Failure(
      'conflict',
      `Gifts in ${gift.currency} cannot be spent with the spending option "${option.name}".`,
    );
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

function checkLimits(option: SpendingOption, { currency }: Gift, amount: number, left: number): void {
  const { allowsParts, name } = option;
  const { least, most } = limitsOf(option, currency);
  const refuse = (rule: string) => {
    throw new Failure('conflict', `The spending option "${name}" takes ${rule}.`);
  };
  if (!allowsParts && amount !== left)
    refuse(`no parts of a gift: spend all that is left, ${amountText(left, currency)}`);
  if (amount < least) refuse(`${amountText(least, currency)} at least`);
  if (amount > most) refuse(`${amountText(most, currency)} at most`);
}
