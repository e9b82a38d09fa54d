import { isColour, readableNeighbours, textOn } from '../../ground/values/colour.ts';
import { isEmail, notEmail } from '../../ground/values/email.ts';
import { decimalsProblem, minorDigits } from '../../ground/values/money.ts';
import { textProblem } from '../../ground/values/text.ts';
import { isTimeZone, notTimeZone } from '../../ground/values/time-zone.ts';

/** What a workspace wants its gifts, emails and gift pages to be like. */
export interface GiftSettings {
  /** The company as people read it: the brand's name, else the workspace's. */
  name: string;
  language: string;
  /** An IANA name, as America/Toronto. Days end there. */
  timeZone: string;
  mailsGifts: boolean;
  /** For how many days a gift can be claimed; null: no expiry date. */
  giftDays: number | null;
  /** Reminders, in days after the email was sent. */
  reminderDays: number[];
  /** The last reminder, in days before the gift expires; null: not sent. */
  reminderDaysBeforeExpiry: number | null;
  /** A gift of more than this asks for a code that is emailed to the recipient; null: none does. */
  codeAbove: number | null;
  /** How much a person may get in a year, by currency. */
  taxLimits: { currency: string; amount: number }[];
  /** The most that a person may receive in a calendar year, by currency: orders above it are rejected. */
  recipientCaps: { currency: string; amount: number }[];
  /** #RRGGBB; null: Giftwire's own. */
  colour: string | null;
  hasLogo: boolean;
  /** The address that replies and questions go to. */
  replyTo: string | null;
  /** How a gift is used, in the company's own words. */
  sentence: string | null;
}

/** A name of null: the workspace's name. */
export type GiftSettingsChange = Partial<Omit<GiftSettings, 'name' | 'language' | 'hasLogo'> & { name: string | null }>;

/** Gives what is wrong with a value and what to write instead; null where it may stay. */
type Rule = (value: never) => string | null;

const rules: Record<keyof GiftSettingsChange, Rule> = {
  name: orNull((value: string) => lineProblem(value, 100)),
  timeZone: (value: string) => (isTimeZone(value) ? null : notTimeZone),
  mailsGifts: (value: boolean) => (typeof value === 'boolean' ? null : 'must be true or false'),
  giftDays: orNull((value: number) => daysProblem(value, 3_650)),
  reminderDays: reminderDaysProblem,
  reminderDaysBeforeExpiry: orNull((value: number) => daysProblem(value, 365)),
  codeAbove: orNull((value: number) =>
    value >= 0 && value <= 10_000 ? null : 'must be an amount from 0 to 10000, or none',
  ),
  taxLimits: yearlyAmountsProblem,
  recipientCaps: yearlyAmountsProblem,
  colour: orNull(colourProblem),
  replyTo: orNull((value: string) => (isEmail(value) ? null : `${notEmail}, for example people@example.com`)),
  sentence: orNull((value: string) => lineProblem(value, 300)),
};

export function giftSettingProblem(key: keyof GiftSettingsChange, value: unknown): string | null {
  return rules[key](value as never);
}

function yearlyAmountsProblem(limits: GiftSettings['taxLimits']): string | null {
  const currencies = limits.map(({ currency }) => currency);
  if (new Set(currencies).size < currencies.length) return 'must have each currency once';
  const wrong = limits.find(({ currency, amount }) => !isLimit(amount, currency));
  return wrong ? 'must be amounts above 0 in currencies of ISO 4217, for example 500 CAD' : null;
}

function isLimit(amount: number, currency: string): boolean {
  return (
    amount > 0 && amount <= 1_000_000 && minorDigits(currency) !== null && decimalsProblem(amount, currency) === null
  );
}

function orNull<T>(rule: (value: T) => string | null) {
  return (value: T | null) => (value === null ? null : rule(value));
}

function daysProblem(value: number, most: number): string | null {
  const isDays = Number.isInteger(value) && value >= 1 && value <= most;
  return isDays ? null : `must be a whole number of days from 1 to ${most}, or none`;
}

function reminderDaysProblem(days: readonly number[]): string | null {
  const isRising = days.every((day, nth) => nth === 0 || day > (days[nth - 1] as number));
  const areDays = days.every((day) => daysProblem(day, 365) === null);
  return isRising && areDays && days.length <= 5
    ? null
    : 'must be at most five whole numbers of days from 1 to 365, each greater than the one before, for example 3,10';
}

function colourProblem(colour: string): string | null {
  if (!isColour(colour)) return 'must be a colour as #8C2459';
  if (textOn(colour) !== null) return null;
  const [darker, lighter] = readableNeighbours(colour);
  return `must leave white or dark text readable: take a little darker or lighter one, as ${darker} or ${lighter}`;
}

/** Of a text that stands in one line of an email. */
function lineProblem(value: string, most: number): string | null {
  if (value.trim() === '') return 'must not be blank';
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value)) return 'must be one line without control characters';
  return textProblem(value, most);
}
