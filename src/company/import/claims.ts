import type { CustomField } from '../../ground/values/custom-field.ts';
import { addressKey } from '../../ground/values/email.ts';
import type { Identified } from '../directory/identify.ts';
import type { MemberFields } from '../directory/member-fields.ts';
import type { Advice } from './advice.ts';
import { FilePeople, type FilePerson } from './people.ts';

/**
 * Who has which address and number after the rows so far. It is kept in memory, because the rows of a batch are looked up before
 * any of them is written, and a dry run never writes: both have to come to the same decisions. Of batches that were written, the
 * database knows it.
 */
export interface RowClaims {
  workspaceId: number;
  advice: Advice;
  people: FilePeople;
  /** By an address or number that a row has replaced: the id of the member who had it. */
  givenUp: Map<string, number>;
  /** The people of written batches who are named as managers in the current one, by the address or number that names them. */
  recalled: ReadonlyMap<string, FilePerson>;
  /** The names of managers to find after all rows. */
  names: Set<string>;
  /** The people of the directory who have them, by name. */
  named: ReadonlyMap<string, Namesake[]>;
  /** How many people there were before the rows that wait for all others; null until these are taken. */
  beforeWaiting: number | null;
  isListing: boolean;
  isDryRun: boolean;
  /** The lengths of employee numbers that begin with a zero, in the directory and in the rows so far. */
  zeroLengths: Set<number>;
  /** The custom fields with which the values of the file are checked. */
  custom: readonly CustomField[];
  /** Employee numbers that the caller has named as the meaning of a text. */
  saidNumbers: ReadonlySet<string>;
}

/** A person who has a name, as names are compared. */
export interface Namesake {
  key: string;
  id: number;
}

type Known = Pick<
  RowClaims,
  'workspaceId' | 'advice' | 'isListing' | 'isDryRun' | 'zeroLengths' | 'custom' | 'saidNumbers'
>;

export function createClaims(known: Known): RowClaims {
  return {
    ...known,
    people: new FilePeople(),
    givenUp: new Map(),
    recalled: new Map(),
    names: new Set(),
    named: new Map(),
    beforeWaiting: null,
  };
}

/**
 * Whom a row is about: a Person if an earlier row was about the same one, the id of a member, or null for a new person. A string
 * says why that cannot be decided.
 */
export function whoIs(
  claims: RowClaims,
  { email, employeeNumber }: MemberFields,
  found: Identified | undefined,
): number | null | FilePerson | string {
  const named = claimedBy(claims, email, employeeNumber);
  if (named) return named;
  const byEmail = claimedHolder(claims, emailKey(email), found?.byEmail);
  const byNumber = claimedHolder(claims, numberKey(employeeNumber), found?.byEmployeeNumber);
  const written = personOf(claims, byEmail) ?? personOf(claims, byNumber);
  if (written) return written;
  if (byEmail !== null && byNumber !== null && byEmail !== byNumber)
    return (
      `email identifies member ${byEmail} and employeeNumber identifies member ${byNumber}: if they are one person, ` +
      claims.advice.merge({ ...claims, id: byNumber }, byEmail)
    );
  return byEmail ?? byNumber;
}

function personOf({ people }: RowClaims, id: number | null): FilePerson | undefined {
  return id === null ? undefined : people.byId(id);
}

function claimedBy(
  { people }: RowClaims,
  email = null as string | null,
  number = null as string | null,
): FilePerson | undefined {
  const byEmail = email === null ? undefined : people.byEmail(addressKey(email));
  return byEmail ?? (number === null ? undefined : people.byNumber(number));
}

/** The member `id`, who has this address or number in the database; null if an earlier row gave that member another one. */
export function claimedHolder(claims: RowClaims, key: string, id: number | null | undefined): number | null {
  return id === undefined || id === null || claims.givenUp.get(key) === id ? null : id;
}

export function emailKey(email: string | null | undefined): string {
  return `email ${email && addressKey(email)}`;
}

export function numberKey(employeeNumber: string | null | undefined): string {
  return `number ${employeeNumber}`;
}
