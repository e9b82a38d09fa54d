import { minorDigits } from '../../../../../src/ground/values/money.ts';
import { agreeOn, type Candidates, currenciesNamed } from './currency.ts';

export type AmountFault = 'missing' | 'notNumber' | 'ambiguous' | 'tooSmall' | 'tooLarge' | 'tooPrecise';

const smallest = 1;
const largest = 10_000;

/** A text cut into its number and the currency that stands before or behind it. */
interface Written {
  number: string;
  named: Candidates[];
}

export interface Money {
  amount: number | AmountFault;
  currency: string | 'unclear' | 'contradiction';
}

/**
 * An amount as people write it, with or without its currency: 37.50, 37,50, 1 234,50, CA$ 75, ¥2,500. `said` is what else names the
 * currency: its column, the header. What can be read in two ways, and what is more than an amount ("2k", "25 50"), is not read.
 */
export function readMoney(text: string, said: readonly Candidates[], usual: string): Money {
  const written = takeApart(text);
  const currency = agreeOn([...said, ...(written?.named ?? [])], usual);
  const digits = minorDigits(currency);
  if (text.trim() === '') return { amount: 'missing', currency };
  if (written === null) return { amount: 'notNumber', currency };
  return { amount: checked(plainNumber(written.number, digits ?? 2)), currency };
}

function checked(number: number | AmountFault): number | AmountFault {
  if (typeof number === 'string') return number;
  if (number < smallest) return 'tooSmall';
  return number > largest ? 'tooLarge' : number;
}

/** Null if there is anything besides a number and names of currencies. */
function takeApart(text: string): Written | null {
  const narrow = withoutFullWidth(text).trim();
  const [, before = '', number = '', after = ''] =
    /^([^\d-]*?)\s*([-−]?\d(?:.*\d)?)(?:[.,][-–—])?\s*(\D*)$/su.exec(narrow) ?? [];
  const named = [before, after].filter((one) => one !== '').map(currenciesNamed);
  return number === '' || named.includes(null) ? null : { number, named: named as Candidates[] };
}

/** Japanese keyboards write digits, points and signs of currencies in the width of their letters. */
function withoutFullWidth(text: string): string {
  return text
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replaceAll('\uffe5', '¥')
    .replaceAll('\uffe1', '£')
    .replaceAll('\u3000', ' ');
}

const blank = '[ \\u00a0\\u2009\\u202f]';
/** Groups of three digits behind the first, all with the same separator, and at most one decimal separator of another kind. */
const grouped = new RegExp(`^(\\d{1,3}(?:(${blank}|[.,'’])\\d{3})(?:\\2\\d{3})*)(?:(?!\\2)[.,](\\d+))?$`);

/** The number that a text means in a currency with a number of decimals. */
function plainNumber(text: string, digits: number): number | AmountFault {
  const [, minus, rest = ''] = /^([-−])?(.*)$/s.exec(text) ?? [];
  const number = positiveNumber(rest, digits);
  return minus && typeof number === 'number' ? -number : number;
}

function positiveNumber(text: string, digits: number): number | AmountFault {
  const [, whole, part = ''] = /^(0|[1-9]\d*)(?:[.,](\d+))?$/.exec(text) ?? [];
  if (whole !== undefined) {
    const mayBeGroup = part.length === 3 && whole !== '0' && whole.length <= 3;
    if (!mayBeGroup || digits === 3) return precise(whole, part, digits);
    // A currency without decimals has groups alone. In any other, 1,234 is a thousand here and one and a bit there.
    return digits === 0 ? Number(whole + part) : 'ambiguous';
  }
  const [, groups, separator = '', decimals = ''] = grouped.exec(text) ?? [];
  if (groups === undefined || groups.startsWith('0')) return 'notNumber';
  return precise(groups.replaceAll(separator, ''), decimals, digits);
}

/** Zeros behind the currency's own decimals change nothing: databases write 25.0000. */
function precise(whole: string, part: string, digits: number): number | AmountFault {
  const kept = part.replace(/0+$/, '');
  return kept.length > digits ? 'tooPrecise' : Number(kept === '' ? whole : `${whole}.${kept}`);
}
