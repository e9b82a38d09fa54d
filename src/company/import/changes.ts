import { csvText } from '../../ground/values/csv.ts';
import type { Change, FilePerson } from './people.ts';

/** A line of the list of changes. */
export interface ListedChange extends Change {
  line: number;
  /** Null for a new person in a dry run. */
  id: number | null;
}

/** How the list names a person. */
export interface Named {
  email?: string | null;
  employeeNumber?: string | null;
  firstName?: string | null;
  lastName?: string | null;
}

/** A known person begins without changes; a new one is added. */
export function describeChange(person: Named, isKnown: boolean): Change {
  const { email = null, employeeNumber = null, firstName = null, lastName = null } = person;
  return { change: isKnown ? 'none' : 'added', email, employeeNumber, firstName, lastName, fields: [] };
}

/** Records changed fields of a known person. Returns whether they are the person's first changes. */
export function noteChange(person: FilePerson, fields: readonly string[]): boolean {
  const { change } = person;
  if (change && change.change !== 'added') {
    if (change.change === 'none') change.change = 'changed';
    change.fields.push(...fields.filter((name) => name !== 'leftOn').map((name) => fieldNames[name] ?? name));
  }
  const isFirst = person.outcome === 'unchanged';
  if (isFirst) person.outcome = 'changed';
  return isFirst;
}

const fieldNames: Record<string, string> = { managerId: 'manager' };

/** The first people who have changes, ordered by line. */
export function listChanges(people: Iterable<FilePerson>, most: number): ListedChange[] {
  const listed = [...people].flatMap(({ line, id, change }) =>
    change && change.change !== 'none' ? [{ line, id: id > 0 ? id : null, ...change }] : [],
  );
  return listed.sort((one, other) => one.line - other.line).slice(0, most);
}

/** The list as CSV. */
export function changesText(changes: readonly ListedChange[]): string {
  const rows = changes.map((one) => columns.map((column) => [one[column] ?? ''].flat().join(' ')));
  return csvText([columns, ...rows]);
}

const columns = ['line', 'change', 'id', 'email', 'employeeNumber', 'firstName', 'lastName', 'fields'] as const;
