import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * What waits until all rows were read, in batches. A file may have as much of it as it has rows, so each batch is compressed to a
 * fifth. It is kept as JSON: `restore` turns what was parsed into a row again.
 */
export class WaitingRows<Row> {
  length = 0;
  #batchRows: number;
  #packed: Buffer[] = [];
  #latest: Row[] = [];
  #restore: (parsed: Row) => Row;

  constructor(batchRows: number, restore = (parsed: Row) => parsed) {
    this.#batchRows = batchRows;
    this.#restore = restore;
  }

  add(rows: readonly Row[]): void {
    for (const row of rows) {
      this.length++;
      if (this.#latest.push(copyOf(row)) < this.#batchRows) continue;
      this.#packed.push(deflateRawSync(JSON.stringify(this.#latest), { level: 1 }));
      this.#latest = [];
    }
  }

  first(): Row[] {
    const [packed] = this.#packed;
    const rows: Row[] = packed ? JSON.parse(inflateRawSync(packed).toString()) : this.#latest;
    return rows.map(this.#restore);
  }

  dropFirst(): void {
    if (this.#packed.shift()) this.length -= this.#batchRows;
    else {
      this.#latest = [];
      this.length = 0;
    }
  }
}

/** The texts are parts of a large piece of the file, which stays in memory as long as one of them does. */
function copyOf<Row>(row: Row): Row {
  return JSON.parse(JSON.stringify(row));
}
