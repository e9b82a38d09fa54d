import { type DateFormat, readDate } from '../../ground/sheets/dates.ts';
import { type Advice, commandAdvice } from './advice.ts';
import type { Field } from './columns.ts';
import { readHasLeft, readStatus, readTruth, type Standing, type StatusMap } from './status.ts';

/** How to read a file's statuses and dates, and what to say if they are not clear: in the terms of the command line if absent. */
export interface LeavingOptions {
  statuses?: StatusMap | undefined;
  dateFormat?: DateFormat | undefined;
  advice?: Advice | undefined;
  /** What the file calls the column of a field. */
  headerOf?: ((field: Field) => string) | undefined;
}

/** Whether a person is here, and the day on which they left or will leave if it is known. Empty if the row does not say. */
export interface Leaving {
  active?: boolean;
  leftOn?: string;
  /** Null if the row says that no such day is known. */
  leavesOn?: string | null;
}

/**
 * Reads whether a person has left. A status decides, because people who return may still have an old leaving date. If there is
 * none, or it only says how the person is employed, the leaving date decides. `today` is the day in the workspace. Returns a text for a fault.
 * `onUnknown` gets a status that is not understood.
 */
export function readLeaving(
  read: (field: Field) => string | null | undefined,
  options: LeavingOptions,
  today: string,
  onUnknown: (field: Field, text: string) => void = () => {},
): Leaving | string {
  const standing = readStanding(read, options);
  if (standing?.problem !== undefined) {
    onUnknown(standing.field, standing.text);
    return standing.problem;
  }
  const text = read('leavingDate');
  if (standing?.says === 'here') return { active: true, ...planned(text, options, today) };
  const hasLeft = standing?.says === 'left';
  if (text === undefined || text === null) {
    const isSaid = standing !== null || text === null;
    return { ...(isSaid && { active: !hasLeft }), ...planned(text, options, today) };
  }
  const date = readDate(text, options.dateFormat);
  if (date && 'problem' in date)
    return `${headerOf(options, 'leavingDate')} "${text}" ${adviceOf(options).dates[date.problem]}`;
  // People are still here on their last day.
  if (date && date.day < today) return { active: false, leftOn: date.day };
  return { active: !hasLeft, ...(!hasLeft && planned(text, options, today)) };
}

/** The last day of a person who is here. An old date of a person who has returned, and one that is not clear, is no such day. */
function planned(text: string | null | undefined, options: LeavingOptions, today: string): Leaving {
  if (text === undefined) return {};
  const date = text === null ? null : readDate(text, options.dateFormat);
  if (date && 'problem' in date) return {};
  return { leavesOn: date && date.day >= today ? date.day : null };
}

export function adviceOf({ advice = commandAdvice }: LeavingOptions): Advice {
  return advice;
}

/** Messages name a column as the file does. */
export function headerOf(options: LeavingOptions, field: Field): string {
  return options.headerOf?.(field) ?? field;
}

type Said = { says: Standing; problem?: never } | { problem: string; field: Field; text: string };

/** Reads the one of the three columns that the file has; null if it has none, or the cell is empty. */
export function readStanding(read: (field: Field) => string | null | undefined, options: LeavingOptions): Said | null {
  for (const [field, readText, write] of readers) {
    const text = read(field);
    if (!text) continue;
    const says = readText(text, options.statuses);
    if (says !== undefined) return { says };
    const header = headerOf(options, field);
    return { field, text, problem: `${header} "${text}" is not understood: ${write}${adviceOf(options).status(text)}` };
  }
  return null;
}

const readers = [
  ['active', readTruth, 'write true or false, or '],
  ['hasLeft', readHasLeft, 'write true or false, or '],
  ['status', readStatus, ''],
] as const;
