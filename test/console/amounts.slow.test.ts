import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currencyDigits } from '../../console/src/words/currency-digits.ts';
import { createFormats } from '../../console/src/words/formats.ts';
import { currencies, minorDigits } from '../../src/ground/values/money.ts';
import { needsBrowser, seen } from '../support/browser.ts';
import { openConsole } from '../support/console.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();

test('the console shows every amount that the service takes, and rounds none', () => {
  const { money } = createFormats('en');
  for (const currency of currencies) {
    const digits = minorDigits(currency) as number;
    assert.equal(currencyDigits(currency), digits, currency);
    const amount = 1 + 10 ** -digits;
    assert.match(money(amount, currency), new RegExp(`\\b${amount.toFixed(digits).replace('.', '\\.')}$`), currency);
  }
  assert.equal(money(1500.75, 'IQD').replace(/\s/g, ' '), 'IQD 1,500.750');
  assert.equal(money(75.5, 'CAD', { whole: true }), 'CA$76');
});

test(
  'a field takes as many decimals as its currency has, and changes no amount with the currency',
  needsBrowser,
  async () => {
    const { id } = await openWorkspace(service);
    const { page, open, done } = await openConsole(service, { workspace: id });
    await open('/send');
    const amount = page.getByLabel('Amount');
    const choose = async (currency: string) => {
      await page.getByRole('combobox', { name: 'Currency' }).fill(currency);
      await page.getByRole('option', { name: currency }).click();
    };
    const type = async (text: string) => {
      await amount.fill('');
      await amount.pressSequentially(text);
      return amount.inputValue();
    };
    assert.equal(await type('25.125'), '25.12');
    await choose('KWD');
    assert.equal(await type('25.125'), '25.125');
    await choose('JPY');
    assert.equal(await amount.inputValue(), '25.125');
    assert.equal(await type('2500'), '2500');
    await seen(page.getByRole('button', { name: 'JP¥75' }));
    await done('an amount');
  },
);
