import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  currencies,
  decimalsProblem,
  minorDigits,
  roundedDown,
  roundedUp,
  writtenDecimalsProblem,
} from '../../src/ground/values/money.ts';
import fc from '../support/fast-check.ts';

const currency = fc.constantFrom(...currencies);
const digitsOf = (code: string) => minorDigits(code) ?? assert.fail(`${code} is no currency`);
const whole = fc.integer({ min: 0, max: 10_000 });

test('an amount is written with as many digits behind the point as its currency has, zeros included', () => {
  const fraction = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(currency, whole, fraction, (code, before, behind) => {
      const isFine = behind.length <= digitsOf(code);
      assert.equal(writtenDecimalsProblem(`${before}.${behind}`, code) === null, isFine, `${before}.${behind} ${code}`);
      assert.equal(writtenDecimalsProblem(String(before), code), null);
    }),
  );
});

test('what is wrong with a number is wrong with its text, in the same words', () => {
  fc.assert(
    fc.property(
      currency,
      fc.integer({ min: 1, max: 10 ** 9 }),
      fc.integer({ min: 0, max: 5 }),
      (code, units, digits) => {
        const amount = units / 10 ** digits;
        assert.equal(writtenDecimalsProblem(String(amount), code), decimalsProblem(amount, code), `${amount} ${code}`);
      },
    ),
  );
});

test('rounding gives the nearest amounts that the currency has, below and above', () => {
  fc.assert(
    fc.property(currency, fc.integer({ min: 1, max: 10 ** 8 }), (code, units) => {
      const smallest = 10 ** (4 - digitsOf(code));
      const [down, up] = [roundedDown(units / 10_000, code), roundedUp(units / 10_000, code)];
      const expected = [units - (units % smallest), units + ((smallest - (units % smallest)) % smallest)];
      assert.deepEqual(
        [down, up],
        expected.map((one) => one / 10_000),
      );
      for (const amount of [down, up]) assert.equal(decimalsProblem(amount, code), null, `${amount} ${code}`);
    }),
  );
});
