import type { FilePerson } from './people.ts';

/** What is left to do for a person after all rows were read. */
interface OpenRow {
  person: FilePerson;
  /** Of the whole row, for the file of rejected rows. */
  cells: readonly string[];
}

/** A manager who is not known yet: they may come later in the file. */
export interface OpenManager extends OpenRow {
  manager: string;
  currentManagerId: number | null;
}

/** A person who is here, and has left according to the file. */
export interface Leaver extends OpenRow {
  leftOn?: string | undefined;
}
