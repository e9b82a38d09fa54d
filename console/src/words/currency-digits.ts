import { minorDigits } from '../../../src/ground/values/money.ts';

const mostDigits = 4;

/** How many digits an amount has behind the point; null: of whichever currency. */
export function currencyDigits(currency: string | null): number {
  return currency === null ? mostDigits : (minorDigits(currency) ?? 2);
}
