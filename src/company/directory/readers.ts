import { apiName, privateFields } from '../../ground/values/member.ts';

/** Who reads records of people: the member that the caller acts as, and what the caller may do. */
export interface RecordReader {
  memberId: number;
  scopes: readonly string[];
  /** For a manager: of whose reports alone. Null: of all people. */
  onlyReportsOf: number | null;
}

const privateNames = privateFields.map(apiName);

/**
 * A person's record as this caller may read it. Private fields, such as the birthday, are for those who may change people (owners, the people
 * team and tokens that they gave this scope), and for the person. Other callers, managers among them, get the record without these fields.
 * Each response with records of members passes here.
 */
export function readableBy<Record extends { id: number }>({ memberId, scopes }: RecordReader, record: Record): Record {
  if (scopes.includes('directory:write') || record.id === memberId) return record;
  const { ...readable } = record;
  for (const name of privateNames) delete (readable as { [Name in typeof name]?: unknown })[name];
  return readable;
}
