import type { Identified } from '../directory/identify.ts';
import type { MemberFields } from '../directory/member-fields.ts';
import { addressKey } from '../values/email.ts';

/** A person of an earlier row of the file. */
export interface Person {
  line: number;
  /** 0 until a new person is added. */
  id: number;
  outcome: 'added' | 'changed' | 'unchanged';
  /** A digest of the row, to recognize rows that repeat it. */
  said: string;
  /** Their changes, if changes are to be listed. */
  change: Change | null;
}

/** What an import does, or would do, for a person. */
export interface Change {
  change: 'added' | 'changed' | 'leaves' | 'heldBack' | 'returns' | 'none';
  email: string | null;
  employeeNumber: string | null;
  firstName: string | null;
  lastName: string | null;
  fields: string[];
}

/**
 * Who has which address and number after the rows so far. It is kept in memory, because the rows of a batch are looked up before
 * any of them is written, and a dry run never writes: both have to come to the same decisions.
 */
export interface Claims {
  workspaceId: number;
  emails: Map<string, Person>;
  numbers: Map<string, Person>;
  people: Map<number, Person>;
  /** By an address or number that a row has replaced: the id of the member who had it. */
  givenUp: Map<string, number>;
  isListing: boolean;
}

export function createClaims(workspaceId: number, isListing: boolean): Claims {
  return { workspaceId, isListing, emails: new Map(), numbers: new Map(), people: new Map(), givenUp: new Map() };
}

/**
 * Whom a row is about: a Person if an earlier row was about the same one, the id of a member, or null for somebody new. A string
 * says why that cannot be decided.
 */
export function whoIs(
  claims: Claims,
  { email, employeeNumber }: MemberFields,
  found: Identified | undefined,
): number | null | Person | string {
  const named = claimedBy(claims, email, employeeNumber);
  if (named) return named;
  const byEmail = holderOf(claims, emailKey(email), found?.byEmail);
  const byNumber = holderOf(claims, numberKey(employeeNumber), found?.byEmployeeNumber);
  if (byEmail !== null && byNumber !== null && byEmail !== byNumber)
    return (
      `email leads to member ${byEmail} and employeeNumber to member ${byNumber}: if they are one person, ` +
      `run "giftwire member merge id:${byNumber} id:${byEmail} --workspace ${claims.workspaceId}"`
    );
  const id = byEmail ?? byNumber;
  return (id === null ? undefined : claims.people.get(id)) ?? id;
}

function claimedBy(claims: Claims, email = null as string | null, number = null as string | null): Person | undefined {
  const byEmail = email === null ? undefined : claims.emails.get(addressKey(email));
  return byEmail ?? (number === null ? undefined : claims.numbers.get(number));
}

/** The member `id`, who has this address or number in the database; null if an earlier row gave that member another one. */
export function holderOf(claims: Claims, key: string, id: number | null | undefined): number | null {
  return id === undefined || id === null || claims.givenUp.get(key) === id ? null : id;
}

export function claim(claims: Claims, person: Person, { email, employeeNumber }: MemberFields): void {
  if (email) claims.emails.set(addressKey(email), person);
  if (employeeNumber) claims.numbers.set(employeeNumber, person);
  if (person.id !== 0) claims.people.set(person.id, person);
}

export function emailKey(email: string | null | undefined): string {
  return `email ${email && addressKey(email)}`;
}

export function numberKey(employeeNumber: string | null | undefined): string {
  return `number ${employeeNumber}`;
}
