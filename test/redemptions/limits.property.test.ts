import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Gift } from '../../src/giving/gifts/gift.ts';
import type { SpendingOption } from '../../src/ground/contract/spending-option.ts';
import { Failure } from '../../src/ground/errors.ts';
import { minorDigits } from '../../src/ground/values/money.ts';
import { amountToSpend } from '../../src/spending/redemptions/amounts.ts';
import { offer, offeredByDefault } from '../../src/spending/redemptions/spending-options.ts';
import fc from '../support/fast-check.ts';
import { runs } from '../support/runs.ts';

/** Amounts as units of 0.0001. */
const limit = fc.option(fc.integer({ min: 1, max: 50_000 }));
const input = fc.record({
  currency: fc.constantFrom('JPY', 'CAD', 'KWD', 'CLF'),
  min: limit,
  max: limit,
  allowsParts: fc.boolean(),
  left: fc.integer({ min: 1, max: 50_000 }),
  near: fc.constantFrom('min' as const, 'max' as const, 'left' as const),
  steps: fc.integer({ min: -2, max: 2 }),
});

/** Whether that much may be spent. */
function isTaken(gift: Gift, option: SpendingOption, amount: number): boolean {
  try {
    return amountToSpend(gift, option, amount) === amount;
  } catch (error) {
    assert.ok(error instanceof Failure, String(error));
    return false;
  }
}

test('what is offered is what can be spent, in currencies with fewer decimals than the limits of the spending option too', () => {
  fc.assert(
    fc.property(input, ({ currency, min, max, allowsParts, left, near, steps }) => {
      const smallest = 10 ** (4 - (minorDigits(currency) as number));
      const whole = (units: number) => Math.ceil(units / smallest) * smallest;
      const asAmount = (units: number | null) => units && units / 10_000;
      const option: SpendingOption = {
        ...(offeredByDefault[0] as SpendingOption),
        minAmount: asAmount(min),
        maxAmount: asAmount(max),
        allowsParts,
      };
      const gift = { state: 'CLAIMED', currency, amount: whole(left) / 10_000, redeemed: 0 } as Gift;
      const asked = (whole({ min, max, left }[near] ?? left) + steps * smallest) / 10_000;
      if (asked <= 0) return;
      const isOffered = offer(option, gift).some(({ least, most }) => asked >= least && asked <= most);
      assert.equal(isTaken(gift, option, asked), isOffered, `${asked} ${currency}`);
    }),
    { numRuns: runs(3_000) },
  );
});
