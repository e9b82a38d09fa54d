import { damaged } from './encryption.ts';
import { type Header, openBackup } from './format.ts';

/** What a backup holds. */
export interface Summary extends Omit<Header, 'salt'> {
  tables: number;
  rows: number;
}

/** Reads a whole backup, and compares the rows that are there with those that the database had. */
export async function checkBackup(file: string, key: Buffer | null, stopping?: AbortSignal): Promise<Summary> {
  const { header, frames } = await openBackup(file, key);
  const counts = new Map<string, number>();
  let table = '';
  let expected: Record<string, number> | null = null;
  for await (const { kind, body } of frames) {
    stopping?.throwIfAborted();
    if (kind === 'table') {
      table = body.name;
      counts.set(table, 0);
    } else if (kind === 'rows') counts.set(table, (counts.get(table) ?? 0) + countLines(body));
    else if (kind === 'end') expected = body.rows;
  }
  const tables = Object.entries(expected ?? {});
  if (expected === null || tables.some(([name, rows]) => counts.get(name) !== rows)) throw damaged();
  const { salt: _, ...shown } = header;
  return { ...shown, tables: tables.length, rows: tables.reduce((sum, [, rows]) => sum + rows, 0) };
}

/** Each row ends a line, and within a row COPY writes other characters for the end of a line. */
function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}
