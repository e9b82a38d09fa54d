import Papa from 'papaparse';

/** A file as it was read. Rows have as many cells as the header. */
export interface Sheet {
  name: string;
  header: string[];
  rows: SheetRow[];
}

export interface SheetRow {
  /** As a spreadsheet numbers it: the header is 1. */
  number: number;
  cells: string[];
}

export type SheetFault = { is: 'empty' | 'tooLong' | 'noRows' | 'notText' } | { is: 'quote'; line: number };

export const mostRows = 10_000;

/** Reads CSV with commas, semicolons or tabs. Blank lines are left out and counted. A fault says why there is nothing to send. */
export function readSheet(name: string, text: string): Sheet | SheetFault {
  if (text.trim() === '') return { is: 'empty' };
  // A spreadsheet or a picture that somebody chose in place of a CSV file.
  if (text.includes('\u0000') || text.startsWith('PK\u0003')) return { is: 'notText' };
  const { data, errors } = Papa.parse<string[]>(text, { delimiter: delimiterOf(text), skipEmptyLines: false });
  // A quotation mark that is not closed would make one message of the rows below it, and their people would get nothing.
  const quote = errors.find(({ type }) => type === 'Quotes');
  if (quote) return { is: 'quote', line: lineAt(text, quote.index ?? 0) };
  const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '');
  const filled = data.map((cells, index) => ({ number: index + 1, cells })).filter(({ cells }) => !isBlank(cells));
  const [head, ...rows] = filled;
  if (!head || rows.length === 0) return { is: 'noRows' };
  if (rows.length > mostRows) return { is: 'tooLong' };
  const header = head.cells.map((cell) => cell.trim());
  return {
    name,
    header,
    rows: rows.map(({ number, cells }) => ({ number, cells: header.map((_, at) => cells[at] ?? '') })),
  };
}

/** The line of a place in the text, as an editor numbers it. */
function lineAt(text: string, index: number): number {
  return text.slice(0, index).split(/\r\n|\r|\n/).length;
}

/** The delimiter that the header has most often outside of quotes. A header has no numbers, so a comma there is no decimal comma. */
function delimiterOf(text: string): string {
  const start = text.replace(/^(\s*\r?\n)+/, '');
  const counts = new Map([',', ';', '\t'].map((one) => [one, 0]));
  let isQuoted = false;
  for (const character of start) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '\n' || character === '\r')) break;
    else if (!isQuoted && counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const [best] = [...counts].sort(([, a], [, b]) => b - a);
  return best?.[0] ?? ',';
}
