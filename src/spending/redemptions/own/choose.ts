import { readCodeLimit } from '../../../giving/gifts/own/list.ts';
import { readSpendable, type SpendableGift } from '../../../giving/gifts/own/spendable.ts';
import type { Claimant } from '../../../giving/gifts/own/standing.ts';
import type { NewSpending } from '../../../ground/contract/my-spending.ts';
import type { SpendingOption } from '../../../ground/contract/spending-option.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import { Failure, type Fault, invalid } from '../../../ground/errors.ts';
import { amountText, decimalsProblem, sumOf } from '../../../ground/values/money.ts';
import { spendingKinds } from '../../../ground/values/spending-kinds.ts';
import { checkCurrency, checkSize, takesOnly } from '../amounts.ts';
import { readSpendingOption } from '../spending-options.ts';
import { drawInTurn, type GiftDraw, isPart, leftOfAll, wholeAmounts } from './draw.ts';
import { explainChange } from './explain.ts';

/** What a person asked for, and where it comes from. */
export interface Chosen {
  option: SpendingOption;
  draws: readonly GiftDraw<SpendableGift>[];
  /** All gifts of the currency that they can spend. */
  sources: readonly SpendableGift[];
}

type Part = NonNullable<NewSpending['gifts']>[number];

/** What would be spent of which gifts. Throws a Failure that says why that is not possible, and what is left. */
export async function choose(on: Queryable, recipient: Claimant, asked: NewSpending): Promise<Chosen> {
  const { amount, currency, gifts: parts } = asked;
  checkAsked(asked);
  const option = await readSpendingOption(on, recipient.workspaceId, asked.spendingOption);
  const { whyAlone, fulfilledBy } = spendingKinds[option.kind];
  if (whyAlone !== null)
    throw new Failure('conflict', `The spending option "${option.name}" cannot be chosen here: ${whyAlone}.`);
  if (fulfilledBy === 'code' && asked.retailer === undefined)
    throw invalid([{ path: 'retailer', problem: 'is required: it says which gift card' }]);
  checkCurrency(option, currency);
  const codeAbove = await readCodeLimit(on, recipient);
  const sources = await readSpendable(on, recipient, currency, codeAbove);
  const draws = parts ? await drawParts(on, recipient, sources, currency, parts) : drawInTurn(sources, amount);
  if (draws === null) throw tooLittle(sources, asked);
  checkSize(option, currency, amount);
  if (!option.allowsParts && draws.some(isPart)) throw wholeOnly(option, sources, asked);
  return { option, draws, sources };
}

function checkAsked({ amount, currency, gifts = [] }: NewSpending): void {
  const ids = gifts.map(({ giftId }) => giftId);
  const faults: (Fault | null)[] = [
    faultOf('amount', decimalsProblem(amount, currency)),
    ...gifts.map((part, nth) => faultOf(`gifts[${nth}].amount`, decimalsProblem(part.amount, currency))),
    ...ids.map((id, nth) => faultOf(`gifts[${nth}].giftId`, ids.indexOf(id) < nth ? 'is there twice' : null)),
  ];
  const found = faults.filter((fault) => fault !== null);
  if (found.length > 0) throw invalid(found);
  const sum = sumOf(gifts.map((part) => part.amount));
  if (gifts.length > 0 && sum !== amount)
    throw invalid([
      { path: 'gifts', problem: `add up to ${amountText(sum, currency)}, and not to ${amountText(amount, currency)}` },
    ]);
}

function faultOf(path: string, problem: string | null): Fault | null {
  return problem === null ? null : { path, problem };
}

/** Exactly these parts. A gift that no longer has its part has changed since the person saw it. */
async function drawParts(
  on: Queryable,
  recipient: Claimant,
  sources: readonly SpendableGift[],
  currency: string,
  parts: readonly Part[],
): Promise<GiftDraw<SpendableGift>[]> {
  const byId = new Map(sources.map((source) => [source.id, source]));
  const draws: GiftDraw<SpendableGift>[] = [];
  for (const { giftId, amount } of parts) {
    const from = byId.get(giftId);
    if (!from || from.left < amount)
      throw await explainChange(on, recipient, {
        giftId,
        currency,
        isSpendable: from !== undefined,
        left: leftText(sources, currency),
      });
    draws.push({ from, amount });
  }
  return draws;
}

function tooLittle(sources: readonly SpendableGift[], { amount, currency }: NewSpending): Failure {
  return new Failure(
    'overBudget',
    `Nothing was spent: ${amountText(amount, currency)} is more than your gifts have. ${leftText(sources, currency)}`,
  );
}

function leftText(sources: readonly SpendableGift[], currency: string): string {
  return `${amountText(leftOfAll(sources), currency)} is left.`;
}

function wholeOnly(
  option: SpendingOption,
  sources: readonly SpendableGift[],
  { amount, currency, gifts }: NewSpending,
) {
  const possible = gifts ? [] : wholeAmounts(sources, amount).map((sum) => amountText(sum, currency));
  const instead = possible.length > 0 ? `: spend ${possible.join(' or ')}` : ': use up each of them';
  return takesOnly(option, `whole gifts${instead}`);
}
