import { Failure } from '../errors.ts';
import { parseRecord } from './record.ts';

/** A row as it stands in the file, by the line on which it begins. */
export interface CsvRecord {
  line: number;
  cells: string[];
  /** Why the line is no valid CSV. Its cells are then a guess: the line cut at every delimiter. */
  problem?: string;
}

/** With the number that a spreadsheet shows beside it: a cell of several lines counts once, and blank rows count. */
export interface NumberedRecord extends CsvRecord {
  row: number;
  delimiter: string;
}

/**
 * Cuts text into rows. The first row that is not blank names the columns and shows the delimiter. Blank rows are left
 * out.
 *
 * A quoted cell may span several lines. If its quote is never closed, or is closed in the middle of a word, only the line that opens
 * it is a bad row: the next row begins on the next line.
 */
export async function* readRecords(texts: AsyncIterable<string>): AsyncGenerator<NumberedRecord> {
  const lines = new LineBuffer(texts);
  let delimiter: string | undefined;
  let width = 0;
  let row = 0;
  try {
    for (let first = await lines.at(0); first !== null; first = lines.ready(0) ?? (await lines.at(0))) {
      const { number } = lines;
      row++;
      if (first.text.trim() === '') {
        lines.drop(1);
        continue;
      }
      // Excel and others can name the delimiter on the first line, for example "sep=;".
      const said = delimiter === undefined ? /^sep=(.)\s*$/i.exec(first.text)?.[1] : undefined;
      delimiter ??= said ?? findDelimiter(first.text);
      if (said !== undefined) {
        row = 0;
        lines.drop(1);
        continue;
      }
      const found = first.hasQuotes ? await readQuoted(lines, delimiter, width) : null;
      lines.drop(found?.lines ?? 1);
      const cells = found?.cells ?? withoutEnd(first.text).split(delimiter);
      width ||= cells.length;
      if (cells.every((cell) => cell.trim() === '')) continue;
      yield { line: number, row, delimiter, cells, ...(found?.problem !== undefined && { problem: found.problem }) };
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
    // If several lines together have too many cells, a stray quote has joined separate rows.
    if (parsed !== null && (count === 0 || width === 0 || parsed.length <= width))
      return { lines: count + 1, cells: parsed };
    if (parsed === null && count === 0) problem = 'a quote stands where none may be';
    break;
  }
  const line = withoutEnd(parts[0] ?? '');
  const cells = line.split(delimiter);
  // The additional cell keeps this a bad row, also when the file of rejected rows is imported, until it is corrected.
  const missing = Array.from({ length: Math.max(0, width - cells.length) }, () => '');
  return { lines: 1, cells: [...cells, ...missing, line], problem };
}

function withoutEnd(text: string): string {
  return text.replace(/(\r\n|\n|\r)$/, '');
}

/**
 * The delimiter that occurs most often in the first row, outside of quotes. Of two that occur as often it is not the comma, and a comma
 * between digits counts half: in a file without a header it may be a decimal comma, and in a text it is common.
 */
function findDelimiter(first: string): string {
  const bare = first.replace(/"[^"]*"/g, '');
  const counted = ['\t', ';', '|', ','].map((delimiter) => ({ delimiter, count: bare.split(delimiter).length - 1 }));
  const decimals = bare.match(/\d,(?=\d)/g)?.length ?? 0;
  const weigh = ({ delimiter, count }: (typeof counted)[number]) => (delimiter === ',' ? count - decimals / 2 : count);
  return counted.reduce((best, one) => (weigh(one) > weigh(best) ? one : best)).delimiter;
}

/** Lines that were read from the text and are not part of a row yet. */
class LineBuffer {
  /** The line number of the first of them. */
  number = 1;
  #lines: Line[] = [];
  #begin = 0;
  #rest = '';
  #source: AsyncIterator<string>;
  #ended = false;

  constructor(texts: AsyncIterable<string>) {
    this.#source = texts[Symbol.asyncIterator]();
  }

  /** A line that was read already: waiting for each of many lines takes longer than cutting them. */
  ready(index: number): Line | undefined {
    return this.#lines[this.#begin + index];
  }

  async at(index: number): Promise<Line | null> {
    while (this.#begin + index >= this.#lines.length && !this.#ended) await this.#readMore();
    return this.#lines[this.#begin + index] ?? null;
  }

  drop(count: number): void {
    this.#begin += count;
    this.number += count;
  }

  /** Closes the source, also if it has not been read to its end. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  async #readMore(): Promise<void> {
    const { value, done } = await this.#source.next();
    this.#ended = done === true;
    const text = this.#rest + (value ?? '');
    // A carriage return at the very end may be half of a line end.
    const lastReturn = text.lastIndexOf('\r', text.length - (this.#ended ? 1 : 2));
    const end = Math.max(text.lastIndexOf('\n'), lastReturn) + 1;
    // Without the part behind the last line end: there the expression would be tried at every character, each time up to the end.
    const found: string[] = text.slice(0, end).match(/[^\r\n]*(?:\r\n|\n|\r)/g) ?? [];
    this.#rest = text.slice(end);
    if (this.#rest.length > longestLine)
      throw new Failure(
        'setup',
        `Line ${this.number + this.#lines.length - this.#begin + found.length} does not end: this is no CSV file.`,
      );
    if (this.#ended && this.#rest !== '') found.push(this.#rest);
    this.#lines = [...this.#lines.slice(this.#begin), ...found.map(toLine)];
    this.#begin = 0;
  }
}

function toLine(text: string): Line {
  if (!text.includes('"')) return { text, hasQuotes: false, isOpen: false };
  const quotes = text.split('"').length - 1;
  return { text, hasQuotes: quotes > 0, isOpen: quotes % 2 === 1 };
}
