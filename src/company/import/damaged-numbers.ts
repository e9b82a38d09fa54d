import type { Queryable } from '../../ground/database/database.ts';
import { isShortened } from '../../ground/sheets/cells.ts';
import { probableOwners } from '../directory/probable-owners.ts';
import type { Advice } from './advice.ts';
import type { RowClaims } from './claims.ts';
import { readCurrent } from './current.ts';
import type { RowMembers } from './known.ts';
import type { PersonRow } from './person.ts';

/** An employee number of the file that a spreadsheet seems to have damaged, and the person whom it probably identifies. */
export interface DamagedNumber {
  line: number;
  employeeNumber: string;
  probably: ProbablePerson | null;
}

interface ProbablePerson {
  /** Null for a new person of the same file. */
  id: number | null;
  employeeNumber: string;
  firstName: string;
  lastName: string;
}

/** How many digits the numbers of the workspace have that begin with a zero. */
export async function readZeroLengths(on: Queryable, workspaceId: number): Promise<Set<number>> {
  const rows = await on.query<{ length: number }>(
    `select distinct length(employee_number) as length
       from members
      where workspace_id = $1
        and employee_number >= '0' and employee_number < '1'
        and employee_number ~ '^0[0-9]+$'`,
    [workspaceId],
  );
  return new Set(rows.map(({ length }) => length));
}

/**
 * Rows whose number is new, and was probably another one before a spreadsheet opened the file: 1.23457E+11 has lost its digits, and 77
 * its zeros if there is a person with 0077. A number that the caller named as the meaning of a text is right.
 */
export async function findDamaged(
  tx: Queryable,
  claims: RowClaims,
  rows: readonly PersonRow[],
  found: readonly (RowMembers | undefined)[],
): Promise<Map<PersonRow, DamagedNumber>> {
  const { zeroLengths, saidNumbers, workspaceId } = claims;
  const inBatch = new Map<string, PersonRow>();
  for (const row of rows) {
    const number = row.fields.employeeNumber ?? '';
    if (!/^0\d+$/.test(number)) continue;
    zeroLengths.add(number.length);
    inBatch.set(number, row);
  }
  const longest = Math.max(0, ...zeroLengths);
  const asked = rows.filter(({ fields: { employeeNumber } }, nth) => {
    if (!employeeNumber || saidNumbers.has(employeeNumber) || found[nth]?.byEmployeeNumber) return false;
    return isShortened(employeeNumber) || (employeeNumber.length < longest && /^[1-9]\d*$/.test(employeeNumber));
  });
  if (asked.length === 0) return new Map();
  const owners = await probableOwners(
    tx,
    workspaceId,
    asked.map(({ fields }) => fields.employeeNumber as string),
  );
  const members = await readCurrent(tx, workspaceId, [...new Set(owners.values())]);
  return new Map(
    asked.flatMap((row) => {
      const employeeNumber = row.fields.employeeNumber as string;
      const probably =
        members.get(owners.get(employeeNumber) ?? 0) ?? inFile(claims, inBatch, employeeNumber, [...zeroLengths]);
      if (!probably && !isShortened(employeeNumber)) return [];
      return [[row, { line: row.line, employeeNumber, probably: probably ? personOf(probably) : null }] as const];
    }),
  );
}

/** The person of another row, in this batch or, in a dry run, in an earlier one. */
function inFile(
  { people }: RowClaims,
  inBatch: ReadonlyMap<string, PersonRow>,
  number: string,
  lengths: readonly number[],
): Partial<ProbablePerson> | undefined {
  if (people.byNumber(number)) return undefined;
  const padded = lengths.map((length) => number.padStart(length, '0')).filter((one) => one !== number);
  const employeeNumber = padded.find((one) => inBatch.has(one) || people.byNumber(one));
  if (employeeNumber === undefined) return undefined;
  const { firstName, lastName } = inBatch.get(employeeNumber)?.fields ?? {};
  return { employeeNumber, firstName: firstName ?? '', lastName: lastName ?? '' };
}

function personOf(person: Partial<ProbablePerson> | { employeeNumber: string | null }): ProbablePerson {
  const { id = null, employeeNumber, firstName = '', lastName = '' } = person as Partial<ProbablePerson>;
  return { id, employeeNumber: employeeNumber ?? '', firstName, lastName };
}

export function damageText({ employeeNumber: number, probably }: DamagedNumber, advice: Advice): string {
  const who = probably && `"${probably.employeeNumber}"${ownerText(probably)}`;
  if (isShortened(number))
    return (
      'employeeNumber was shortened by a spreadsheet and has lost digits: format its column as text, and write the number again' +
      (who ? `; it is probably ${who}` : '')
    );
  return (
    `employeeNumber "${number}" is probably ${who}, without its zeros: ` +
    advice.damagedNumber(number, probably?.employeeNumber ?? '')
  );
}

function ownerText({ id, firstName, lastName }: ProbablePerson): string {
  const name = `${firstName} ${lastName}`.trim();
  const member = id === null ? 'in this file' : `member ${id}`;
  return name === '' ? ` (${member})` : ` (${name}, ${member})`;
}
