import { csvText } from '../values/csv.ts';
import { readCell } from './person.ts';

/** Appends text to a file; called only if there is something to write. */
export type WriteText = (text: string) => Promise<void>;

export interface RejectedRows {
  add(row: { line: number; cells: readonly string[] }, reason: string): void;
  /** Writes the added rows, ordered by line. */
  end(): Promise<void>;
}

const writtenRows = 1_000;

/**
 * The rejected rows: line and reason, then the row's own cells, so that people can correct and import them. They are kept in
 * memory until the end, because unknown managers are found last and the rows are written in the order of the file.
 */
export function createRejectedRows(
  header: readonly string[],
  write: WriteText,
  onRejected?: (line: number, reason: string) => void,
): RejectedRows {
  // The imported file may itself be a file of rejected rows.
  const kept = header.map((name) => !/^\s*(line|reason)\s*$/i.test(name));
  const own = (cells: readonly string[]) => cells.filter((_, column) => kept[column] ?? true).map(readCell);
  const rows: { line: number; text: string }[] = [];
  return {
    add({ line, cells }, reason) {
      onRejected?.(line, reason);
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
