import { isNone, isPlaceholder, readCell, withoutApostrophe } from '../../ground/sheets/cells.ts';
import { type ReadDate, readDate, readMonthDay } from '../../ground/sheets/dates.ts';
import { readPersonNames } from '../../ground/sheets/names.ts';
import type { CustomField, CustomValue } from '../../ground/values/custom-field.ts';
import { findChoice, type ReadValue, readCustomText } from '../../ground/values/custom-value.ts';
import { fileFields, type MemberField, memberFields } from '../../ground/values/member.ts';
import { longest, plainText, textProblem } from '../../ground/values/text.ts';
import { checkMemberFields, type MemberFields, storedForm } from '../directory/member-fields.ts';
import { type Columns, customColumn, type Field } from './columns.ts';
import type { FileRow } from './file-row.ts';
import { adviceOf, headerOf, type LeavingOptions, readLeaving } from './read-leaving.ts';
import type { TextCounts } from './text-counts.ts';

/** The fields of a row. An absent field stays as it is, and null clears it. */
export interface PersonRow extends FileRow {
  fields: MemberFields;
  team?: string;
  /** The text that names the manager: an email address, an employee number, an id, or a name. */
  manager?: string | null;
}

/** What a company's own values mean, by field and by the cell in lower case. */
export type ValueMap = ReadonlyMap<Field, ReadonlyMap<string, string>>;

/** How the rows of one file are read. */
export interface RowReading extends LeavingOptions {
  columns: Columns;
  /** The custom fields of the workspace. */
  custom: readonly CustomField[];
  /** How many cells a row has at most. */
  width: number;
  /** The day in UTC, by the database's clock. */
  today: string;
  values?: ValueMap | undefined;
}

/** What a person may want to know, or has to say, about the texts of the file. */
export interface RowNotes {
  /** Placeholders that were read as empty cells. */
  placeholders: TextCounts;
  /** Statuses that are not understood. */
  unknownStatuses: TextCounts;
  /** Dates that may be two days. */
  ambiguousDates: TextCounts;
}

/** Reads a row, or says why it cannot be taken. */
export function readPerson(record: FileRow, reading: RowReading, notes?: RowNotes): PersonRow | string {
  const { line, cells } = record;
  const { width } = reading;
  if (record.problem !== undefined) return record.problem;
  if (cells.length > width) return `the row has ${cells.length} cells, and the header only ${width}`;
  const read = (field: Field) => readField(record, field, reading, notes);
  const leaving = readLeaving(read, reading, reading.today, (...unknown) => notes?.unknownStatuses.add(...unknown));
  const email = read('email');
  const employeeNumber = read('employeeNumber');
  const written: MemberFields = readPersonNames(read);
  // These identify the person: an empty cell does not clear them.
  if (email) written.email = email;
  if (employeeNumber) written.employeeNumber = employeeNumber;
  const problems: string[] = [];
  for (const { name, convert } of plainFields) {
    const text = read(name);
    const value = text && convert ? convert(text, reading) : text;
    if (typeof value === 'string' || value === null) written[name] = value;
    else if (value !== undefined) problems.push(`${headerOf(reading, name)} "${text}" ${value.problem}`);
  }
  const custom = readCustom(record, reading, problems, notes);
  if (Object.keys(custom).length > 0) written.custom = custom;
  if (typeof leaving !== 'string') Object.assign(written, leaving);
  const fields = storedForm(written);
  const team = plainText(read('team') ?? '');
  const manager = read('manager');
  for (const { path, problem } of checkMemberFields(fields))
    problems.push(`${headerOf(reading, path as Field)} ${problem}`);
  if (typeof leaving === 'string') problems.push(leaving);
  if (team && textProblem(team, longest.teamName) !== null)
    problems.push(`${headerOf(reading, 'team')} must be text of at most ${longest.teamName} characters`);
  if (!email && !employeeNumber) problems.push('there is neither an email nor an employeeNumber');
  if (problems.length > 0) return problems.join('; ');
  return {
    line,
    cells,
    fields,
    // Teams may be managed by an identity provider: an empty cell changes no team.
    ...(team && { team }),
    ...(manager !== undefined && { manager: manager && noManager.test(manager) ? null : manager }),
  };
}

