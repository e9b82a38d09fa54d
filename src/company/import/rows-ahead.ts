import { addressKey } from '../../ground/values/email.ts';
import type { FileRow } from './file-row.ts';
import { KeyTable } from './keys.ts';
import { managerKeys } from './manager-keys.ts';
import { Packed, PackedTexts } from './packed.ts';

/** How a row names its person and their manager. */
export interface RowNames {
  email: string | undefined;
  employeeNumber: string | undefined;
  manager: string | undefined;
}

// Some 100,000 rows. The import takes others at their places, so that a longer file needs no more memory.
const mostBytes = 16 * 2 ** 20;

const waiting = 0;
const takenEarly = 1;
const takenAtPlace = 2;

/**
 * Rows of new people whom earlier rows name as managers. An import takes them before those rows: then it writes each person once, with
 * the manager. A row that is not kept here is taken at its place.
 */
export class RowsAhead {
  #namesOf: (record: FileRow) => RowNames;
  #byEmail = new KeyTable();
  #byNumber = new KeyTable();
  #lines = new Packed(Uint32Array);
  #states = new Packed(Uint8Array);
  #cells = new PackedTexts(mostBytes);
  #count = 0;
  #waiting = 0;
  /** The first row to whose place the import has not come. */
  #next = 0;

  constructor(namesOf: (record: FileRow) => RowNames) {
    this.#namesOf = namesOf;
  }

  /** Rows are added in the order of the file. */
  add(record: FileRow): void {
    if (!this.#cells.add(JSON.stringify(record.cells))) return;
    const { email, employeeNumber } = this.#namesOf(record);
    const row = this.#count++;
    this.#waiting++;
    this.#lines.set(row, record.line);
    if (email) this.#byEmail.add(row, addressKey(email));
    if (employeeNumber) this.#byNumber.add(row, employeeNumber);
  }

  /** The rows to take when the import has come to this one: its managers from the top down, and itself unless it was taken early. */
  *inOrder(record: FileRow): Generator<FileRow> {
    if (this.#arriveAt(record.line) === takenEarly) return;
    const managers: number[] = [];
    for (let row = this.#managerOf(record); row !== undefined; row = this.#managerOf(this.#at(row))) {
      this.#take(row, takenEarly);
      managers.push(row);
    }
    for (const row of managers.reverse()) yield this.#at(row);
    yield record;
    if (this.#waiting === 0) this.#forget();
  }

  #take(row: number, state: number): void {
    this.#states.set(row, state);
    this.#waiting--;
  }

  /** Then only the places of the rows are needed. */
  #forget(): void {
    this.#cells = new PackedTexts(0);
    this.#byEmail = new KeyTable();
    this.#byNumber = new KeyTable();
  }

  #arriveAt(line: number): number | undefined {
    while (this.#next < this.#count && this.#lines.at(this.#next) < line) this.#next++;
    if (this.#next === this.#count || this.#lines.at(this.#next) > line) return undefined;
    const state = this.#states.at(this.#next);
    if (state === waiting) this.#take(this.#next, takenAtPlace);
    return state;
  }

  /** The row of the manager, if the import has not taken it. */
  #managerOf(record: FileRow): number | undefined {
    const { manager } = this.#namesOf(record);
    for (const key of manager === undefined ? [] : managerKeys(manager)) {
      const row = this.#byEmail.find(addressKey(key)) ?? this.#byNumber.find(key);
      if (row !== undefined) return this.#states.at(row) === waiting ? row : undefined;
    }
    return undefined;
  }

  #at(row: number): FileRow {
    return { line: this.#lines.at(row), cells: JSON.parse(this.#cells.at(row)) as string[], isOutOfPlace: true };
  }
}
