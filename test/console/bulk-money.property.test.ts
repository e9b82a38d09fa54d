import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMoney } from '../../console/src/screens/bulk/file/amount.ts';
import { currenciesNamed } from '../../console/src/screens/bulk/file/currency.ts';
import { currencies, minorDigits } from '../../src/ground/values/money.ts';
import fc from '../support/fast-check.ts';
import { readGifts } from '../support/gift-files.ts';
import { runs } from '../support/runs.ts';

/** Ways to write a number with so many decimals. */
const styles: Record<string, (value: number, digits: number) => string> = {
  point: (value, digits) => value.toFixed(digits),
  comma: (value, digits) => value.toFixed(digits).replace('.', ','),
  english: (value, digits) => grouped('en', value, digits),
  german: (value, digits) => grouped('de', value, digits),
  french: (value, digits) => grouped('fr', value, digits),
  swiss: (value, digits) => grouped('de-CH', value, digits),
};

function grouped(locale: string, value: number, digits: number): string {
  const exact = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(locale, { ...exact, useGrouping: true }).format(value);
}

const currency = fc.constantFrom(...currencies);
const styled = fc.constantFrom(...Object.values(styles));
const placed = fc.constantFrom(
  (number: string, name: string) => `${name}${number}`,
  (number: string, name: string) => `${name} ${number}`,
  (number: string, name: string) => `${number} ${name}`,
  (number: string, name: string) => `${number}\u00a0${name}`,
  (number: string, name: string) => `${number}${name}`,
);

/** An amount that a currency has, from 1 to 10,000. */
function amountIn(code: string): fc.Arbitrary<number> {
  const unit = 10 ** (minorDigits(code) ?? 2);
  return fc.integer({ min: unit, max: 10_000 * unit }).map((minor) => minor / unit);
}

const money = currency.chain((code) => fc.record({ code: fc.constant(code), amount: amountIn(code) }));

test('an amount with the code of its currency is that amount in that currency, in whatever style and place', () => {
  fc.assert(
    fc.property(money, styled, placed, currency, ({ code, amount }, write, place, usual) => {
      const text = place(write(amount, minorDigits(code) ?? 2), code);
      assert.deepEqual(readMoney(text, [], usual), { amount, currency: code }, text);
    }),
    { numRuns: runs(1_000) },
  );
});

test('what is read is never another amount and never another currency than was written', () => {
  fc.assert(
    fc.property(money, styled, fc.nat(3), ({ code, amount }, write, digits) => {
      // People leave decimals out, or write more of them than a currency has.
      const meant = Number(amount.toFixed(digits));
      const text = write(meant, digits);
      const read = readMoney(text, [], code);
      assert.equal(read.currency, code);
      // The digits of the currency decide what three digits behind the only separator are: a test below has the cases.
      if (typeof read.amount === 'number' && !/^\d{1,3}[.,]\d{3}$/.test(text))
        assert.equal(read.amount, meant, `${text} ${code}`);
    }),
    { numRuns: runs(1_000) },
  );
});

test('a text with anything besides an amount and its currency is not read', () => {
  const junk = fc.constantFrom(
    'k',
    'K',
    'm',
    '%',
    ' each',
    ' per person',
    ' 50',
    '/2',
    ' - 30',
    ' x',
    '²',
    ' or 30',
    '½',
  );
  fc.assert(
    fc.property(money, junk, ({ code, amount }, rest) => {
      for (const text of [
        `${amount}${rest}`,
        `${code} ${amount}${rest}`,
        `about ${amount}`,
        `${amount}${rest} ${code}`,
      ])
        assert.equal(readMoney(text, [], code).amount, 'notNumber', text);
    }),
    { numRuns: runs(300) },
  );
});

test('the digits of the currency decide what three digits behind a separator are', () => {
  for (const [text, usual, amount] of [
    ['1,234', 'CAD', 'ambiguous'],
    ['1.234', 'EUR', 'ambiguous'],
    ['12.345', 'KWD', 12.345],
    ['12,345', 'TND', 12.345],
    ['¥2,500', 'JPY', 2500],
    ['2.500', 'CLP', 2500],
    ['25.00', 'JPY', 25],
    ['25.50', 'JPY', 'tooPrecise'],
    ['25.555', 'CAD', 'ambiguous'],
    ['1234.567', 'CAD', 'tooPrecise'],
    ['25.0000', 'CAD', 25],
    ['0.500', 'CAD', 'tooSmall'],
    ['12,34,56', 'CAD', 'notNumber'],
    ['1,234.5.6', 'CAD', 'notNumber'],
    ['', 'CAD', 'missing'],
    ['fifty', 'CAD', 'notNumber'],
    ['-5', 'CAD', 'tooSmall'],
    ['0.00', 'CAD', 'tooSmall'],
    ['12,500.00', 'CAD', 'tooLarge'],
    ['1e3', 'CAD', 'notNumber'],
    ['2k', 'CAD', 'notNumber'],
    ['25 50', 'CAD', 'notNumber'],
    ['0044', 'CAD', 'notNumber'],
    ['(25)', 'CAD', 'notNumber'],
    ['€ 75,5', 'EUR', 75.5],
    ['Fr. 25.-', 'CHF', 25],
    ["1'234.50", 'CHF', 1234.5],
    ['1 234,50 $', 'CAD', 1234.5],
    ['２５００', 'JPY', 2500],
    ['10000', 'CAD', 10_000],
  ] as const)
    assert.equal(readMoney(text, [], usual).amount, amount, `${text} ${usual}`);
});

