import { isDay } from '../values/moment.ts';

/** A text read as a date: a day as 2026-03-04, or a fault; null if the text says that there is no date. */
export type ReadDate = { day: string } | { problem: DateProblem } | null;
/** May be two days · not of the form that was named · no date at all. */
export type DateProblem = 'ambiguous' | 'otherForm' | 'notUnderstood';

/** Reads texts of one form, as DD/MM/YYYY; undefined for a text of another form. */
export type DateFormat = (text: string) => string | undefined;

/**
 * Reads a date. 03/04/2026 is ambiguous: without a format it is refused. Dates that can be read in only one way need no
 * format.
 */
export function readDate(text: string, format?: DateFormat): ReadDate {
  if (/^[0/.-]+$/.test(text)) return null;
  const formatted = format?.(text);
  if (formatted !== undefined) return { day: formatted };
  const numeric = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:[T ,].*)?$/.exec(text);
  const days = numeric ? readNumeric(numeric) : readNamed(text);
  // With points the day comes first everywhere, so such a date contradicts no format.
  if (numeric && format && numeric[2] !== '.' && days.size > 0) return { problem: 'otherForm' };
  if (days.size > 1) return { problem: 'ambiguous' };
  const [day] = days;
  return day === undefined ? { problem: 'notUnderstood' } : { day };
}

/**
 * Reads a month and a day, in the form 05-17, of a date with or without a year: 1990-05-17, --05-17, 17 May, 5/17/1990. The year is never part of the
 * result, and is not looked at: 29 February of any year is a day. 03/04 is ambiguous without a format.
 */
export function readMonthDay(text: string, format?: DateFormat): ReadDate {
  const written = text.trim();
  if (/^[0/.-]+$/.test(written)) return null;
  const [, month, day] = /^(?:\d{4}[-/.]?|--)?(\d{2})[-/.]?(\d{2})(?:[T ].*)?$/.exec(written) ?? [];
  const inSequence = /^(?:\d{4}|--|\d\d-)/.test(written) ? monthDayOf(month, day) : undefined;
  if (inSequence !== undefined) return { day: inSequence };
  const named =
    /^(\d{1,2})(?:st|nd|rd|th|er|º|\.)?[-/. ]*(?:de |of )?(\p{L}+)\.?(?:[-/., ]+(?:de |del )?\d{2,4})?$/iu.exec(
      written,
    );
  const american = /^(\p{L}+)\.?[-/ ]*(\d{1,2})(?:st|nd|rd|th)?(?:[-/, ]+\d{2,4})?$/iu.exec(written);
  const byName = monthDayOf(monthNamed(named?.[2] ?? american?.[1]), named?.[1] ?? american?.[2]);
  if (byName !== undefined) return { day: byName };
  const numeric = /^(\d{1,2})([-/.])(\d{1,2})(?:\2(?:\d{4}|\d{2})?)?(?:[T ,].*)?$/.exec(written);
  if (!numeric) return { problem: 'notUnderstood' };
  const [, one, separator, other] = numeric;
  // A format says which of the two comes first; a year of that form is read in any leap year.
  const formatted = format && formattedMonthDay(written, format);
  if (formatted !== undefined) return { day: formatted };
  const dayFirst = monthDayOf(other, one);
  const monthFirst = separator === '.' ? undefined : monthDayOf(one, other);
  const days = new Set([dayFirst, monthFirst].filter((found) => found !== undefined));
  if (days.size > 1) return { problem: 'ambiguous' };
  const [found] = days;
  return found === undefined ? { problem: 'notUnderstood' } : { day: found };
}

/** In the format of the file's dates. 2000 was a leap year. */
function formattedMonthDay(text: string, format: DateFormat): string | undefined {
  const [, one, separator, other] = /^(\d{1,2})([-/.])(\d{1,2})/.exec(text) ?? [];
  for (const year of ['2000', '00']) {
    const found = format([one, other, year].join(separator));
    if (found !== undefined) return found.slice('2000-'.length);
  }
  return undefined;
}

function monthDayOf(month = '', day = ''): string | undefined {
  return dayOf('2000', month, day)?.slice('2000-'.length);
}

/** The beginnings of the months' names in English, French, Spanish and German, without accents. */
const monthNames = [
  ['jan', 'ene'],
  ['feb', 'fev'],
  ['mar', 'mae'],
  ['apr', 'avr', 'abr'],
  ['may', 'mai'],
  ['jun', 'juin'],
  ['jul', 'juil'],
  ['aug', 'aou', 'ago'],
  ['sep'],
  ['oct', 'okt'],
  ['nov'],
  ['dec', 'dic', 'dez'],
];

function monthNamed(name = ''): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return String(monthNames.findIndex((starts) => starts.some((start) => plain.startsWith(start))) + 1);
}

/**
 * The format that a text such as DD/MM/YYYY, M/D/YY or DD-MMM-YYYY describes; undefined if it describes none. Slashes and hyphens are the
 * same in it.
 */
export function parseDateFormat(text: string): DateFormat | undefined {
  const parts: string[] = text.toUpperCase().match(/YYYY|YY|MMM|MM|M|DD|D|[-/. ,]/g) ?? [];
  const names = parts.map((part) => part[0] as string).filter((letter) => /[YMD]/.test(letter));
  if (parts.join('') !== text.toUpperCase() || [...names].sort().join('') !== 'DMY') return undefined;
  const pattern = new RegExp(`^${parts.map((part) => patterns[part] ?? `\\${part}`).join('')}(?:[T ,].*)?$`, 'i');
  const isShortYear = !parts.includes('YYYY');
  return (date) => {
    const [, ...found] = pattern.exec(date) ?? [];
    const of = (letter: string) => found[names.indexOf(letter)] ?? '';
    const month = parts.includes('MMM') ? monthOf(of('M')) : of('M');
    return dayOf(isShortYear ? fullYear(of('Y')) : of('Y'), month, of('D'));
  };
}

const patterns: Record<string, string> = {
  YYYY: '(\\d{4})',
  YY: '(\\d{2})',
  MMM: '([a-z]{3})[a-z]*',
  MM: '(\\d{1,2})',
  M: '(\\d{1,2})',
  DD: '(\\d{1,2})',
  D: '(\\d{1,2})',
  '/': '[-/]',
  '-': '[-/]',
};

/** A two-digit year is at most twenty years ahead. */
function fullYear(year: string): string {
  const latest = new Date().getUTCFullYear() + 20;
  return String(2_000 + Number(year) > latest ? 1_900 + Number(year) : 2_000 + Number(year));
}

function readNumeric([, first, separator, second, year]: RegExpExecArray): Set<string> {
  const dayFirst = dayOf(year, second, first);
  // With points the day comes first everywhere.
  const monthFirst = separator === '.' ? undefined : dayOf(year, first, second);
  return new Set([dayFirst, monthFirst].filter((day) => day !== undefined));
}

function readNamed(text: string): Set<string> {
  const iso = /^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})(?:[T ].*)?$/.exec(text);
  const named = /^(\d{1,2})[-. ]+([a-z]{3})[a-z]*[-., ]+(\d{4})$/i.exec(text);
  const american = /^([a-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})$/i.exec(text);
  const day =
    (iso && dayOf(iso[1], iso[2], iso[3])) ??
    (named && dayOf(named[3], monthOf(named[2]), named[1])) ??
    (american && dayOf(american[3], monthOf(american[1]), american[2]));
  return new Set(day ? [day] : []);
}

function dayOf(year = '', month = '', day = ''): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(text) ? text : undefined;
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

function monthOf(name = ''): string {
  return String(months.indexOf(name.toLowerCase()) + 1);
}
