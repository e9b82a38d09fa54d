import { type NumberedRecord, readRecords } from '../../../../../src/ground/sheets/records.ts';
import { columnsNamed, fields } from './headers.ts';

/** A file as it was read. Rows have at least as many cells as there are columns. */
export interface Sheet {
  name: string;
  /** The names of the columns; empty texts where the file has no header. */
  header: string[];
  rows: SheetRow[];
  /** The first row, which is the header or the first gift. */
  first: SheetRow;
  hasHeader: boolean;
  delimiter: string;
}

export interface SheetRow {
  /** As a spreadsheet numbers it: the first row is 1. */
  number: number;
  /** One for each column. More: a text has a delimiter in it, and no quotes around it. */
  cells: string[];
}

export type SheetFault = { is: 'empty' | 'tooLong' | 'noRows' | 'notText' } | { is: 'quote'; line: number };

export const mostRows = 10_000;

/** Reads CSV as an import of people does. Blank rows are left out and counted. A fault says why there is nothing to send. */
export async function readSheet(name: string, text: string): Promise<Sheet | SheetFault> {
  if (text.trim() === '') return { is: 'empty' };
  // A spreadsheet or a picture in place of a CSV file.
  if (text.includes('\u0000') || text.startsWith('PK\u0003')) return { is: 'notText' };
  const records: NumberedRecord[] = [];
  for await (const record of readRecords(inOnePiece(text))) {
    // A quotation mark that is not closed would make one message of the rows below it, and their people would get nothing.
    if (record.problem !== undefined) return { is: 'quote', line: record.line };
    if (records.push(record) > mostRows + 1) return { is: 'tooLong' };
  }
  const [first, ...rest] = records.map(({ row, cells }) => ({ number: row, cells }));
  if (!first) return { is: 'empty' };
  const sheet = { name, first, rows: rest, header: [], delimiter: records[0]?.delimiter ?? ',' };
  const read = withHeader({ ...sheet, hasHeader: true }, isHeader(first.cells));
  if (read.rows.length === 0) return { is: 'noRows' };
  return read.rows.length > mostRows ? { is: 'tooLong' } : read;
}

async function* inOnePiece(text: string): AsyncGenerator<string> {
  yield text.replace(/^\uFEFF/, '');
}

/** The sheet with its first row as header, or as the first gift. */
export function withHeader(sheet: Sheet, hasHeader: boolean): Sheet {
  const below = sheet.hasHeader ? sheet.rows : sheet.rows.slice(1);
  const rows = hasHeader ? below : [sheet.first, ...below];
  const header = hasHeader
    ? withoutEmptyEnd(sheet.first.cells).map((cell) => cell.trim())
    : Array.from({ length: usualWidth(rows) }, () => '');
  return {
    ...sheet,
    hasHeader,
    header,
    rows: rows.map((row) => ({ ...row, cells: fitted(row.cells, header.length) })),
  };
}

/** As many cells as there are columns. Empty cells behind them go. */
function fitted(cells: readonly string[], width: number): string[] {
  const missing = Array.from({ length: Math.max(0, width - cells.length) }, () => '');
  return [...cells.slice(0, width), ...withoutEmptyEnd(cells.slice(width)), ...missing];
}

function withoutEmptyEnd(cells: readonly string[]): string[] {
  const last = cells.findLastIndex((cell) => cell.trim() !== '');
  return cells.slice(0, last + 1);
}

/** How many cells most rows have. */
function usualWidth(rows: readonly SheetRow[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows.slice(0, 100)) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most?.[0] ?? 0;
}

/**
 * Whether a row names the columns. Where that is doubtful it is a gift: a header among the gifts is seen, and a person who is taken for
 * a header is not.
 */
function isHeader(cells: readonly string[]): boolean {
  if (cells.some((cell) => /^\S+@\S+\.\S+$/.test(cell.trim()))) return false;
  const values = cells.filter((cell) =>
    /^[^\p{L}\d]*[\p{L}\p{Sc}]{0,4}[ .-]?\d[\d.,' ]+\D{0,4}$|^\d+$/u.test(cell.trim()),
  ).length;
  const known = new Set(fields.flatMap((field) => columnsNamed(cells, field))).size;
  return values === 0 || known > values;
}
