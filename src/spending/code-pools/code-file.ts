import { asCallersFault, Failure, type Fault } from '../../ground/errors.ts';
import { type CsvRecord, readRecords } from '../../ground/sheets/records.ts';
import { writtenDecimalsProblem } from '../../ground/values/money.ts';
import { type CodeSecret, plainCode } from './seal.ts';

/** A line of a file of codes. */
export interface CodeLine extends CodeSecret {
  line: number;
  retailer: string;
  value: number;
  /** The last day on which the shop takes it, for example 2027-03-31; null: it does not expire. */
  expiresOn: string | null;
}

export const codeColumns = ['retailer', 'value', 'code', 'pin', 'expiry'] as const;
type Column = (typeof codeColumns)[number];
const required: readonly Column[] = ['retailer', 'value', 'code'];

/** So that a file is encrypted and stored within a moment. */
export const mostCodes = 10_000;
const longest: Record<Column, number> = { retailer: 100, value: 20, code: 500, pin: 100, expiry: 10 };
/** No gift is worth more. */
const mostValue = 10_000;

/**
 * Reads a CSV file of codes. Throws a Failure that names every invalid line, and never its content: messages are logged and
 * shown, and codes are money.
 */
export async function readCodeFile(file: Uint8Array, currency: string, today: string): Promise<CodeLine[]> {
  const lines: CodeLine[] = [];
  const faults: Fault[] = [];
  let columns: Column[] | null = null;
  for await (const record of recordsOf(file)) {
    if (columns === null) {
      columns = readHeader(record.cells);
      continue;
    }
    if (lines.length === mostCodes) throw badFile(`The file has more than ${mostCodes} codes: send it in parts.`);
    const read = readLine(record, columns, currency, today);
    lines.push(read.line);
    faults.push(...read.problems.map((problem) => ({ path: `line ${record.line}`, problem })));
  }
  faults.push(...repeated(lines));
  refuseLines(faults);
  if (lines.length === 0)
    throw badFile(`The file has no codes: its first line names the columns ${names(codeColumns)}.`);
  return lines;
}

async function* recordsOf(file: Uint8Array): AsyncGenerator<CsvRecord> {
  try {
    yield* readRecords(textOf(file));
  } catch (error) {
    throw asCallersFault(error);
  }
}

async function* textOf(file: Uint8Array): AsyncGenerator<string> {
  try {
    yield new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    throw badFile('The file is not UTF-8 text: save it as CSV (UTF-8).');
  }
}

function readHeader(cells: readonly string[]): Column[] {
  const found = cells.map((cell) => cell.trim().toLowerCase());
  const unknown = found.filter((name) => !codeColumns.includes(name as Column));
  const missing = required.filter((name) => !found.includes(name));
  // A column that is not understood may be the PIN: leaving it out would spoil every code.
  if (unknown.length + missing.length > 0 || new Set(found).size < found.length)
    throw badFile(
      `The first line must name the columns ${names(codeColumns)}, each once; pin and expiry can be left out.`,
    );
  return found as Column[];
}

function readLine(
  { line, cells, problem }: CsvRecord,
  columns: readonly Column[],
  currency: string,
  today: string,
): { line: CodeLine; problems: string[] } {
  const of = (column: Column) => (cells[columns.indexOf(column)] ?? '').trim();
  const value = Number(of('value'));
  const problems =
    problem !== undefined || cells.length !== columns.length
      ? [problem ?? `has ${cells.length} cells and not ${columns.length}`]
      : [
          ...required.filter((column) => isMissing(column, of(column))).map((column) => `has no ${column}`),
          ...columns.flatMap((column) => textProblem(column, of(column))),
          ...valueProblem(of('value'), currency),
          ...expiryProblem(of('expiry'), today),
        ];
  const secret = { code: of('code'), pin: of('pin') || null };
  return { line: { line, retailer: of('retailer'), value, ...secret, expiresOn: of('expiry') || null }, problems };
}

/** A code of dashes only is invalid: it is a placeholder. */
function isMissing(column: Column, text: string): boolean {
  return (column === 'code' ? plainCode(text) : text) === '';
}

function textProblem(column: Column, text: string): string[] {
  if (text.length > longest[column]) return [`has a ${column} of more than ${longest[column]} characters`];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (/[\u0000-\u001f\u007f-\u009f]/.test(text)) return [`has a control character in its ${column}`];
  if (column !== 'retailer' && /^\d([.,]\d+)?E\+\d+$/i.test(text))
    return [`has a ${column} that a spreadsheet has rounded: format the column as text, and fill it in again`];
  return [];
}

function valueProblem(text: string, currency: string): string[] {
  if (text === '') return [];
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value <= 0 || value > mostValue)
    return [`has a value that is not an amount from 0.01 to ${mostValue}, for example 25 or 25.00`];
  const problem = writtenDecimalsProblem(text, currency);
  return problem === null ? [] : [`has a value that ${problem}`];
}

function expiryProblem(text: string, today: string): string[] {
  if (text === '') return [];
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text)
    return ['has an expiry that is not a day, for example 2027-03-31'];
  return text < today ? ['has an expiry that is over'] : [];
}

/** Codes that stand in the file twice. */
function repeated(lines: readonly CodeLine[]): Fault[] {
  const first = new Map<string, number>();
  return lines.flatMap(({ line, code }) => {
    const key = plainCode(code);
    const before = first.get(key);
    if (key === '' || before === undefined) {
      first.set(key, line);
      return [];
    }
    return [{ path: `line ${line}`, problem: `has the same code as line ${before}` }];
  });
}

const mostNamed = 20;

/** Rejects the file if lines are invalid. Names the first of them. */
export function refuseLines(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const named = faults.slice(0, mostNamed).map(({ path, problem }) => `${path} ${problem}`);
  const more = faults.length > mostNamed ? [`and ${faults.length - mostNamed} more`] : [];
  throw new Failure('invalid', `Nothing was stored: ${[...named, ...more].join('; ')}`, { faults });
}

function badFile(message: string): Failure {
  return new Failure('invalid', message);
}

function names(columns: readonly string[]): string {
  return columns.join(', ');
}
