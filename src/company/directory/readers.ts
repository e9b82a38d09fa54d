import type { Member } from '../../ground/contract/member.ts';
import { Failure } from '../../ground/errors.ts';
import { apiName, privateFields } from '../../ground/values/member.ts';
import { shownNames } from '../../ground/values/person-name.ts';

/** Who reads records of people: the member that the caller acts as, and what the caller may do. */
export interface RecordReader {
  memberId: number;
  scopes: readonly string[];
  /** For a manager: of whose reports alone. Null: of all people. */
  onlyReportsOf: number | null;
}

const privateNames = privateFields.map(apiName);

/**
 * A person's record as this caller may read it. Private fields, such as the birthday, and custom fields are for those who may change people (owners, the people
 * team and tokens that they gave this scope), and for the person. Other callers, managers among them, get the record without these fields,
 * and with the names that people see in place of the legal ones.
 * Each response with records of members passes here.
 */
export function readableBy({ memberId, scopes }: RecordReader, record: Member): Member {
  if (readsPrivate(scopes) || record.id === memberId) return record;
  const readable = { ...record, ...shownNames(record) };
  for (const name of privateNames) delete readable[name];
  delete readable.custom;
  return readable;
}

/** Rejects a filter by custom fields of a caller who may not read their values: what it finds would tell them. */
export function checkFilters({ scopes }: Pick<RecordReader, 'scopes'>, { custom }: { custom?: string }): void {
  if (custom !== undefined && !readsPrivate(scopes))
    throw new Failure(
      'forbidden',
      'Only callers with the scope directory:write may filter by custom fields: leave out the parameter custom.',
    );
}

/** Whether a caller reads the private fields of all people. */
export function readsPrivate(scopes: readonly string[]): boolean {
  return scopes.includes('directory:write');
}
