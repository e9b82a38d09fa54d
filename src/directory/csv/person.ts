import { plainCell } from '../../contract/csv.ts';
import { isText } from '../../contract/schema.ts';
import { checkMemberFields, type MemberFields } from '../member-fields.ts';
import type { Columns, Field } from './columns.ts';
import { hasPassed, readLastDay, readStatus } from './leaving.ts';
import type { CsvRecord } from './records.ts';

/** A person as a row tells of them. What is absent is left as it is, and null clears it. */
export interface PersonRow extends CsvRecord {
  fields: MemberFields;
  team?: string;
  /** Who leads to the manager: an e-mail address, an employee number or an id. */
  manager?: string | null;
}

/** Reads a row, or says why it cannot be taken. */
export function readPerson(record: CsvRecord, columns: Columns, width: number): PersonRow | string {
  const { line, cells } = record;
  if (record.problem !== undefined) return record.problem;
  if (cells.length > width) return `the row has ${cells.length} cells, and the header only ${width}`;
  const read = (field: Field): string | null | undefined => {
    const cell = cells[columns.get(field) ?? cells.length];
    return cell === undefined ? undefined : readCell(cell) || null;
  };
  const leavingDate = read('leavingDate');
  const active = readActive(read('active'), leavingDate);
  const leftOn = active === false && leavingDate && hasPassed(leavingDate) ? readLastDay(leavingDate) : undefined;
  const email = read('email');
  const employeeNumber = read('employeeNumber');
  const fields: MemberFields = {
    ...readNames(read),
    // Without one of them nobody would know who this is: an empty cell does not take it away.
    ...(email && { email }),
    ...(employeeNumber && { employeeNumber }),
    ...ifPresent('department', read('department')),
    ...ifPresent('costCentre', read('costCentre')),
    ...ifPresent('location', read('location')),
    ...ifPresent('currency', read('currency')?.toUpperCase() ?? read('currency')),
    ...ifPresent('pictureUrl', read('pictureUrl')),
    ...(typeof active === 'boolean' && { active }),
    ...(leftOn !== undefined && { leftOn }),
  };
  const team = read('team');
  const problems = checkMemberFields(fields).map(({ path, problem }) => `${path} ${problem}`);
  if (typeof active === 'string') problems.push(active);
  if (team && (!isText(team) || [...team].length > longestTeam))
    problems.push(`team must be text of at most ${longestTeam} characters`);
  if (!email && !employeeNumber) problems.push('there is neither an email nor an employeeNumber');
  if (problems.length > 0) return problems.join('; ');
  const manager = read('manager');
  return {
    line,
    cells,
    fields,
    // Teams may be an identity provider's: only a name moves somebody.
    ...(team && { team }),
    ...ifPresent('manager', manager && noManager.test(manager) ? null : manager),
  };
}

/** What a cell says: without blanks around it, and without the apostrophe that made it safe. */
export function readCell(cell: string): string {
  return plainCell(cell.trim());
}

const longestTeam = 200;
/** How SAP SuccessFactors writes that there is none. */
const noManager = /^NO_(MANAGER|MGR)$/;

function ifPresent<Name extends string, Value>(name: Name, value: Value | undefined): { [name in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [name in Name]?: Value });
}

/** Both names, or a full name taken apart: `Lovelace, Ada`, or what stands behind the last blank is the last name. */
function readNames(read: (field: Field) => string | null | undefined): MemberFields {
  const fullName = read('fullName');
  if (fullName === undefined)
    return { ...ifPresent('firstName', read('firstName')), ...ifPresent('lastName', read('lastName')) };
  const [, last, first] = /^([^,]+),\s*(.+)$/s.exec(fullName ?? '') ?? [];
  if (last !== undefined && first !== undefined) return { firstName: first.trim(), lastName: last.trim() };
  const [, ...parts] = /^(.*\S)\s+(\S+)$/s.exec(fullName ?? '') ?? [null, fullName, null];
  return { firstName: parts[0] ?? null, lastName: parts[1] ?? null };
}

/** The status decides, because who returns may keep an old leaving date. A text says what is wrong. */
function readActive(
  status: string | null | undefined,
  leavingDate: string | null | undefined,
): boolean | string | undefined {
  if (status) return readStatus(status) ?? `active "${status}" is not understood: write true or false`;
  if (leavingDate === undefined) return undefined;
  if (leavingDate === null) return true;
  const passed = hasPassed(leavingDate);
  if (passed === undefined) return `the leaving date "${leavingDate}" is not understood: write it as 2026-03-31`;
  return passed !== true;
}
