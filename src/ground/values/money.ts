/**
 * ISO 4217's list of current codes (List One, as it stood on 2026-11-15) by the number of digits behind the point, which
 * are ISO's own: Intl gives HUF, IQD and many others fewer. Funds such as CLF are in it. Codes to which ISO gives no
 * number of digits are not: metals (XAU), units of account (XDR), the test code XTS and XXX.
 */
const codesByDigits: Record<number, string> = {
  0: `BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF`,
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP
      COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR
      JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN
      NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL
      THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  3: `BHD IQD JOD KWD LYD OMR TND`,
  4: `CLF UYW`,
};

/** No currency has more digits behind the point. */
const mostDigits = 4;

const digitsByCode = new Map(
  Object.entries(codesByDigits).flatMap(([digits, codes]) =>
    codes.split(/\s+/).map((code): [string, number] => [code, Number(digits)]),
  ),
);

/** Every code that an order may have. */
export const currencies: readonly string[] = [...digitsByCode.keys()].sort();

export const notCurrency = 'must be a current ISO 4217 currency code, for example CAD';

/** How many digits a currency has behind the point; null where the code is not one. */
export function minorDigits(currency: string): number | null {
  return digitsByCode.get(currency) ?? null;
}

/** What is wrong with an amount that has more decimals than its currency; null where nothing is. */
export function decimalsProblem(amount: number, currency: string): string | null {
  return problemOf(decimals(amount), currency);
}

/** The same for an amount as a person has typed it. Zeros count: 5.000 in JPY may mean five, or five thousand. */
export function writtenDecimalsProblem(text: string, currency: string): string | null {
  return problemOf((text.split('.')[1] ?? '').length, currency);
}

/** What is wrong with an amount in all currencies that has more decimals than any of them; null where nothing is. */
export function anyDecimalsProblem(amount: number): string | null {
  return decimals(amount) <= mostDigits ? null : `must have at most ${mostDigits} decimals`;
}

function problemOf(count: number, currency: string): string | null {
  const digits = minorDigits(currency);
  if (digits === null || count <= digits) return null;
  return digits === 0 ? `must be a whole number in ${currency}` : `must have at most ${digits} decimals in ${currency}`;
}

function decimals(amount: number): number {
  if (Number.isInteger(amount) || !Number.isFinite(amount)) return 0;
  const [digits = '', power = '0'] = String(amount).split('e');
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(power));
}

/** How many of the smallest units that any currency has make one. */
export const unitsOfOne = 10 ** mostDigits;

/** An amount as a whole number of the smallest unit that any currency has. */
export function inUnits(amount: number): number {
  return Math.round(amount * unitsOfOne);
}

/** The exact sum of amounts in one currency. */
export function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + inUnits(amount), 0) / unitsOfOne;
}

/** The largest amount of a currency that is not above this one. */
export function roundedDown(amount: number, currency: string): number {
  const smallest = smallestOf(currency);
  return (Math.floor(inUnits(amount) / smallest) * smallest) / unitsOfOne;
}

/** The smallest amount of a currency that is not below this one. */
export function roundedUp(amount: number, currency: string): number {
  const smallest = smallestOf(currency);
  return (Math.ceil(inUnits(amount) / smallest) * smallest) / unitsOfOne;
}

/** How many units the smallest amount of a currency has. */
function smallestOf(currency: string): number {
  return 10 ** (mostDigits - (minorDigits(currency) ?? 2));
}

/** An amount for people: 25.00 CAD. */
export function amountText(amount: number, currency: string): string {
  return `${amount.toFixed(minorDigits(currency) ?? 2)} ${currency}`;
}
