import type { OrderFault, OrderItemValidation } from '@giftwire/sdk';
import type { GiftRow } from './file/rows.ts';

/** What the service has said about a row. */
export interface RowAnswer {
  item: OrderItemValidation;
  faults: OrderFault[];
}

/** The user's decision about a possible duplicate. */
export type Choice = 'send' | 'leave';

export interface Verdict {
  row: GiftRow;
  answer: RowAnswer | null;
  /** To fix · number that may be another person's, not decided · possible duplicate, not decided · left out · ready. */
  is: 'fault' | 'number' | 'double' | 'left' | 'ready' | 'unchecked';
  /** The number of the first row to the same person, where this is another. */
  sameAs: number | null;
}

/** Says of each row what becomes of it. `answers` are by row number; rows without one wait for their check. */
export function judge(
  rows: readonly GiftRow[],
  answers: ReadonlyMap<number, RowAnswer>,
  choices: ReadonlyMap<number, Choice>,
): Verdict[] {
  const firsts = new Map<string, number>();
  return rows.map((row) => {
    const answer = answers.get(row.number) ?? null;
    const who = identityOf(row, answer);
    const sameAs = who === null ? null : (firsts.get(who) ?? null);
    const choice = choices.get(row.number);
    if (who !== null && sameAs === null && choice !== 'leave') firsts.set(who, row.number);
    return { row, answer, sameAs, is: verdictOf(row, answer, sameAs, choice) };
  });
}

function verdictOf(row: GiftRow, answer: RowAnswer | null, sameAs: number | null, choice: Choice | undefined) {
  if (choice === 'leave') return 'left';
  if (row.faults.length > 0 || (answer && answer.faults.length > 0)) return 'fault';
  if (!answer) return 'unchecked';
  if (isDoubtful(row, answer) && choice !== 'send') return 'number';
  return (sameAs !== null || answer.item.twin) && choice !== 'send' ? 'double' : 'ready';
}

/** Whether a number may have lost its zeros. It has not if the member who has it has the name that the row names. */
function isDoubtful({ firstName, lastName }: GiftRow, { item: { probably, member } }: RowAnswer): boolean {
  const isNamed =
    member && firstName !== '' && sameText(firstName, member.firstName) && sameText(lastName, member.lastName);
  return probably !== null && !isNamed;
}

function sameText(one: string, other: string): boolean {
  return one.localeCompare(other, undefined, { sensitivity: 'accent' }) === 0;
}

/** Who a row is about: the member whom the service has found, else the address or number that it names. */
function identityOf({ email, employeeNumber }: GiftRow, answer: RowAnswer | null): string | null {
  if (answer?.item.member) return `member ${answer.item.member.id}`;
  if (email !== null) return `email ${email.toLowerCase()}`;
  return employeeNumber === null ? null : `number ${employeeNumber}`;
}

/** The people whom the ready rows add to the directory. */
export function peopleAdded(verdicts: readonly Verdict[]): number {
  return new Set(
    verdicts.flatMap(({ row, answer, is }) =>
      is === 'ready' && answer?.item.outcome === 'NEW' ? (identityOf(row, answer) ?? []) : [],
    ),
  ).size;
}

/** What gifts of one currency cost together. */
export interface Total {
  currency: string;
  total: number;
  gifts: number;
}

/** The exact sums of amounts, by currency: ten-thousandths are added as whole numbers. */
export function totalsOf(gifts: readonly { currency: string; amount: number | null }[]): Total[] {
  const totals = new Map<string, Total>();
  for (const { currency, amount } of gifts) {
    const { total, gifts } = totals.get(currency) ?? { total: 0, gifts: 0 };
    totals.set(currency, { currency, total: total + Math.round((amount ?? 0) * 10_000), gifts: gifts + 1 });
  }
  return [...totals.values()].map((one) => ({ ...one, total: one.total / 10_000 }));
}
