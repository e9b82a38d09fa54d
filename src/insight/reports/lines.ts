import { randomUUID } from 'node:crypto';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { csvText } from '../../ground/values/csv.ts';
import { cellEnd, csvBytes, rowEnd } from '../../ground/values/csv-bytes.ts';

/** A statement that returns all its rows as one text. The driver takes longer for the columns of a row than PostgreSQL does. */
export interface TextStatement {
  sql: string;
  columns: number;
}

interface Parts {
  /** The common table expressions before `select`. */
  before?: string;
  /** What is selected beside the text. */
  beside?: string[];
  /** The statement from `from` on. */
  rest: string;
  /** The order of the rows. */
  order: string;
  /** How many parameters the other parts have. What ends cells and rows comes as the two parameters behind them. */
  parameters: number;
}

/** `columns` are the expressions of a row. */
export function textStatement(
  columns: readonly string[],
  { before = '', beside = [], rest, order, parameters }: Parts,
): TextStatement {
  const cells = columns.map((column) => `coalesce((${column})::text, '')`).join(',\n           ');
  const sql = `
  ${before}
  select ${['count(*) as rows', ...beside].join(',\n         ')},
         string_agg(concat_ws($${parameters + 1}::text,
           ${cells}), $${parameters + 2}::text order by ${order}) as text
    ${rest}`;
  return { sql, columns: columns.length };
}

/** Runs the statement and returns its rows as lines of CSV. */
export async function readLines(
  database: Queryable,
  { sql, columns }: TextStatement,
  values: readonly unknown[],
): Promise<Buffer> {
  const read = (...ends: string[]) =>
    queryOne<{ rows: number; text: string | null }>(database, sql, [...values, ...ends]);
  const { rows, text } = await read(cellEnd, rowEnd);
  return (text === null ? Buffer.alloc(0) : csvBytes(text, rows, columns)) ?? readRareLines(read);
}

/** For rows in which a text contains one of the usual ends: reads them again with ends that cannot be guessed. */
async function readRareLines(read: (...ends: string[]) => Promise<{ text: string | null }>): Promise<Buffer> {
  const [rareCellEnd, rareRowEnd] = [randomUUID(), randomUUID()];
  const { text } = await read(rareCellEnd, rareRowEnd);
  const rows = text?.split(rareRowEnd).map((row) => row.split(rareCellEnd)) ?? [];
  return Buffer.from(csvText(rows));
}
