import { type CustomField, type CustomValue, longestCustomText } from './custom-field.ts';
import { isDay, notDay } from './moment.ts';
import { plainText, textProblem } from './text.ts';

export type ReadValue = { value: CustomValue | null } | { problem: string };

/** A number of 15 digits is exact in JSON, in every program. */
const mostDigits = 15;
const numberForm = /^-?\d+(\.\d{1,6})?$/;
const notNumber = `must be a number of at most ${mostDigits} digits, with at most 6 decimals`;
const namedChoices = 20;

/** The value of a field in the form in which it is stored, or what is wrong with it. Types are exact. All values pass here. */
export function readCustomValue(field: Pick<CustomField, 'kind' | 'choices'>, value: unknown): ReadValue {
  if (value === null) return { value };
  if (field.kind === 'NUMBER')
    return typeof value === 'number' && isExact(String(value)) ? { value: value + 0 } : { problem: notNumber };
  if (typeof value !== 'string') return { problem: 'must be text' };
  const text = plainText(value.trim());
  if (text === '') return { value: null };
  if (field.kind === 'CHOICE') {
    const choice = findChoice(field.choices, text);
    return choice === undefined ? { problem: `must be one of ${listed(field.choices)}` } : { value: choice };
  }
  if (field.kind === 'DATE') {
    // Other systems send the beginning of the day.
    const day = text.replace(/^(\d{4}-\d\d-\d\d)T.*$/, '$1');
    return isDay(day) ? { value: day } : { problem: notDay };
  }
  const problem = textProblem(text, longestCustomText);
  return problem === null ? { value: text } : { problem };
}

/** The same for a text, as files, SCIM and filters have it: a number is written in digits, with a decimal point. */
export function readCustomText(field: Pick<CustomField, 'kind' | 'choices'>, text: string): ReadValue {
  if (field.kind !== 'NUMBER') return readCustomValue(field, text);
  const written = text.trim();
  if (written === '') return { value: null };
  return isExact(written) ? readCustomValue(field, Number(written)) : { problem: notNumber };
}

/** The choice that a text means, in any case. */
export function findChoice(choices: readonly string[], text: string): string | undefined {
  return choices.find((choice) => choice === text) ?? choices.find((choice) => isSameText(choice, text));
}

function isSameText(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function isExact(written: string): boolean {
  return numberForm.test(written) && written.replace(/[-.]/g, '').replace(/^0+/, '').length <= mostDigits;
}

function listed(choices: readonly string[]): string {
  const named = choices.slice(0, namedChoices).join(', ');
  return choices.length > namedChoices ? `${named} and ${choices.length - namedChoices} more` : named;
}
