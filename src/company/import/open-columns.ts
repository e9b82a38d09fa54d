import { readCell } from '../../ground/sheets/cells.ts';
import { fold } from '../../ground/sheets/headers.ts';
import { shortened } from '../../ground/values/text.ts';
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

const shownValues = 5;
const shownLength = 40;

/**
 * The columns that seem to say who has left, although no field was found for them: by their names, or because all their texts are
 * statuses. A person has to say what they are, because without them everyone in the file would be active. None if the rows say it
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
    const isByName = notUnderstood.includes(text) && (statusNames.test(name) || isAboutLeaving(name));
    const isOpen = !otherNames.test(name) && (isByName || areStatuses(values));
    return isOpen ? [{ header: text, values: values.slice(0, shownValues).map(plain) }] : [];
  });
}

function saysWhoLeft(row: FileRow, reading: RowReading): boolean {
  const standing = readStanding((field) => readField(row, field, reading), reading.statuses);
  return standing !== null && (standing.problem !== undefined || standing.says !== 'employed');
}

function valuesOf(rows: readonly FileRow[], column: number): string[] {
  return [...new Set(rows.map(({ cells }) => readCell(cells[column] ?? '')).filter(Boolean))];
}

/** Values are printed on terminals: control characters in them must not take effect. */
function plain(value: string): string {
  return shortened(value.replace(/\p{Cc}+/gu, ' '), shownLength);
}

/** How people are employed says nothing about who has left. */
function areStatuses(values: readonly string[]): boolean {
  const standings = values.map((value) => readWords(value));
  return !standings.includes(undefined) && standings.some((one) => one === 'here' || one === 'left');
}

const statusNames =
  /status|stat$|statut|estatus|estado(?:del?)?(?:empleado|laboral|trabajador)|lifecycle|lebenszyklus|inactiv|inactif|inaktiv/;
const leavingNames =
  /terminat|leaver|separat|offboard|exitd|ausgeschied|austritt|depart(?:ed|ure)|datedesortie|baja|egreso/;
/** Statuses of something else, and those of managers. */
const otherNames =
  /marital|civil|matrimon|famil|visa|immigra|resid|citizen|vaccin|flsa|exempt|tax|filing|veteran|militar|disab|benefit|clearance|smok|i9|verify|background|train|approv|review|degree|union|insur|authori[sz]|student|manager|supervisor|order|deliver/;
