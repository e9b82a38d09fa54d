import { CsvError, parse } from 'csv-parse/sync';
import { Failure } from '../errors.ts';

/** A row as it stands in the file, by the line on which it begins. */
export interface CsvRecord {
  line: number;
  cells: string[];
  /** Why these cells are only what the line looks like. */
  problem?: string;
}

/**
 * Cuts text into rows. The first row that is not blank names the columns and shows the delimiter. Blank rows are left
 * out.
 *
 * A quoted cell may go over several lines. Where what begins so makes no row, because its quote is never closed or is
 * closed in the middle of a word, only its first line is at fault: the next row begins on the next line.
 */
export async function* readRecords(texts: AsyncIterable<string>): AsyncGenerator<CsvRecord> {
  const lines = new LineBuffer(texts);
  let delimiter: string | undefined;
  let width = 0;
  try {
    for (let first = await lines.at(0); first !== null; first = await lines.at(0)) {
      const { number } = lines;
      if (first.text.trim() === '') {
        lines.drop(1);
        continue;
      }
      // Some programs say so on a line of its own.
      const said = delimiter === undefined ? /^sep=(.)\s*$/i.exec(first.text)?.[1] : undefined;
      delimiter ??= said ?? findDelimiter(first.text);
      if (said !== undefined) {
        lines.drop(1);
        continue;
      }
      const found = first.hasQuotes ? await readQuoted(lines, delimiter, width) : null;
      lines.drop(found?.lines ?? 1);
      const cells = found?.cells ?? withoutEnd(first.text).split(delimiter);
      width ||= cells.length;
      if (cells.every((cell) => cell.trim() === '')) continue;
      yield { line: number, cells, ...(found?.problem !== undefined && { problem: found.problem }) };
    }
  } finally {
    await lines.close();
  }
}

interface Line {
  /** With its line end. */
  text: string;
  hasQuotes: boolean;
  /** Whether a quote that begins here is not closed here, or the other way round. */
  isOpen: boolean;
}

/** More lines than the texts of one row can have. */
const longestRecordLines = 5_000;
const longestLine = 1_000_000;

async function readQuoted(
  lines: LineBuffer,
  delimiter: string,
  width: number,
): Promise<{ lines: number; cells: string[]; problem?: string }> {
  const parts: string[] = [];
  let isOpen = false;
  let problem = 'a quote is opened and never closed';
  for (let count = 0; count < longestRecordLines; count++) {
    const line = await lines.at(count);
    if (line === null) break;
    parts.push(line.text);
    isOpen = isOpen !== line.isOpen;
    if (isOpen) continue;
    const parsed = parseRecord(withoutEnd(parts.join('')), delimiter);
    // Several lines that have too many cells together are rather rows of their own behind a quote too many.
    if (parsed !== null && (count === 0 || width === 0 || parsed.length <= width))
      return { lines: count + 1, cells: parsed };
    if (parsed === null && count === 0) problem = 'a quote stands where none may be';
    break;
  }
  const line = withoutEnd(parts[0] ?? '');
  const cells = line.split(delimiter);
  // With a cell too many it stays a bad row, wherever it is copied, until somebody has mended it.
  const missing = Array.from({ length: Math.max(0, width - cells.length) }, () => '');
  return { lines: 1, cells: [...cells, ...missing, line], problem };
}

function parseRecord(text: string, delimiter: string): string[] | null {
  try {
    const [record] = parse(text, { delimiter, record_delimiter: neverEnds, trim: delimiter !== '\t' });
    return record ?? [];
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}

/** The text is one record already, so that whatever ends a line belongs to a cell. NUL is refused in any cell. */
const neverEnds = '\0\0';

function withoutEnd(text: string): string {
  return text.replace(/(\r\n|\n|\r)$/, '');
}

/** Whichever the header has most of, outside of quotes. */
function findDelimiter(header: string): string {
  const bare = header.replace(/"[^"]*"/g, '');
  const counted = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, count: bare.split(delimiter).length }));
  return counted.reduce((best, one) => (one.count > best.count ? one : best)).delimiter;
}

/** The lines that are not used up yet, as far as somebody has looked ahead. */
class LineBuffer {
  /** The number of the first of them. */
  number = 1;
  #lines: Line[] = [];
  #begin = 0;
  #rest = '';
  #source: AsyncIterator<string>;
  #ended = false;

  constructor(texts: AsyncIterable<string>) {
    this.#source = texts[Symbol.asyncIterator]();
  }

  async at(index: number): Promise<Line | null> {
    while (this.#begin + index >= this.#lines.length && !this.#ended) await this.#readMore();
    return this.#lines[this.#begin + index] ?? null;
  }

  drop(count: number): void {
    this.#begin += count;
    this.number += count;
  }

  /** Lets go of where the text comes from, which may have more. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  async #readMore(): Promise<void> {
    const { value, done } = await this.#source.next();
    this.#ended = done === true;
    const text = this.#rest + (value ?? '');
    // A carriage return at the very end may be half of a line end.
    const found = text.match(this.#ended ? /[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g : /[^\r\n]*(?:\r\n|\n|\r(?!$))/g) ?? [];
    this.#rest = this.#ended ? '' : text.slice(found.reduce((length, line) => length + line.length, 0));
    if (this.#rest.length > longestLine)
      throw new Failure(
        'setup',
        `Line ${this.number + this.#lines.length - this.#begin} does not end: this is no CSV file.`,
      );
    this.#lines = [...this.#lines.slice(this.#begin), ...found.map(toLine)];
    this.#begin = 0;
  }
}

function toLine(text: string): Line {
  const quotes = text.split('"').length - 1;
  return { text, hasQuotes: quotes > 0, isOpen: quotes % 2 === 1 };
}
