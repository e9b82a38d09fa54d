import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAmount, writeAmount } from '../../console/src/my/data/amount.ts';
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
