import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAmount, roundAmounts, writeAmount } from '../../console/src/my/data/amount.ts';
import { currencyDigits } from '../../console/src/words/currency-digits.ts';
import fc from '../support/fast-check.ts';

test('an amount is read as it was written, in every language and with any number of digits', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('CAD', 'JPY', 'KWD'),
      fc.constantFrom('en-GB', 'fr', 'es'),
      fc.integer({ min: 0, max: 10_000_000 }),
      (currency, locale, minor) => {
        const amount = minor / 10 ** currencyDigits(currency);
        assert.equal(readAmount(writeAmount(amount, currency, locale), currency), amount);
      },
    ),
  );
});

test('the digits of the currency decide what a separator means', () => {
  assert.equal(readAmount('1.200', 'CAD'), 1200);
  assert.equal(readAmount('1.200', 'KWD'), 1.2);
  assert.equal(readAmount('1,234.50', 'CAD'), 1234.5);
  assert.equal(readAmount('1 234,50', 'EUR'), 1234.5);
  assert.equal(readAmount('2k', 'CAD'), null);
  assert.equal(writeAmount(1234.5, 'EUR', 'fr'), '1234,50');
});

test('round amounts fit the size of the currency', () => {
  assert.deepEqual(roundAmounts(132.5), [25, 50, 100]);
  assert.deepEqual(roundAmounts(3_500), [500, 1_000, 2_000]);
  assert.deepEqual(roundAmounts(12.345), [2, 5, 10]);
  assert.deepEqual(roundAmounts(0.5), []);
});
