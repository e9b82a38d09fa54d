import { isDay, notDay } from './moment.ts';
import { plainText, textProblem } from './text.ts';

export const customKinds = ['TEXT', 'NUMBER', 'DATE', 'CHOICE'] as const;
export type CustomKind = (typeof customKinds)[number];

/** A field of people that a workspace has defined. */
export interface CustomField {
  key: string;
  label: string;
  kind: CustomKind;
  /** The values of a choice; of other kinds, empty. */
  choices: string[];
}

export type CustomValue = string | number;
/** The values of a person by key. A field without a value is absent. */
export type CustomValues = Readonly<Record<string, CustomValue>>;
/** What a change says about custom fields. Fields that are absent stay as they are, and null removes the value. */
export type CustomChange = Readonly<Record<string, CustomValue | null>>;

export const mostCustomFields = 20;
export const mostChoices = 100;
export const longestCustomText = 200;

/** A key is a name in the API, in files, in SCIM and in placeholders. */
export const customKeyPattern = '^[A-Za-z][A-Za-z0-9]{0,39}$';

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

/** For a placeholder in a message: what people read of a person's value. Null without a value, and for a key that is no field. */
export function customText(
  fields: readonly CustomField[],
  values: CustomValues,
  key: string,
  locale: string,
): string | null {
  const field = fields.find((one) => one.key === key);
  const value = field && Object.hasOwn(values, key) ? values[key] : undefined;
  if (value === undefined) return null;
  if (typeof value === 'number') return new Intl.NumberFormat(locale, { maximumFractionDigits: 6 }).format(value);
  if (field?.kind !== 'DATE') return value;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${value}T00:00Z`));
}

function isExact(written: string): boolean {
  return numberForm.test(written) && written.replace(/[-.]/g, '').replace(/^0+/, '').length <= mostDigits;
}

function listed(choices: readonly string[]): string {
  const named = choices.slice(0, namedChoices).join(', ');
  return choices.length > namedChoices ? `${named} and ${choices.length - namedChoices} more` : named;
}
