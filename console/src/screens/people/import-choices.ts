import type { DateOrder, orderTexts } from '../../../../src/ground/sheets/date-order.ts';

/** How a file is read beside what its header says. */
export interface Choices {
  map: Record<string, string | null>;
  /** What the company's own statuses mean. */
  status: Record<string, 'active' | 'left'>;
  /** By field: what texts mean. */
  value: Record<string, Record<string, string>>;
  /** How dates are written, for the API. */
  dateFormat: DateFormatChoice | undefined;
  allowLeavers: number | undefined;
}

export type DateFormatChoice = (typeof orderTexts)[DateOrder];

export const noChoices: Choices = { map: {}, status: {}, value: {}, dateFormat: undefined, allowLeavers: undefined };

export function withValue(value: Choices['value'], field: string, text: string, meaning: string): Choices['value'] {
  return { ...value, [field]: { ...value[field], [text]: meaning } };
}

export function withoutValue(value: Choices['value'], field: string, text: string): Choices['value'] {
  const { [text]: _, ...others } = value[field] ?? {};
  return { ...value, [field]: others };
}

/** The choices as the client takes them. Without choices, the field is absent. */
export function sentChoices({ map, status, value, dateFormat, allowLeavers }: Choices) {
  const isGiven = (one: object) => Object.keys(one).length > 0;
  const values = Object.fromEntries(Object.entries(value).filter(([, texts]) => isGiven(texts)));
  return {
    ...(isGiven(map) && { map }),
    ...(isGiven(status) && { status }),
    ...(isGiven(values) && { value: values }),
    ...(dateFormat !== undefined && { dateFormat }),
    ...(allowLeavers !== undefined && { allowLeavers }),
  };
}
