/**
 * Where personal data is: every module declares the columns of its tables that can hold texts, JSON or bytes. Erasing a person, the file of a
 * person's data and docs/privacy.md follow from these declarations, and a test compares them with the database.
 */
export interface TableOfData {
  table: string;
  /** What its rows are, for docs/privacy.md. */
  holds: string;
  columns: Readonly<Record<string, ColumnOfData>>;
  /**
   * Which rows `t` are about a person, for each relation of theirs to the row: SQL conditions in which $1 is the workspace, $2 the ids of the person's
   * records, $3 those of their accounts.
   */
  rows?: Readonly<Partial<Record<Relation, string>>>;
  /** For relations whose rows go as a whole. */
  goes?: readonly Relation[];
  /** A primary key behind workspace_id, with the types of its columns: the search for a person's name in texts follows it. */
  key?: readonly (readonly [column: string, type: string])[];
}

/** What a person is to a row: it describes them, they received it, they wrote it, or they did it with their account. */
export type Relation = 'described' | 'received' | 'wrote' | 'did';

export type ColumnOfData = PersonalColumn | { isPersonal: false; why: string };

export interface PersonalColumn {
  isPersonal: true;
  /** Of whom. `named`: of people whose names or addresses others have written into it. */
  of: readonly (Relation | 'named')[];
  what: string;
  why: string;
  /** What it becomes in the rows of the person, as an SQL expression of the row `t`. Absent: the row goes, or only names in it are replaced. */
  becomes?: string;
  /**
   * What it is in other rows: the names, addresses and numbers of the person in the text are replaced, or the whole text is removed. `replaceFull`: of values
   * that are mostly single words, only full names and addresses are replaced. Many a first name is a city or a colour, too.
   */
  search?: 'replace' | 'replaceFull' | 'remove';
  /** A JSON object that hashes cover or that repeated requests are compared with: it keeps the hash of what it was. */
  isHashed?: true;
  /** Why it stays, and until when. */
  stays?: string;
  /** A function of its module erases it, because one statement cannot. */
  erasedBy?: string;
  /** How long it is kept without an erasure. */
  kept: string;
}

/** A column without personal data. */
export function technical(why: string): ColumnOfData {
  return { isPersonal: false, why };
}

/** Several columns without personal data, for the same reason. */
export function technicalColumns(why: string, ...names: string[]): Record<string, ColumnOfData> {
  return Object.fromEntries(names.map((name) => [name, technical(why)]));
}

export function personal(column: Omit<PersonalColumn, 'isPersonal'>): PersonalColumn {
  return { isPersonal: true, ...column };
}

/** What a text becomes of which only the text was personal. It is the same in every language. */
export const neutralText = '…';

export const neutral = `'${neutralText}'`;

/** Reasons that several modules share. */
export const because = {
  word: 'a word from a fixed list',
  settings: 'a setting of the workspace, without people',
  counts: 'numbers and ids',
  hash: 'a hash of something without personal data',
} as const;

/** How long things are kept, in words that several modules share. */
export const keeps = {
  always: 'as long as the workspace',
  texts: 'as long as the workspace, unless it sets a number of days for texts',
  person: 'until the person is erased',
  emails: 'as the retention of emails says: 730 days unless the workspace sets another number',
  audit: 'as the retention of the audit log says: as long as the workspace, unless it sets a number of days',
} as const;

export function holdsPersonalData(column: ColumnOfData): column is PersonalColumn {
  return column.isPersonal;
}
