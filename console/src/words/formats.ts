import type { Language } from '../../../src/ground/values/language.ts';
import { currencyDigits } from './currency-digits.ts';

export type Formats = ReturnType<typeof createFormats>;

type Time = string | number | Date;

/** The one home of how money, dates and numbers are written. Times are those of the reader's own zone. */
export function createFormats(language: Language) {
  // en-GB writes CA$75.00, 14 Nov, 10:41 and 31 March 2027.
  const locale = language === 'en' ? 'en-GB' : language;
  const inWords = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, options);
    return (time: Time) => format.format(asDate(time));
  };
  const number = new Intl.NumberFormat(locale);
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  const time = inWords({ hour: '2-digit', minute: '2-digit' });
  const dayOfYear = inWords({ day: 'numeric', month: 'short', year: 'numeric' });
  const momentOfYear = inWords({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
  const date = inWords({ day: 'numeric', month: 'long', year: 'numeric' });
  const monthAlone = inWords({ month: 'long' });
  const monthAndYear = inWords({ month: 'long', year: 'numeric' });
  const dayOfWeek = inWords({ weekday: 'long', day: 'numeric', month: 'long' });
  const dayOfWeekAndYear = inWords({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const isThisYear = (when: Time) => asDate(when).getFullYear() === new Date().getFullYear();
  const dayAndMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  return {
    locale,
    number: (value: number) => number.format(value),
    /** CA$75.00, cents always. `whole` is for large figures. */
    money: (amount: number, currency: string, { whole = false } = {}) =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        ...exactly(whole ? 0 : currencyDigits(currency)),
      }).format(amount),
    /** CA$80K, for axes of charts. */
    shortMoney: (amount: number, currency: string) =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        notation: 'compact',
        maximumFractionDigits: 1,
        minimumFractionDigits: 0,
      }).format(amount),
    /** 41% of a share from 0 to 1. Stands beside its counts. */
    percent: (value: number) => share.format(value),
    /** 31 March 2027 */
    date,
    /** 9 Dec 2025 */
    day: dayOfYear,
    /** 10:41 */
    time,
    /** 14 Nov, 10:41; with the year in place of the time if it is another year. */
    moment: (when: Time) => (isThisYear(when) ? momentOfYear(when) : dayOfYear(when)),
    /** 12 minutes ago, in 3 hours. For what is less than a day away. */
    relative: (when: Time) => {
      const minutes = Math.round((asDate(when).getTime() - Date.now()) / 60_000);
      if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute');
      return relative.format(Math.round(minutes / 60), 'hour');
    },
    /** 12 Oct */
    shortDay: inWords({ day: 'numeric', month: 'short' }),
    /** November; in the middle of a sentence or at its beginning. */
    month: (when: Time) => capital(monthAlone(when)),
    /** November 2026 */
    monthOfYear: (when: Time) => capital(monthAndYear(when)),
    /** 1–16 November */
    span: (from: Time, to: Time) => dayAndMonth.formatRange(asDate(from), asDate(to)),
    /** 17 May: a day of each year, of 05-17. 2000 was a leap year. */
    monthDay: (monthDay: string) => dayAndMonth.format(asDate(`2000-${monthDay}`)),
    /** Monday 16 November, at the beginning of a sentence; with the year if it is another year. */
    weekday: (when: Time) => capital(isThisYear(when) ? dayOfWeek(when) : dayOfWeekAndYear(when)),
    /** Wed, or Wednesday: the heads of a calendar. */
    weekdayName: (when: Time, weekday: 'short' | 'long') =>
      new Intl.DateTimeFormat(locale, { weekday }).format(asDate(when)),
    /** Tue 2 March, 08:00 in another time zone than the reader's. */
    momentIn: (when: Time, timeZone: string) =>
      new Intl.DateTimeFormat(locale, {
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        hour: '2-digit',
        minute: '2-digit',
        timeZone,
      }).format(asDate(when)),
    /** Ada, Mei and Jonas */
    list: (items: readonly string[]) => new Intl.ListFormat(locale).format(items),
    /** Ada, Mei or Jonas */
    either: (items: readonly string[]) => new Intl.ListFormat(locale, { type: 'disjunction' }).format(items),
    /** Any items as a list, with the words between: its parts in turn. */
    listParts: <Item>(items: readonly Item[]): (Item | string)[] =>
      new Intl.ListFormat(locale)
        .formatToParts(items.map((_, nth) => String(nth)))
        .map(({ type, value }) => (type === 'element' ? (items[Number(value)] as Item) : value)),
  };
}

function exactly(digits: number) {
  return { minimumFractionDigits: digits, maximumFractionDigits: digits };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A day without a time is that day everywhere: it is not moved into the reader's zone. Times without a zone are UTC. */
function asDate(time: Time): Date {
  if (typeof time !== 'string') return new Date(time);
  if (/^\d{4}-\d\d-\d\d$/.test(time)) return new Date(`${time}T00:00`);
  return new Date(/(Z|[+-]\d\d:?\d\d)$/.test(time) ? time : `${time}Z`);
}
