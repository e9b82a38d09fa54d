import pg from 'pg';
import type { Queryable } from './queryable.ts';

/** What a column of a row can hold that is copied into a table. */
type Copied = string | number | null | undefined;

/** The part of the driver's connection that sends the data of a COPY. The driver's types leave it out. */
interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

class CopyQuery extends pg.Query {
  #data: string;

  constructor(sql: string, data: string, callback: (error: Error | undefined) => void) {
    super(sql, callback);
    this.#data = data;
  }

  /** Called by the driver when the server is ready for the data. */
  handleCopyInResponse(connection: CopyConnection): void {
    connection.sendCopyFromChunk(Buffer.from(this.#data));
    connection.endCopyFrom();
  }
}

type Copy = (sql: string, data: string) => Promise<void>;
const copies = new WeakMap<Queryable, Copy>();

/** Called by each transaction, so that `copyInto` can write in it. */
export function allowCopies(tx: Queryable, client: pg.ClientBase, translate: (error: unknown) => unknown): void {
  copies.set(
    tx,
    (sql, data) =>
      new Promise((resolve, reject) => {
        client.query(new CopyQuery(sql, data, (error) => (error ? reject(translate(error)) : resolve())));
      }),
  );
}

/** Writes rows into a table in a transaction, faster than an `insert` does. */
export async function copyInto(
  tx: Queryable,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Copied[])[],
): Promise<void> {
  const copy = copies.get(tx);
  if (!copy) throw new Error('this has to run in a transaction');
  await copy(`copy ${table} (${columns.join(', ')}) from stdin`, textOf(rows));
}

/** Rows in COPY's text format. */
function textOf(rows: readonly (readonly Copied[])[]): string {
  let text = '';
  for (const row of rows) {
    for (let nth = 0; nth < row.length; nth++) text += nth === 0 ? cellOf(row[nth]) : `\t${cellOf(row[nth])}`;
    text += '\n';
  }
  return text;
}

function cellOf(value: Copied): string | number {
  if (value === null || value === undefined) return '\\N';
  return typeof value === 'string' && special.test(value)
    ? value.replace(/[\\\t\n\r]/g, (sign) => escapes[sign] as string)
    : value;
}

const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Values as the text of a PostgreSQL array. The driver makes the same text, and takes several times as long for many values. */
export function arrayText(values: readonly (string | number | boolean | null)[]): string {
  let text = '';
  for (const value of values) text += text === '' ? itemOf(value) : `,${itemOf(value)}`;
  return `{${text}}`;
}

function itemOf(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return String(value);
  return `"${quotes.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`;
}

const quotes = /["\\]/;
