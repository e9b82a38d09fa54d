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
  if (typeof value === 'number') return formatsOf(locale).number.format(value);
  return field?.kind === 'DATE' ? formatsOf(locale).date.format(new Date(`${value}T00:00Z`)) : value;
}

interface CustomFormats {
  number: Intl.NumberFormat;
  date: Intl.DateTimeFormat;
}
const formats = new Map<string, CustomFormats>();

/** Made once for each locale: making them takes longer than formatting a thousand values. */
function formatsOf(locale: string): CustomFormats {
  const known = formats.get(locale) ?? {
    number: new Intl.NumberFormat(locale, { maximumFractionDigits: 6 }),
    date: new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }),
  };
  formats.set(locale, known);
  return known;
}
