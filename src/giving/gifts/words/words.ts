import { IntlMessageFormat } from 'intl-messageformat';
import { type Language, languages } from '../../../ground/values/language.ts';
import { minorDigits } from '../../../ground/values/money.ts';
import { en } from './en/index.ts';
import { es } from './es/index.ts';
import { fr } from './fr/index.ts';

/** What emails, gift pages and prints say, by language. English has every text; a test holds the others equal to it. */
export const texts: Record<Language, Record<TextKey, string>> = { en, fr, es };

export type TextKey = keyof typeof en;

export interface Words {
  /** As the `lang` attribute has it: fr-CA. */
  locale: string;
  /** As the `dir` attribute has it. A right-to-left language that is added says so here. */
  direction: 'ltr';
  say(key: TextKey, values?: Values): string;
  /** The text in pieces, with objects in the places of their values: for a page or an email that shows them in its own way. */
  pieces<Piece extends object>(key: TextKey, values: Record<string, string | number | Piece>): (string | Piece)[];
  /** CA$75.00, as the language writes it, always with the currency's minor digits. */
  money(amount: number, currency: string): string;
  /** 1,200. */
  number(value: number): string;
  /** 16 November 2026, 10:04. */
  moment(moment: Date, timeZone: string): string;
  /** 31 March 2027. */
  day(moment: Date, timeZone: string): string;
  /** The last day before a moment. Gifts expire when a day ends, which is the first moment of the next day. */
  lastDay(end: Date, timeZone: string): string;
}

type Values = Record<string, string | number>;

/**
 * The words in the first language that we speak, else in English. Languages are written as FR_CA; the region decides how
 * amounts and dates look.
 */
export function wordsFor(...languages: readonly string[]): Words {
  const [language, locale] = languages.map(spoken).find((one) => one !== null) ?? ['en', 'en-CA'];
  const day: Words['day'] = (moment, timeZone) => dayIn(locale, timeZone, moment);
  return {
    locale,
    direction: 'ltr',
    say: (key, values) => String(messageOf(language, key).format(values)),
    pieces: <Piece extends object>(key: TextKey, values: Record<string, string | number | Piece>) =>
      messageOf(language, key)
        .formatToParts<Piece>(values)
        .map(({ value }) => value as string | Piece),
    money: (amount, currency) => moneyIn(locale, currency, amount),
    number: (value) => value.toLocaleString(locale),
    moment: (moment, timeZone) => `${day(moment, timeZone)}, ${timeFormat(locale, timeZone).format(moment)}`,
    day,
    lastDay: (end, timeZone) => day(new Date(end.getTime() - 1), timeZone),
  };
}

function spoken(code: string): [Language, string] | null {
  const [, language = '', region] = /^([a-z]{2})(?:[_-]([a-z]{2}))?$/i.exec(code) ?? [];
  const known = languages.find((one) => one === language.toLowerCase());
  if (!known) return null;
  return [known, region ? `${known}-${region.toUpperCase()}` : known];
}

const messageOf = remember(
  (language: Language, key: TextKey) =>
    new IntlMessageFormat(texts[language][key], language, undefined, { ignoreTag: true }),
);

/** With the country of a dollar, also where people write a bare $ at home: colleagues work in several countries. */
function moneyIn(locale: string, currency: string, amount: number): string {
  const country = currency.slice(0, 2);
  const dollar = locale.startsWith('fr') ? `$\u00a0${country}` : `${country}$`;
  const parts = moneyFormat(locale, currency).formatToParts(amount);
  return parts.map(({ type, value }) => (type === 'currency' && value === '$' ? dollar : value)).join('');
}

const moneyFormat = remember((locale: string, currency: string) => {
  const digits = minorDigits(currency) ?? 2;
  const form = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(locale, form);
});

/** English has the day first, except in the United States. French counts the first day of a month: 1er mars 2027. */
function dayIn(locale: string, timeZone: string, moment: Date): string {
  const format = dayFormat(/^en(?!-US)/.test(locale) ? 'en-GB' : locale, timeZone);
  if (!locale.startsWith('fr')) return format.format(moment);
  const parts = format.formatToParts(moment);
  return parts.map(({ type, value }) => (type === 'day' && value === '1' ? '1er' : value)).join('');
}

const dayFormat = remember(
  (locale: string, timeZone: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }),
);

const timeFormat = remember(
  (locale: string, timeZone: string) => new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone }),
);

/** Formats are expensive to make, and there are few of them. */
function remember<A extends string, B extends string, T>(make: (a: A, b: B) => T): (a: A, b: B) => T {
  const made = new Map<string, T>();
  return (a, b) => {
    const key = `${a} ${b}`;
    const kept = made.get(key) ?? make(a, b);
    made.set(key, kept);
    return kept;
  };
}
