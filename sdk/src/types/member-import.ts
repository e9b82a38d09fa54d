/** How a file of people is imported. */
export interface ImportQuery {
  /** Whether to say what would change, and to change nothing. */
  dryRun?: boolean;
  /** For example windows-1252. When absent: what the byte order mark says, else UTF-8. */
  encoding?: string;
  /** Which column is which field; null leaves a column out. Other columns are understood by their headers. */
  map?: Record<string, string | null>;
  /** How dates are written: DD/MM/YYYY or MM/DD/YYYY, for example. */
  dateFormat?: string;
  /** How many people the file may make leavers; a tenth of all when absent. */
  allowLeavers?: number;
  /** Whether people may get another employee number. */
  renumber?: boolean;
}

/** A row that was rejected, or imported without its manager. */
export interface ImportFault {
  /** The line of the file. */
  line: number;
  /** What is wrong with it. */
  reason: string;
}

/** A person whom an import adds or changes. */
export interface ImportChange {
  /** The line of the file. */
  line: number;
  /** `heldBack`: would leave, but too many leave at once. */
  change: 'added' | 'changed' | 'leaves' | 'heldBack' | 'returns';
  /** The member id; null for a new person in a dry run. */
  id: number | null;
  /** The e-mail address. */
  email: string | null;
  /** The company's own number for the person. */
  employeeNumber: string | null;
  /** The first name. */
  firstName: string | null;
  /** The last name. */
  lastName: string | null;
  /** What changes. */
  fields: string[];
}

/** What an import did, or would do. */
export interface ImportResult {
  /** Whether nothing was changed. */
  dryRun: boolean;
  /** False if the import ended early. Import the same file again: rows that are done change nothing. */
  complete: boolean;
  /** How far it came, if it is not complete. */
  doneToLine: number | null;
  /** Rows that were read. */
  rows: number;
  /** People who were added. */
  added: number;
  /** People who were changed. */
  changed: number;
  /** People whose rows say nothing new. */
  unchanged: number;
  /** Rows that repeat an earlier row. */
  repeated: number;
  /** Rows that were rejected. */
  rejected: number;
  /** People who leave; they count as changed too. */
  leaving: number;
  /** People who return; they count as changed too. */
  returning: number;
  /** People who would leave, but are too many at once: send `allowLeavers` if the file is right. */
  heldBack: number;
  /** How many may leave without `allowLeavers`. */
  leaversWithoutAsking: number;
  /** People who were imported without their manager, who is not known. */
  withoutManager: number;
  /** People whose manager is only a name, which was ignored. */
  managerNames: number;
  /** The header of each field that was read. */
  columns: Record<string, string>;
  /** Headers that were left out. */
  notUnderstood: string[];
  /** Headers that were left out, because another column says the same. */
  superseded: string[];
  /** The first 1,000 people, by line. */
  changes: ImportChange[];
  /** The first 1,000 rows with a fault, by line. */
  faults: ImportFault[];
  /** All rows with a fault as CSV, with line and reason, to correct and import; null if there are none. */
  rejectedRows: string | null;
}
