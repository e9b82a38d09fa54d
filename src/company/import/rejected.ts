import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { readCell } from '../../ground/sheets/cells.ts';
import { csvText } from '../../ground/values/csv.ts';

/** Appends text to a file; called only if there is something to write. */
export type WriteText = (text: string) => Promise<void>;

export interface RejectedRows {
  add(row: { line: number; cells: readonly string[] }, reason: string): void;
  /** Writes the added rows, ordered by line. */
  end(): Promise<void>;
}

type Row = [line: number, text: string];

interface Batch {
  firstLine: number;
  packed: Buffer;
}

const batchRows = 2_000;

/**
 * The rejected rows: line and reason, then the row's own cells, so that people can correct and import them. They are kept in
 * memory until the end, because unknown managers are found last and the rows are written in the order of the file. A file may have
 * millions of them, mostly for the same reason, so each batch is compressed.
 */
export function createRejectedRows(
  header: readonly string[],
  write: WriteText,
  onRejected?: (line: number, reason: string) => void,
): RejectedRows {
  // The imported file may itself be a file of rejected rows.
  const kept = header.map((name) => !/^\s*(line|reason)\s*$/i.test(name));
  const own = (cells: readonly string[]) => cells.filter((_, column) => kept[column] ?? true).map(readCell);
  const batches: Batch[] = [];
  let latest: Row[] = [];
  const packLatest = () => {
    if (latest.length > 0) batches.push(pack(latest));
    latest = [];
  };
  return {
    add({ line, cells }, reason) {
      onRejected?.(line, reason);
      if (latest.push([line, csvText([[String(line), reason, ...own(cells)]])]) === batchRows) packLatest();
    },
    async end() {
      packLatest();
      if (batches.length === 0) return;
      await write(csvText([['line', 'reason', ...own(header)]]));
      for (const rows of inOrder(batches)) if (rows.length > 0) await write(rows.map(([, text]) => text).join(''));
    },
  };
}

/** The rows of all batches, ordered by line. Batches overlap little, so that few rows are unpacked at a time. */
function* inOrder(batches: readonly Batch[]): Generator<Row[]> {
  const sorted = batches.toSorted((one, other) => one.firstLine - other.firstLine);
  let rows: Row[] = [];
  for (const [nth, { packed }] of sorted.entries()) {
    rows = inLines([...rows, ...unpack(packed)]);
    const next = sorted[nth + 1]?.firstLine ?? Number.POSITIVE_INFINITY;
    const later = rows.findIndex(([line]) => line >= next);
    yield rows.splice(0, later < 0 ? rows.length : later);
  }
}

function inLines(rows: readonly Row[]): Row[] {
  return rows.toSorted(([one], [other]) => one - other);
}

function pack(rows: readonly Row[]): Batch {
  const sorted = inLines(rows);
  return { firstLine: sorted[0]?.[0] ?? 0, packed: deflateRawSync(JSON.stringify(sorted), { level: 1 }) };
}

function unpack(packed: Buffer): Row[] {
  return JSON.parse(inflateRawSync(packed).toString()) as Row[];
}
