import type { Config } from '../config/config.ts';
import { fillDatabase } from '../database/contents.ts';
import type { Database } from '../database/database.ts';
import { Failure } from '../errors.ts';
import { damaged } from './encryption.ts';
import { type Frame, type Header, openBackup } from './format.ts';

export interface Restored {
  header: Header;
  rows: number;
  /** Tables of the backup that are not Giftwire's, and were left out. */
  leftOut: string[];
}

/** Restores a backup into an empty database: all of it, or nothing. */
export async function restoreBackup(
  database: Pick<Database, 'url'>,
  file: string,
  key: Buffer | null,
  environment: Config['environment'],
): Promise<Restored> {
  const { header, frames } = await openBackup(file, key);
  if (header.environment !== null && header.environment !== environment)
    throw new Failure(
      'setup',
      `The backup is of the ${header.environment} environment: set GIFTWIRE_ENV=${header.environment} to restore it.`,
    );
  const reader = frames[Symbol.asyncIterator]();
  const next = async (): Promise<Frame> => {
    const { value, done } = await reader.next();
    if (done) throw damaged();
    return value;
  };
  const first = await next();
  if (first.kind !== 'contents') throw damaged();
  const leftOut: string[] = [];
  let rows = 0;
  try {
    await fillDatabase(database, first.body.migrations, async ({ write, setSequences }) => {
      const counts: Record<string, number> = {};
      let frame = await next();
      async function* rowsOfTable() {
        for (frame = await next(); frame.kind === 'rows'; frame = await next()) yield frame.body;
      }
      while (frame.kind === 'table') {
        const { body: table } = frame;
        const source = rowsOfTable();
        const written = await write(table, source);
        if (written === null) leftOut.push(table.name);
        else rows += counts[table.name] = written;
        // What was not written is passed over.
        for await (const _ of source);
      }
      if (frame.kind !== 'end' || !(await reader.next()).done) throw damaged();
      const { rows: expected, sequences } = frame.body;
      if (Object.entries(counts).some(([name, count]) => expected[name] !== count)) throw damaged();
      await setSequences(sequences);
    });
  } finally {
    await reader.return?.();
  }
  return { header, rows, leftOut };
}
