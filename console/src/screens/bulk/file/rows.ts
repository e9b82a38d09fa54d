import type { Reason } from '@giftwire/sdk';
import { type AmountFault, readAmount } from './amount.ts';
import type { Field, Mapping } from './columns.ts';
import type { Sheet } from './read.ts';

/** What the rows of a file have in common, and what stands in where a row says nothing. */
export interface Common {
  message: string;
  amount: number | null;
  reasons: readonly Reason[];
}

/** A field that somebody put right on the screen. */
export type Corrections = ReadonlyMap<number, Partial<Record<Field, string>>>;

export type RowFault =
  | { field: 'amount'; is: AmountFault }
  | { field: 'email'; is: 'noAt' | 'notEmail' }
  | { field: 'email'; is: 'nobody' }
  | { field: 'message'; is: 'missing' | 'tooLong' }
  | { field: 'reason'; is: 'notOffered' };

/** One gift of a file. */
export interface GiftRow {
  number: number;
  /** As the file has them, or as they were put right. */
  texts: Partial<Record<Field, string>>;
  email: string | null;
  employeeNumber: string | null;
  firstName: string;
  lastName: string;
  amount: number | null;
  message: string;
  reasonId: number | null;
  faults: RowFault[];
}

const longestMessage = 1_000;

/** The gifts that a file describes, each with what is wrong with it. The same file and mapping always give the same gifts. */
export function readRows(sheet: Sheet, mapping: Mapping, common: Common, corrections: Corrections): GiftRow[] {
  return sheet.rows.map(({ number, cells }) => {
    const texts: Partial<Record<Field, string>> = {};
    mapping.forEach((field, at) => {
      if (field) texts[field] = (cells[at] ?? '').trim();
    });
    return readRow(number, { ...texts, ...corrections.get(number) }, common);
  });
}

function readRow(number: number, texts: GiftRow['texts'], common: Common): GiftRow {
  const email = texts.email || null;
  const employeeNumber = texts.employeeNumber || null;
  const amount = texts.amount ? readAmount(texts.amount) : (common.amount ?? 'missing');
  const message = texts.message || common.message.trim();
  const reason = texts.reason ? common.reasons.find(isNamed(texts.reason)) : undefined;
  const faults: RowFault[] = [
    ...emailFaults(email, employeeNumber),
    ...(typeof amount === 'string' ? [{ field: 'amount', is: amount } as const] : []),
    ...messageFaults(message),
    ...(texts.reason && !reason ? [{ field: 'reason', is: 'notOffered' } as const] : []),
  ];
  return {
    number,
    texts,
    email,
    employeeNumber,
    ...namesOf(texts),
    amount: typeof amount === 'number' ? amount : null,
    message,
    reasonId: reason?.id ?? null,
    faults,
  };
}

function emailFaults(email: string | null, employeeNumber: string | null): RowFault[] {
  if (email === null) return employeeNumber === null ? [{ field: 'email', is: 'nobody' }] : [];
  if (!email.includes('@')) return [{ field: 'email', is: 'noAt' }];
  return /^[^\s@]+@[^\s@]+$/.test(email) ? [] : [{ field: 'email', is: 'notEmail' }];
}

function messageFaults(message: string): RowFault[] {
  if (message === '') return [{ field: 'message', is: 'missing' }];
  return [...message].length > longestMessage ? [{ field: 'message', is: 'tooLong' }] : [];
}

/** A whole name is split at its first space, or turned round at a comma: Okafor, Ada. */
function namesOf({ firstName, lastName, fullName = '' }: GiftRow['texts']) {
  if (firstName || lastName || fullName === '') return { firstName: firstName ?? '', lastName: lastName ?? '' };
  const [last = '', first] = fullName.split(/\s*,\s*/, 2);
  if (first) return { firstName: first, lastName: last };
  const [given = '', ...rest] = fullName.split(/\s+/);
  return { firstName: given, lastName: rest.join(' ') };
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
