import { addressKey } from '../../ground/values/email.ts';
import type { FileRow } from './file-row.ts';
import { managerKeys } from './manager-keys.ts';

/** How a row names its person and their manager. */
export interface RowNames {
  email: string | undefined;
  employeeNumber: string | undefined;
  manager: string | undefined;
}

// Some 50,000 rows. The import takes others at their places, so that a longer file needs no more memory.
const mostLength = 8 * 2 ** 20;

/**
 * Rows of new people whom earlier rows name as managers. An import takes them before those rows: then it writes each person once, with
 * the manager. A row that is not kept here is taken at its place.
 */
export class RowsAhead {
  #namesOf: (record: FileRow) => RowNames;
  /** By line, the cells as JSON: an array of texts takes several times as much memory. */
  #waiting = new Map<number, string>();
  #length = 0;
  #byEmail = new Map<string, number>();
  #byNumber = new Map<string, number>();
  /** The lines of rows that were taken, and to whose places the import has not come. */
  #taken = new Set<number>();

  constructor(namesOf: (record: FileRow) => RowNames) {
    this.#namesOf = namesOf;
  }

  /** Rows are added in the order of the file. */
  add({ line, cells }: FileRow): void {
    const text = JSON.stringify(cells);
    if (this.#length + text.length > mostLength) return;
    this.#length += text.length;
    this.#waiting.set(line, text);
    const { email, employeeNumber } = this.#namesOf(rowOf(line, text));
    if (email) this.#byEmail.set(addressKey(email), line);
    if (employeeNumber) this.#byNumber.set(employeeNumber, line);
  }

  /** The rows to take when the import has come to this one: its managers from the top down, and itself unless it was taken early. */
  *inOrder(record: FileRow): Generator<FileRow> {
    if (this.#taken.delete(record.line)) return;
    this.#waiting.delete(record.line);
    const managers: FileRow[] = [];
    for (let row = this.#takeManagerOf(record); row !== undefined; row = this.#takeManagerOf(row)) managers.push(row);
    yield* managers.reverse();
    yield record;
  }

  /** The row of the manager, if the import has not taken it. */
  #takeManagerOf(record: FileRow): FileRow | undefined {
    if (this.#waiting.size === 0) return undefined;
    const { manager } = this.#namesOf(record);
    for (const key of manager === undefined ? [] : managerKeys(manager)) {
      const line = this.#byEmail.get(addressKey(key)) ?? this.#byNumber.get(key);
      if (line === undefined) continue;
      const text = this.#waiting.get(line);
      if (text === undefined) return undefined;
      this.#waiting.delete(line);
      this.#taken.add(line);
      return rowOf(line, text);
    }
    return undefined;
  }
}

/** Its texts are copies: those of a row that was read are parts of a large piece of the file, which they would keep in memory. */
function rowOf(line: number, text: string): FileRow {
  return { line, cells: JSON.parse(text) as string[], isOutOfPlace: true };
}
