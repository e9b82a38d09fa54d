import type { Reason } from '@giftwire/sdk';
import { identityOf, isShortened, readCell, withoutPlaceholder } from '../../../../../src/ground/sheets/cells.ts';
import { OrderProofs } from '../../../../../src/ground/sheets/date-order.ts';
import { readPersonNames } from '../../../../../src/ground/sheets/names.ts';
import { type AmountFault, readMoney } from './amount.ts';
import type { Mapping } from './columns.ts';
import { type Candidates, currenciesNamed } from './currency.ts';
import { currencyIn, type Field } from './headers.ts';
import { readLanguage } from './language.ts';
import type { Sheet, SheetRow } from './read.ts';
import { type DateFault, type DateOrder, readWhen } from './when.ts';

/** What the rows of a file have in common, and what stands in where a row says nothing. */
export interface Common {
  message: string;
  amount: number | null;
  currency: string;
  language: string;
  /** The languages that are offered, the workspace's own first. */
  languages: readonly string[];
  deliverAt: string | null;
  dateOrder: DateOrder;
  reasons: readonly Reason[];
}

type Texts = Partial<Record<Field, string>>;

/** The fields that the user has corrected on the screen, by the number of the row. */
export type Corrections = ReadonlyMap<number, Texts>;

export type RowFault =
  | { field: 'amount'; is: AmountFault }
  | { field: 'currency'; is: 'unknown' | 'unclear' | 'contradiction' }
  | { field: 'email'; is: 'noAt' | 'notEmail' | 'unidentified' }
  | { field: 'employeeNumber'; is: 'shortened' }
  | { field: 'message'; is: 'missing' | 'tooLong' | 'cut' }
  | { field: 'reason'; is: 'notOffered' }
  | { field: 'language'; is: 'unknown' }
  | { field: 'deliverAt'; is: DateFault };

/** One gift of a file. */
export interface GiftRow {
  number: number;
  /** As the file has them, or as they were corrected. */
  texts: Texts;
  email: string | null;
  employeeNumber: string | null;
  firstName: string;
  lastName: string;
  amount: number | null;
  message: string;
  reasonId: number | null;
  currency: string;
  language: string;
  /** Null: at once. */
  deliverAt: string | null;
  faults: RowFault[];
  /** Whether something is open that is asked about the whole file. */
  waits: boolean;
}

/** What is asked about a file as a whole: which column has it, or one value for all. */
export type Question = 'person' | 'amount' | 'message' | 'dateOrder';

const longestMessage = 1_000;

/** The gifts that a file describes, each with what is wrong with it, and what is to be asked about all of them. */
export function readRows(
  sheet: Sheet,
  mapping: Mapping,
  shared: Common,
  corrections: Corrections,
  now = new Date(),
): { rows: GiftRow[]; questions: Question[] } {
  const common = { ...shared, dateOrder: shared.dateOrder ?? provedOrder(sheet, mapping) };
  const open = openQuestions(mapping, common);
  const named = currencyIn(sheet.header[mapping.indexOf('amount')] ?? '');
  const read = sheet.rows.map((row) => {
    const corrected = corrections.get(row.number) ?? {};
    const { texts, isCut } = textsOf(row, sheet, mapping);
    // A currency that the user has entered for the row counts more than the name of the column.
    const byHeader = named && corrected.currency === undefined ? [named] : [];
    const faults: RowFault[] = isCut && corrected.message === undefined ? [{ field: 'message', is: 'cut' }] : [];
    return readRow(row.number, { ...texts, ...corrected }, { common, byHeader, faults, mapping, now });
  });
  const isAsked = read.some(({ faults }) =>
    faults.some(({ field, is }) => field === 'deliverAt' && is === 'ambiguous'),
  );
  const questions: Question[] = [...open, ...(isAsked && common.dateOrder === null ? (['dateOrder'] as const) : [])];
  return { questions, rows: read.map((row) => waiting(row, questions)) };
}

/** The order that the file's own dates prove, so that nothing has to be asked. */
function provedOrder({ rows }: Sheet, mapping: Mapping): DateOrder {
  const proofs = new OrderProofs();
  const column = mapping.indexOf('deliverAt');
  for (const { cells } of rows) proofs.add(readCell(cells[column] ?? ''));
  return proofs.order;
}

/** What no column has and the user has not entered for all rows. */
function openQuestions(mapping: Mapping, { amount, message }: Common): Question[] {
  const open: [Question, boolean][] = [
    ['person', !mapping.includes('email') && !mapping.includes('employeeNumber')],
    ['amount', !mapping.includes('amount') && amount === null],
    ['message', !mapping.includes('message') && message.trim() === ''],
  ];
  return open.flatMap(([question, isOpen]) => (isOpen ? [question] : []));
}

/** The row without the faults that a question asks about: one answer settles them for all rows. */
function waiting(row: GiftRow, questions: readonly Question[]): GiftRow {
  const faults = row.faults.filter((fault) => !questions.some((question) => isAbout(fault, question)));
  return { ...row, faults, waits: questions.length > 0 };
}

function isAbout({ field, is }: RowFault, question: Question): boolean {
  if (question === 'person') return is === 'unidentified';
  if (question === 'dateOrder') return field === 'deliverAt' && is === 'ambiguous';
  return field === question && is === 'missing';
}

/**
 * The texts of a row by their fields. A row with more cells than columns has a text with a delimiter in it and no quotes around it, most
 * likely its message: the cells are read so, and `isCut` says that the user has to check it.
 */
