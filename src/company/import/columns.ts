import { fold, folded, memberHeaders } from '../../ground/sheets/headers.ts';
import { type CustomField, customKeyPattern } from '../../ground/values/custom-field.ts';
import { type FileField, fileFields } from '../../ground/values/member.ts';

/** The columns that an export writes, in its order. Manager and team come before the currency, as in earlier files. */
export const memberColumns: readonly MemberColumn[] = [
  ...(fileFields as MemberColumn[]).toSpliced(fileFields.indexOf('currency'), 0, 'manager', 'team'),
  'active',
  'leavingDate',
];
type MemberColumn = FileField | 'manager' | 'team' | 'active' | 'leavingDate';

/** The fields that a column can hold: those of an export, and further ones that HR systems write. */
const furtherFields = [
  ...(['status', 'hasLeft', 'fullName'] as const),
  ...(['preferredFirstName', 'preferredLastName'] as const),
];
type OwnField = MemberColumn | (typeof furtherFields)[number];
const knownFields: readonly OwnField[] = [...memberColumns, ...furtherFields];

/** A field of everyone, or a custom field by its key: `custom.shirtSize`. */
export type Field = OwnField | `custom.${string}`;
export const customColumn = (key: string): Field => `custom.${key}`;
/** The headers that are always understood, for messages. */
export const headersText = `${knownFields.join(', ')}, the key or label of a custom field`;
/** What can be said of a header, for messages. */
export const fieldsText = `${knownFields.join(', ')}, or custom. and the key of a custom field`;

const customForm = new RegExp(customKeyPattern.replace('^', '^custom\\.'));

export function isField(text: unknown): text is Field {
  return typeof text === 'string' && (knownFields.some((field) => field === text) || customForm.test(text));
}

/** The position of each field's column in a row. */
export type Columns = ReadonlyMap<Field, number>;

export interface Understood {
  columns: Columns;
  notUnderstood: string[];
  /** Understood, but another column says the same more specifically. */
  superseded: string[];
  /** Whether the manager's column may have names alone. */
  managerMayBeName: boolean;
}

/** The field that the caller chose for a header; null: the column is ignored. Overrides the table below. */
export type HeaderMap = ReadonlyMap<string, Field | null>;

/** A custom field is found by its key or its label, before the names that HR systems use for other fields. */
export function understandHeader(
  header: readonly string[],
  mapped: HeaderMap = new Map(),
  custom: readonly CustomField[] = [],
): Understood {
  const names = header.map(fold);
  const chosen = new Map([...mapped].map(([name, field]) => [fold(name), field]));
  const columns = new Map<Field, number>();
  const customNames = new Set(custom.flatMap(({ key, label }) => [fold(key), fold(label)]));
  const find = (field: Field, synonyms: readonly string[]) => {
    const byMap = names.findIndex((name) => chosen.get(name) === field);
    const bySynonym = synonyms.map((synonym) => names.findIndex((name) => name === synonym && !chosen.has(name)));
    const column = byMap >= 0 ? byMap : bySynonym.find((one) => one >= 0);
    if (column !== undefined) columns.set(field, column);
  };
  for (const { key, label } of custom) find(customColumn(key), [fold(key), fold(label)]);
  for (const field of knownFields)
    find(
      field,
      headersOf[field].filter((name) => !customNames.has(name)),
    );
  const manager = columns.has('manager') ? -1 : names.findIndex((name) => looseManagers.has(name) && !chosen.has(name));
  if (manager >= 0) columns.set('manager', manager);
  for (const [better, worse] of preferences) if (columns.has(better)) columns.delete(worse);
  const used = new Set(columns.values());
  const others = header.filter((_, column) => {
    const name = names[column] as string;
    return name !== '' && !used.has(column) && chosen.get(name) !== null && !ownColumns.has(name);
  });
  const isKnown = (text: string) =>
    [chosen, fieldOf, looseManagers, customNames].some((names) => names.has(fold(text)));
  return {
    columns,
    notUnderstood: others.filter((text) => !isKnown(text)),
    superseded: others.filter(isKnown),
    managerMayBeName: manager >= 0,
  };
}

/** The headers in `mapped` that the file does not have. */
export function missingHeaders(header: readonly string[], mapped: HeaderMap): string[] {
  const names = new Set(header.map(fold));
  return [...mapped.keys()].filter((name) => !names.has(fold(name)));
}

const headersOf: Record<OwnField, readonly string[]> = memberHeaders;

/** The first columns of a file of rejected rows. */
const ownColumns = new Set(['line', 'reason']);

/** If a file has both fields of a pair, the second is ignored. */
const preferences: [Field, Field][] = [
  ['firstName', 'fullName'],
  ['lastName', 'fullName'],
  ['active', 'hasLeft'],
  ['active', 'status'],
  ['hasLeft', 'status'],
];

/** Columns of managers that hold an address, a number or "Name (number)" in some systems, and only a name in others. */
const looseManagers = new Set(
  folded(`reports to, reporting to, supervisor, line manager, direct manager, reporting manager, people manager, worker's manager,
    manager name, supervisor name, reports to name, vorgesetzter, vorgesetzte, führungskraft, responsable, supérieur, jefe`),
);

const fieldOf = new Map(knownFields.flatMap((field) => headersOf[field].map((name) => [name, field] as const)));
