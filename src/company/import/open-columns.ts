import { Failure } from '../../ground/errors.ts';
import { readCell } from '../../ground/sheets/cells.ts';
import { fold } from '../../ground/sheets/headers.ts';
import { shortened } from '../../ground/values/text.ts';
import type { Advice } from './advice.ts';
import type { Understood } from './columns.ts';
import type { FileRow } from './file-row.ts';
import { type RowReading, readField } from './person.ts';
import { readStanding } from './read-leaving.ts';
import { readWords } from './status.ts';

/** A column that seems to say who has left, and is not read. */
export interface OpenColumn {
  header: string;
  /** Some of its texts. */
  values: string[];
}

const mostStatuses = 30;
const shownValues = 5;
const shownLength = 40;

/**
 * The columns that seem to say who has left, although no field was found for them: by their names, or because most of their texts
 * are statuses. A person has to say what they are, because without them everyone in the file would be active. None if the rows say it
 * in a column that is understood.
 */
export function findOpenColumns(
  header: readonly string[],
  { columns, notUnderstood, superseded }: Understood,
  rows: readonly FileRow[],
  reading: RowReading,
): OpenColumn[] {
  if (rows.some((row) => saysWhoLeft(row, reading))) return [];
  const isAboutLeaving = (name: string) => !columns.has('leavingDate') && leavingNames.test(name);
  return [...notUnderstood, ...superseded].flatMap((text) => {
    const name = fold(text);
    const values = valuesOf(rows, header.indexOf(text));
    const distinct = [...new Set(values)];
    const isByName = notUnderstood.includes(text) && (statusNames.test(name) || isAboutLeaving(name));
    const isOpen = !otherNames.test(name) && (isByName || areStatuses(values, distinct));
    return isOpen ? [{ header: text, values: distinct.slice(0, shownValues).map(plain) }] : [];
  });
}

function saysWhoLeft(row: FileRow, reading: RowReading): boolean {
  const standing = readStanding((field) => readField(row, field, reading), reading);
  return standing !== null && (standing.problem !== undefined || standing.says !== 'employed');
}

function valuesOf(rows: readonly FileRow[], column: number): string[] {
  return rows.map(({ cells }) => readCell(cells[column] ?? '')).filter(Boolean);
}

/** Values are printed on terminals: control characters in them must not take effect. */
function plain(value: string): string {
  return shortened(value.replace(/\p{Cc}+/gu, ' '), shownLength);
}

/** Whether most texts are statuses, of which a column has few. How people are employed says nothing about who has left. */
function areStatuses(values: readonly string[], distinct: readonly string[]): boolean {
  if (distinct.length > mostStatuses) return false;
  const standings = new Map(distinct.map((value) => [value, readWords(value)]));
  const isStatus = (value: string) => standings.get(value) === 'here' || standings.get(value) === 'left';
  return values.filter(isStatus).length > values.length / 2;
}

const statusNames =
  /status|stat$|statut|estatus|estado(?:del?)?(?:empleado|laboral|trabajador)|lifecycle|lebenszyklus|inactiv|inactif|inaktiv/;
const leavingNames =
  /terminat|leaver|separat|offboard|exitd|ausgeschied|austritt|depart(?:ed|ure)|datedesortie|baja|egreso/;
/** Statuses of something else, and those of managers. */
const otherNames =
  /marital|civil|matrimon|famil|visa|immigra|resid|citizen|vaccin|flsa|exempt|tax|filing|veteran|militar|disab|benefit|clearance|smok|i9|verify|background|train|approv|review|degree|union|insur|authori[sz]|student|manager|supervisor|order|deliver/;

/** An import does not begin until the caller has said what the column is. */
export function notSaid({ header, values }: OpenColumn, advice: Advice): Failure {
  const some = values.length > 0 ? ` (${values.join(', ')})` : '';
  return new Failure(
    'setup',
    `The column "${header}"${some} seems to say who has left, and its name is not known. Nothing was imported, because ` +
      `people who have left would be active. ${advice.openColumn(header)}`,
  );
}