test('the sign or the code in a cell is the currency of its row, and an unclear one is asked', () => {
  for (const [text, meant] of [
    ['25', 'CAD'],
    ['€25', 'EUR'],
    ['25 GBP', 'GBP'],
    ['25 gbp', 'GBP'],
    ['£25', 'GBP'],
    ['$25', 'CAD'],
    ['US$25', 'USD'],
    ['25 $ CA', 'CAD'],
    ['R$ 25', 'BRL'],
    ['¥2500', 'unclear'],
    ['25 kr', 'unclear'],
    ['€25 USD', 'contradiction'],
  ] as const)
    assert.equal(readMoney(text, [], 'CAD').currency, meant, text);
  assert.equal(readMoney('$25', [], 'EUR').currency, 'unclear');
  assert.equal(readMoney('¥2500', [], 'JPY').currency, 'JPY');
  assert.equal(readMoney('25 all', [], 'CAD').amount, 'notNumber');
  assert.equal(currenciesNamed('ALL')?.main, 'ALL');
});

test('a header, a column and a cell that name two currencies make their row invalid, and nothing else does', async () => {
  const said = fc.record({
    header: fc.constantFrom(null, 'EUR', 'USD'),
    column: fc.constantFrom(null, '', 'EUR', 'USD'),
    cell: fc.constantFrom(null, 'EUR', 'USD'),
  });
  await fc.assert(
    fc.asyncProperty(said, async ({ header, column, cell }) => {
      const head = ['email', header ?? 'amount', ...(column === null ? [] : ['Currency']), 'message'];
      const row = ['ada@example.com', cell ? `25 ${cell}` : '25', ...(column === null ? [] : [column]), 'Thanks'];
      const { rows } = await readGifts(`${head}\n${row}\n`);
      const named = new Set([header, column, cell].filter(Boolean));
      const [read] = rows;
      if (named.size > 1) assert.deepEqual(read?.faults, [{ field: 'currency', is: 'contradiction' }]);
      else assert.deepEqual([read?.faults, read?.amount, read?.currency], [[], 25, [...named][0] ?? 'CAD']);
    }),
    { numRuns: runs(100) },
  );
});

test('a column of currencies gives each row its own, and a currency that somebody corrects counts more than the header', async () => {
  const csv =
    'email;Betrag;Währung;Nachricht\na@x.org;25;EUR;Danke\nb@x.org;2.500;JPY;Danke\nc@x.org;30;;Danke\nd@x.org;30;XYZ;Danke\n';
  const { rows, mapping } = await readGifts(csv);
  assert.deepEqual(mapping, ['email', 'amount', 'currency', 'message']);
  assert.deepEqual(
    rows.map(({ amount, currency, faults }) => [amount, currency, faults.map(({ field, is }) => `${field} ${is}`)]),
    [
      [25, 'EUR', []],
      [2500, 'JPY', []],
      [30, 'CAD', []],
      [30, 'CAD', ['currency unknown']],
    ],
  );
  const { rows: byHeader } = await readGifts(
    'email,Amount (EUR),message\na@x.org,25,Hi\nb@x.org,$25,Hi\n',
    {},
    new Map([[2, { currency: 'GBP' }]]),
  );
  assert.deepEqual(
    byHeader.map(({ currency, faults }) => [currency, faults.map(({ is }) => is)]),
    [
      ['GBP', []],
      ['CAD', ['contradiction']],
    ],
  );
});

test('names of columns say the currency of their amounts', async () => {
  for (const [header, meant] of [
    ['EUR', 'EUR'],
    ['usd', 'USD'],
    ['Amount (USD)', 'USD'],
    ['Betrag in €', 'EUR'],
    ['Montant (EUR)', 'EUR'],
    ['Importe en MXN', 'MXN'],
    ['Gift amount CAD', 'CAD'],
    ['Amount', 'SEK'],
  ] as const) {
    const { rows, mapping } = await readGifts(`email;${header};note\na@x.org;25;Hi\n`, { currency: 'SEK' });
    assert.deepEqual([mapping[1], rows[0]?.currency, rows[0]?.faults], ['amount', meant, []], header);
  }
});
