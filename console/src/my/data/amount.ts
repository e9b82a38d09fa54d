import { currencyDigits } from '../../words/currency-digits.ts';

/** The amount that a person means by 12, 12.50, 12,50 or 1 200.00; null: it is no amount. In a currency with three digits, 1.200 is little more than one. */
export function readAmount(typed: string, currency: string): number | null {
  const text = typed.replace(/[\s\u00a0\u202f’']/g, '');
  const point = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  const isFraction = point >= 0 && text.length - point - 1 <= Math.max(2, currencyDigits(currency));
  const plain = isFraction
    ? `${text.slice(0, point).replace(/[.,]/g, '')}.${text.slice(point + 1)}`
    : text.replace(/[.,]/g, '');
  return /^\d+(\.\d*)?$/.test(plain) ? Number(plain) : null;
}

/** Whether the currency has as many digits. */
export function fitsCurrency(amount: number, currency: string): boolean {
  return (String(amount).split('.')[1]?.length ?? 0) <= currencyDigits(currency);
}

/** As the field shows it: 100.00 or 100,00, or 100 for currencies without cents. */
export function writeAmount(amount: number, currency: string, locale: string): string {
  const digits = currencyDigits(currency);
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(locale, { ...fraction, useGrouping: false }).format(amount);
}

/** CA$, before or behind the amount as the language has it. */
export function symbolOf(currency: string, locale: string): string {
  const parts = new Intl.NumberFormat(locale, { style: 'currency', currency }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

const round = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000];

/** The three largest round amounts up to `most`: 25, 50 and 100 of CA$132.50, and 500, 1000 and 2000 of 3500 yen. */
export function roundAmounts(most: number): number[] {
  return round.filter((one) => one <= most).slice(-3);
}

/** Sums of money without the noise of binary fractions. */
export function addUp(amounts: readonly number[], currency: string): number {
  return Number(amounts.reduce((sum, amount) => sum + amount, 0).toFixed(currencyDigits(currency)));
}
