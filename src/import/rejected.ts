import { csvText } from '../values/csv.ts';
import { readCell } from './person.ts';

/** Takes text for a file; it is not called before there is something to write. */
export type WriteText = (text: string) => Promise<void>;

export interface RejectedRows {
  add(row: { line: number; cells: readonly string[] }, reason: string): void;
  /** Writes all that was added, in the order of the lines. */
  end(): Promise<void>;
}

const writtenRows = 1_000;

/**
 * The rows that were not taken: line and reason, then their own cells, so that they can be mended and imported. They are
 * kept until the end, because that a manager is unknown is found out last, and people read them beside their file.
 */
export function createRejectedRows(header: readonly string[], write: WriteText): RejectedRows {
  // What is imported may be such a file itself.
  const kept = header.map((name) => !/^\s*(line|reason)\s*$/i.test(name));
  const own = (cells: readonly string[]) => cells.filter((_, column) => kept[column] ?? true).map(readCell);
  const rows: { line: number; text: string }[] = [];
  return {
    add({ line, cells }, reason) {
      rows.push({ line, text: csvText([[String(line), reason, ...own(cells)]]) });
    },
    async end() {
      if (rows.length === 0) return;
      rows.sort((one, other) => one.line - other.line);
      await write(csvText([['line', 'reason', ...own(header)]]));
      for (let from = 0; from < rows.length; from += writtenRows)
        await write(
          rows
            .slice(from, from + writtenRows)
            .map(({ text }) => text)
            .join(''),
        );
    },
  };
}