/** The values of custom fields. An empty cell removes one, and a placeholder says nothing, unless it is one of the choices. */
function readCustom(
  record: FileRow,
  reading: RowReading,
  problems: string[],
  notes?: RowNotes,
): Record<string, CustomValue | null> {
  const values: Record<string, CustomValue | null> = {};
  for (const field of reading.custom) {
    const name = customColumn(field.key);
    const cell = record.cells[reading.columns.get(name) ?? record.cells.length];
    if (cell === undefined) continue;
    const choice = findChoice(field.choices, readCell(cell));
    const text = choice ?? readField(record, name, reading, notes);
    if (text === undefined) continue;
    const read: ReadValue = text === null ? { value: null } : readCustomCell(field, text, reading);
    if ('problem' in read) problems.push(`${headerOf(reading, name)} "${text}" ${read.problem}`);
    else values[field.key] = read.value;
  }
  return values;
}

function readCustomCell(field: CustomField, text: string, reading: RowReading): ReadValue {
  if (field.kind !== 'DATE') return readCustomText(field, field.kind === 'NUMBER' ? withoutApostrophe(text) : text);
  const day = dayOf(readDate(text, reading.dateFormat), reading);
  return typeof day === 'object' && day !== null ? day : { value: day };
}

/**
 * Undefined if the row does not have the cell, and null if it is empty. A placeholder says nothing, so that what is stored stays. In a
 * status it is not understood, because it would make people active. A meaning that the caller gave is taken as it is.
 */
export function readField(
  { cells }: FileRow,
  field: Field,
  { columns, values }: RowReading,
  notes?: RowNotes,
): string | null | undefined {
  const cell = cells[columns.get(field) ?? cells.length];
  if (cell === undefined) return undefined;
  const written = readCell(cell);
  const meaning = values?.get(field)?.get(written.toLowerCase());
  if (meaning !== undefined) return meaning || null;
  const isIdentity = identities.has(field);
  const text = isIdentity ? withoutApostrophe(written) : written;
  if (!isEmptySign(text, field)) return text || null;
  notes?.placeholders.add(field, text);
  return isIdentity || field === 'leavingDate' ? null : undefined;
}

const identities: ReadonlySet<Field> = new Set<Field>(['email', 'employeeNumber']);
const standings: ReadonlySet<Field> = new Set<Field>(['status', 'active', 'hasLeft']);

/** "Unknown" as a leaving date may be that of a leaver. */
function isEmptySign(text: string, field: Field): boolean {
  return isPlaceholder(text) && !standings.has(field) && (field !== 'leavingDate' || isNone(text));
}

type Convert = (text: string, reading: RowReading) => string | null | { problem: string };

/** What cells of these kinds are stored as. Other kinds need no choice of the reader: `storedForm` reads them. */
const converters: Partial<Record<MemberField['kind'], Convert>> = {
  currency: (text) => text.toUpperCase(),
  date: (text, reading) => dayOf(readDate(text, reading.dateFormat), reading),
  monthDay: (text, reading) => dayOf(readMonthDay(text, reading.dateFormat), reading),
};

function dayOf(date: ReadDate, reading: RowReading): string | null | { problem: string } {
  if (date === null) return null;
  return 'problem' in date ? { problem: adviceOf(reading).dates[date.problem] } : date.day;
}

/** Columns whose cells are stored as they are, and cleared by an empty cell. The others identify or name the person. */
const plainFields = fileFields
  .filter((name) => !['email', 'employeeNumber', 'firstName', 'lastName', 'preferredName'].includes(name))
  .map((name) => ({ name, convert: converters[memberFields[name].kind] }));

/** How SAP SuccessFactors writes an empty cell. */
const noManager = /^NO_(MANAGER|MGR)$/;
