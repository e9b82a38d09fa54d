import { IntlMessageFormat } from 'intl-messageformat';
import { minorDigits } from '../../values/money.ts';
import { mail as mailEn } from './en/mail.ts';
import { page as pageEn } from './en/page.ts';
import { mail as mailEs } from './es/mail.ts';
import { page as pageEs } from './es/page.ts';
import { mail as mailFr } from './fr/mail.ts';
import { page as pageFr } from './fr/page.ts';

/** What mails, gift pages and prints say, by language. English has every text; a test holds the others equal to it. */
export const texts = {
  en: { ...mailEn, ...pageEn },
  fr: { ...mailFr, ...pageFr },
  es: { ...mailEs, ...pageEs },
} satisfies Record<string, Record<TextKey, string>>;

export type TextKey = keyof typeof mailEn | keyof typeof pageEn;
type Spoken = keyof typeof texts;

export interface Words {
  /** As the `lang` attribute has it: fr-CA. */
  locale: string;
  say(key: TextKey, values?: Record<string, string | number>): string;
  /** CA$75.00, as the language writes it, always with the currency's minor digits. */
  money(amount: number, currency: string): string;
  /** 31 March 2027. */
  day(moment: Date, timeZone: string): string;
}

/** The words in the first language that we speak, else in English. Languages are written as FR_CA. */
export function wordsFor(...languages: readonly string[]): Words {
  const known = languages.find((code) => code.slice(0, 2).toLowerCase() in texts) ?? 'EN_CA';
  const language = known.slice(0, 2).toLowerCase() as Spoken;
  const locale = known.replace('_', '-').replace(/^../, language);
  return {
    locale,
    say: (key, values) => String(messageOf(language, key).format(values)),
    money: (amount, currency) => moneyOf(locale, currency).format(amount),
    day: (moment, timeZone) => dayOf(locale, timeZone).format(moment),
  };
}

const messageOf = remember(
  (language: Spoken, key: TextKey) =>
    new IntlMessageFormat(texts[language][key], language, undefined, { ignoreTag: true }),
);
const moneyOf = remember((locale: string, currency: string) => {
  const digits = minorDigits(currency) ?? 2;
  const form = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(locale, form);
});
const dayOf = remember(
  (locale: string, timeZone: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }),
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