function textsOf(
  { cells }: SheetRow,
  { header, delimiter }: Sheet,
  mapping: Mapping,
): { texts: Texts; isCut: boolean } {
  const surplus = cells.length - header.length;
  const at = mapping.indexOf('message');
  const joined = cells.slice(at, at + surplus + 1).join(delimiter);
  const whole = surplus > 0 && at >= 0 ? [...cells.slice(0, at), joined, ...cells.slice(at + surplus + 1)] : cells;
  const texts: Texts = {};
  mapping.forEach((field, column) => {
    if (field) texts[field] = textOf(field, whole[column] ?? '');
  });
  return { texts, isCut: surplus > 0 };
}

/** Placeholders are no people and no messages. Elsewhere they are shown: "TBD" is no date, and does not mean today. */
function textOf(field: Field, cell: string): string {
  const text = readCell(cell);
  if (field === 'email' || field === 'employeeNumber') return identityOf(text);
  return field === 'message' || field.endsWith('Name') ? withoutPlaceholder(text) : text;
}

interface Reading {
  common: Common;
  /** The currency that the header of the amounts names. */
  byHeader: Candidates[];
  /** Faults of the row as a whole. */
  faults: RowFault[];
  mapping: Mapping;
  now: Date;
}

function readRow(number: number, texts: Texts, { common, byHeader, faults, mapping, now }: Reading): GiftRow {
  const email = texts.email || null;
  const employeeNumber = texts.employeeNumber || null;
  const money = moneyOf(texts, common, byHeader, mapping);
  const message = texts.message || common.message.trim();
  const reason = texts.reason ? common.reasons.find(isNamed(texts.reason)) : undefined;
  const language = texts.language ? readLanguage(texts.language, common.languages) : common.language;
  const when = texts.deliverAt ? readWhen(texts.deliverAt, common.dateOrder, now) : { deliverAt: common.deliverAt };
  return {
    number,
    texts,
    email,
    employeeNumber,
    ...namesOf(texts),
    amount: money.amount,
    message,
    reasonId: reason?.id ?? null,
    currency: money.currency,
    language: language ?? common.language,
    deliverAt: typeof when === 'string' ? null : when.deliverAt,
    waits: false,
    faults: [
      ...personFaults(email, employeeNumber),
      ...money.faults,
      ...faults,
      ...messageFaults(message),
      ...(texts.reason && !reason ? [{ field: 'reason', is: 'notOffered' } as const] : []),
      ...(language === null ? [{ field: 'language', is: 'unknown' } as const] : []),
      ...(typeof when === 'string' ? [{ field: 'deliverAt', is: when } as const] : []),
    ],
  };
}

/** A row without an amount has the common one only if the file has no column of amounts. */
function moneyOf(texts: Texts, common: Common, byHeader: Candidates[], mapping: Mapping) {
  const inColumn = texts.currency ? currenciesNamed(texts.currency) : null;
  const said = [...byHeader, ...(inColumn ? [inColumn] : [])];
  const read = readMoney(texts.amount ?? '', said, common.currency);
  const isCommon = !texts.amount && !mapping.includes('amount') && common.amount !== null;
  const amount = isCommon ? (common.amount as number) : read.amount;
  const isSettled = read.currency !== 'unclear' && read.currency !== 'contradiction';
  const faults: RowFault[] = [
    ...(typeof amount === 'string' ? [{ field: 'amount', is: amount } as const] : []),
    ...(texts.currency && !inColumn ? [{ field: 'currency', is: 'unknown' } as const] : []),
    ...(isSettled ? [] : [{ field: 'currency', is: read.currency as 'unclear' | 'contradiction' } as const]),
  ];
  return {
    amount: typeof amount === 'number' ? amount : null,
    currency: isSettled ? read.currency : common.currency,
    faults,
  };
}

function personFaults(email: string | null, employeeNumber: string | null): RowFault[] {
  const shortened: RowFault[] =
    employeeNumber !== null && isShortened(employeeNumber) ? [{ field: 'employeeNumber', is: 'shortened' }] : [];
  if (email === null) return employeeNumber === null ? [{ field: 'email', is: 'unidentified' }] : shortened;
  if (!email.includes('@')) return [{ field: 'email', is: 'noAt' }, ...shortened];
  return /^[^\s@]+@[^\s@]+$/.test(email) ? shortened : [{ field: 'email', is: 'notEmail' }, ...shortened];
}

function messageFaults(message: string): RowFault[] {
  if (message === '') return [{ field: 'message', is: 'missing' }];
  return [...message].length > longestMessage ? [{ field: 'message', is: 'tooLong' }] : [];
}

/** As an import of people reads them: a whole name is split if there is no other. */
function namesOf(texts: Texts) {
  const isWhole = !texts.firstName && !texts.lastName && texts.fullName;
  const { firstName, lastName } = readPersonNames((field) => {
    if (field === 'fullName') return isWhole || undefined;
    return field === 'firstName' || field === 'lastName' ? texts[field] || null : undefined;
  });
  return { firstName: firstName ?? '', lastName: lastName ?? '' };
}

function isNamed(name: string) {
  return ({ description }: Reason) => description.localeCompare(name, undefined, { sensitivity: 'accent' }) === 0;
}

/** The gift as an order has it. Only rows without faults are ordered. */
export function orderItemOf({ email, employeeNumber, firstName, lastName, amount, message, reasonId }: GiftRow) {
  return {
    message,
    amount: amount ?? 0,
    recipient: {
      ...(email !== null && { email }),
      ...(employeeNumber !== null && { employeeNumber }),
      ...(firstName !== '' && { firstName }),
      ...(lastName !== '' && { lastName }),
    },
    ...(reasonId !== null && { reasonId }),
  };
}
