import type { Field } from './columns.ts';
import { type DateFormat, readDate } from './dates.ts';
import { readHasLeft, readStatus, readTruth, type Standing, type StatusMap } from './status.ts';

/** How a file's statuses and dates are to be read. */
export interface LeavingOptions {
  statuses?: StatusMap | undefined;
  dateFormat?: DateFormat | undefined;
}

/** Whether a person is here, and the day on which they left where that is known; nothing where the row does not say. */
export interface Leaving {
  active?: boolean;
  leftOn?: string;
}

/**
 * A status decides, because people who return may keep an old leaving date. Where it only says how somebody is employed, or
 * there is none, the leaving date decides. A text says what is wrong.
 */
export function readLeaving(
  read: (field: Field) => string | null | undefined,
  options: LeavingOptions,
  today = new Date().toISOString().slice(0, 10),
): Leaving | string {
  const standing = readStanding(read, options.statuses);
  if (standing?.problem !== undefined) return standing.problem;
  if (standing?.says === 'here') return { active: true };
  const text = read('leavingDate');
  const hasLeft = standing?.says === 'left';
  if (text === undefined || text === null) {
    const isSaid = standing !== null || text === null;
    return isSaid ? { active: !hasLeft } : {};
  }
  const date = readDate(text, options.dateFormat);
  if (date && 'problem' in date) return `the leaving date "${text}" ${date.problem}`;
  // The last day is a working day: today is UTC's.
  if (date && date.day < today) return { active: false, leftOn: date.day };
  return { active: !hasLeft };
}

type Said = { says: Standing; problem?: never } | { problem: string };

/** The one column of the three that was chosen; null where there is none, or its cell is empty. */
function readStanding(read: (field: Field) => string | null | undefined, own: StatusMap | undefined): Said | null {
  for (const [field, readText, advice] of readers) {
    const text = read(field);
    if (!text) continue;
    const says = readText(text, own);
    if (says !== undefined) return { says };
    const option = `--status "${text}=active" or --status "${text}=left"`;
    return { problem: `${field} "${text}" is not understood: ${advice}say what it means with ${option}` };
  }
  return null;
}

const readers = [
  ['active', readTruth, 'write true or false, or '],
  ['hasLeft', readHasLeft, 'write true or false, or '],
  ['status', readStatus, ''],
] as const;
