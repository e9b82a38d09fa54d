import { csvText } from '../values/csv.ts';
import type { Change, Person } from './claims.ts';
import type { CurrentMember } from './current.ts';
import type { PersonRow } from './person.ts';

/** A line of the list of what an import does. */
export interface ListedChange extends Change {
  line: number;
  /** Null for somebody whom a dry run did not add. */
  id: number | null;
}

/** Nothing is new yet, but for somebody new. */
export function describeChange({ fields }: PersonRow, member: CurrentMember | undefined): Change {
  const { email = null, employeeNumber = null, firstName = null, lastName = null } = member ?? fields;
  return { change: member ? 'none' : 'added', email, employeeNumber, firstName, lastName, fields: [] };
}

/** Writes down that something of a known person's is new, and says whether nothing was before. */
export function noteChange(person: Person, fields: readonly string[]): boolean {
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

/** Those for whom something is new, in the order of their lines. */
export function listChanges(people: Iterable<Person>): ListedChange[] {
  const listed = [...people].flatMap(({ line, id, change }) =>
    change && change.change !== 'none' ? [{ line, id: id > 0 ? id : null, ...change }] : [],
  );
  return listed.sort((one, other) => one.line - other.line);
}

/** The list as CSV. */
export function changesText(changes: readonly ListedChange[]): string {
  const rows = changes.map((one) => columns.map((column) => [one[column] ?? ''].flat().join(' ')));
  return csvText([columns, ...rows]);
}

const columns = ['line', 'change', 'id', 'email', 'employeeNumber', 'firstName', 'lastName', 'fields'] as const;
