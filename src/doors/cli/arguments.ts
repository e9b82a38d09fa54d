import { type Command, InvalidArgumentError } from 'commander';
import { scopes } from '../../company/access/scopes.ts';
import { type Field, fieldsText, type HeaderMap, isField } from '../../company/import/columns.ts';
import { isEncoding } from '../../company/import/decode.ts';
import { printable } from '../../ground/contract/schema.ts';
import { isEmail, notEmail } from '../../ground/values/email.ts';
import { isLanguageRegion } from '../../ground/values/language.ts';
import { isDay, isMoment, notDay, notDayOrMoment } from '../../ground/values/moment.ts';
import { minorDigits, notCurrency } from '../../ground/values/money.ts';
import { longest } from '../../ground/values/text.ts';
import { urlProblem } from '../../ground/values/url.ts';
import { uuid } from '../../ground/values/uuid.ts';

const unitsMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It must be a positive whole number.');
  return Number(text);
}

/** A command about one workspace, or about something in it. It prints text for people, or JSON. */
export function forWorkspace(command: Command): Command {
  return command.requiredOption('--workspace <id>', 'the workspace', positiveInteger).option('--json', 'print JSON');
}

export function rateLimit(text: string): number {
  return limitOf(1_000_000_000)(text);
}

export function limitOf(most: number): (text: string) => number {
  return (text) => {
    const limit = positiveInteger(text);
    if (limit > most) throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
    return limit;
  };
}

export function requestIdText(text: string): string {
  if (!uuid.test(text))
    throw new InvalidArgumentError('It must be a UUID such as 01a1df76-7923-7084-a702-6abd76aadac6.');
  return text.toLowerCase();
}

export const orderStatuses = ['ACCEPTED', 'COMPLETED', 'FAILED'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** For an option that may be given more than once, or with commas. */
export function positiveIntegers(text: string, earlier: number[] = []): number[] {
  return [...new Set([...earlier, ...text.split(',').map((part) => positiveInteger(part.trim()))])];
}

export function durationMs(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (!Number(count) || !unit) throw new InvalidArgumentError('It must be a duration such as 90d, 12h or 30m.');
  return Number(count) * (unitsMs[unit] as number);
}

export function scopeList(text: string): string[] {
  const chosen = text.split(',').map((part) => part.trim());
  const unknown = chosen.filter((scope) => !scopes.includes(scope as never));
  if (unknown.length > 0) throw new InvalidArgumentError(`Scopes: ${scopes.join(', ')}.`);
  return chosen;
}

export function languageRegion(text: string): string {
  if (!isLanguageRegion(text)) throw new InvalidArgumentError('It must be a language and a region, for example EN_CA.');
  return text;
}

export function nameText(text: string): string {
  return boundedText(text, 100);
}

export function reasonText(text: string): string {
  return boundedText(text, 200);
}

/** What a rule tells senders. */
export function messageText(text: string): string {
  return boundedText(text, 500);
}

export function commentText(text: string): string {
  return boundedText(text, longest.comment);
}

/** A text that a header carries. */
export function printableText(text: string): string {
  if (!new RegExp(printable).test(text)) throw new InvalidArgumentError('It must be printable characters.');
  return text;
}

function boundedText(text: string, longest: number): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > longest)
    throw new InvalidArgumentError(`It must have 1 to ${longest} characters.`);
  return trimmed;
}

export function encodingName(text: string): string {
  if (!isEncoding(text))
    throw new InvalidArgumentError('It must be the name of an encoding, for example windows-1252.');
  return text;
}

/** `Header=field`, or `Header=ignore`, and may be given more than once. */
export function headerMap(text: string, earlier: HeaderMap = new Map()): HeaderMap {
  const at = text.lastIndexOf('=');
  const field = text.slice(at + 1).trim();
  if (at < 1 || (field !== 'ignore' && !isField(field)))
    throw new InvalidArgumentError(`It must be Header=field, with ignore or one of ${fieldsText}.`);
  return new Map([...earlier, [text.slice(0, at).trim(), field === 'ignore' ? null : (field as Field)]]);
}

export function webAddress(text: string): string {
  const problem = urlProblem(text, 'web');
  if (problem !== null) throw new InvalidArgumentError(`It ${problem}.`);
  return text;
}

/** One of some words, in any case. */
export function oneOfWords<Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((one) => one === text.toUpperCase());
    if (!word) throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`);
    return word;
  };
}

export function dayOrMomentText(text: string): string {
  if (!isDay(text) && !isMoment(text)) throw new InvalidArgumentError(`It ${notDayOrMoment}.`);
  return text;
}

/** A day, or null for `never`. */
export function lastDayText(text: string): string | null {
  if (text === 'never') return null;
  if (!isDay(text)) throw new InvalidArgumentError(`It ${notDay}, or "never".`);
  return text;
}

export function emailAddress(text: string): string {
  if (!isEmail(text)) throw new InvalidArgumentError(`It ${notEmail}.`);
  return text;
}

export function moneyAmount(text: string): number {
  if (!/^\d{1,10}(\.\d{1,4})?$/.test(text) || Number(text) <= 0 || Number(text) > 1_000_000_000)
    throw new InvalidArgumentError('It must be an amount such as 500 or 12.50, up to 1000000000.');
  return Number(text);
}

/** An amount, or `none`. Commander makes an empty text of null, so that `orNull` reads it later. */
export type AmountOrNone = number | 'none';

export function amountOrNone(text: string): AmountOrNone {
  return text === 'none' ? text : moneyAmount(text);
}

export function orNull(amount: AmountOrNone): number | null {
  return amount === 'none' ? null : amount;
}

export function currencyCode(text: string): string {
  const code = text.toUpperCase();
  if (minorDigits(code) === null) throw new InvalidArgumentError(`It ${notCurrency}.`);
  return code;
}

/** `all` is an empty list. */
export function currencyCodes(text: string): string[] {
  if (text === 'all') return [];
  return [...new Set(text.split(',').map((code) => currencyCode(code.trim())))];
}

export function spendingOptionId(text: string): string {
  if (!/^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/.test(text))
    throw new InvalidArgumentError(
      'It must be a word of lower-case letters, digits and hyphens, for example book-shop.',
    );
  return text;
}

export function percentList(text: string): number[] {
  const percents = text.split(',').map((part) => limitOf(99)(part.trim()));
  return [...new Set(percents)];
}

/** SHA-256 in hexadecimal. May be given more than once. */
export function hashTexts(text: string, earlier: string[] = []): string[] {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new InvalidArgumentError('It must be a hash of 64 hexadecimal digits.');
  return [...earlier, text.toLowerCase()];
}
