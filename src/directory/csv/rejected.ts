import { csvText } from '../../contract/csv.ts';
import { readCell } from './person.ts';

/** Takes text for a file; it is not called before there is something to write. */
export type WriteText = (text: string) => Promise<void>;

export interface RejectedRows {
  add(row: { line: number; cells: readonly string[] }, reason: string): void;
  /** Hands on what was added. */
  flush(): Promise<void>;
}

/** The rows that were not taken: line and reason, then their own cells, so that they can be mended and imported. */
export function createRejectedRows(header: readonly string[], write: WriteText): RejectedRows {
  // What is imported may be such a file itself.
  const kept = header.map((name) => !/^\s*(line|reason)\s*$/i.test(name));
  const own = (cells: readonly string[]) => cells.filter((_, column) => kept[column] ?? true).map(readCell);
  let isBegun = false;
  let waiting: string[][] = [];
  return {
    add({ line, cells }, reason) {
      waiting.push([String(line), reason, ...own(cells)]);
    },
    async flush() {
      if (waiting.length === 0) return;
      const rows = isBegun ? waiting : [['line', 'reason', ...own(header)], ...waiting];
      isBegun = true;
      waiting = [];
      await write(csvText(rows));
    },
  };
}
