export type AmountFault = 'missing' | 'notNumber' | 'ambiguous' | 'tooSmall' | 'tooLarge';

const smallest = 1;
const largest = 10_000;

/**
 * An amount as people write it: 37.50, 37,50, 1,234.50, 1.234,50, CA$ 75. What can be read in two ways is refused: 1,234 is a
 * thousand here and one and a bit there.
 */
export function readAmount(text: string): number | AmountFault {
  const digits = text.replace(/^[\s\p{Sc}\p{L}]+|[\s\p{Sc}\p{L}]+$/gu, '').replace(/[\s\u00a0\u202f'’]/g, '');
  if (text.trim() === '') return 'missing';
  const plain = plainNumber(digits);
  if (plain === 'ambiguous') return 'ambiguous';
  if (plain === null) return 'notNumber';
  if (plain < smallest) return 'tooSmall';
  return plain > largest ? 'tooLarge' : plain;
}

function plainNumber(text: string): number | 'ambiguous' | null {
  if (!/^-?\d[\d.,]*$/.test(text)) return null;
  const separators = text.replace(/[^.,]/g, '');
  if (separators === '') return Number(text);
  const last = separators.at(-1) as string;
  const [whole = '', part = ''] = splitAtLast(text, last);
  const isAlone = separators.length === 1;
  if (isAlone) return part.length === 3 && whole !== '0' ? 'ambiguous' : asNumber(whole, part);
  const other = last === '.' ? ',' : '.';
  // 1,234,567 or 1.234.567: groups alone.
  if (!separators.includes(other)) return isGrouped(text, last) ? asNumber(text.replaceAll(last, ''), '') : null;
  return separators.indexOf(last) === separators.length - 1 && isGrouped(whole, other)
    ? asNumber(whole.replaceAll(other, ''), part)
    : null;
}

function splitAtLast(text: string, separator: string): [string, string] {
  const at = text.lastIndexOf(separator);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Groups of three behind the first. */
function isGrouped(text: string, separator: string): boolean {
  const [first = '', ...groups] = text.split(separator);
  return /^-?\d{1,3}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group));
}

function asNumber(whole: string, part: string): number | null {
  return /^-?\d+$/.test(whole) && /^\d*$/.test(part) ? Number(part === '' ? whole : `${whole}.${part}`) : null;
}
