import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Failure, unavailable } from '../errors.ts';
import type { Queryable } from './database.ts';

export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/** The database's schema, compared with the one that this program was written for. */
export interface Schema {
  /** Nothing was ever migrated here. */
  isNew: boolean;
  /** Migrations of this program that the database lacks. */
  pending: string[];
  /** Migrations of the database that this program does not know: a newer version has run them. */
  unknown: string[];
}

export async function readSchema(database: Queryable, folder = migrationsFolder): Promise<Schema> {
  const [table] = await database.query<{ present: boolean }>(`select to_regclass('migrations') is not null as present`);
  if (!table?.present) return { isNew: true, pending: await knownMigrations(folder), unknown: [] };
  return { isNew: false, ...(await compare(database, folder)) };
}

/**
 * For a program that is running: one short statement, which fails with `unavailable` unless the schema is the one that
 * this program was written for. An older version that goes on writing on a newer schema would take the newer rules for
 * faults of the data.
 */
export async function checkSchema(database: Queryable): Promise<void> {
  const { pending, unknown } = await compare(database, migrationsFolder);
  if (unknown.length > 0) throw unavailable(newerSchema(unknown));
  if (pending.length > 0) throw unavailable(new Error(`The database lacks the migrations ${pending.join(', ')}.`));
}

/** For a start: a schema of a newer version is none to start on. */
export function refuseNewerSchema({ unknown }: Schema): void {
  if (unknown.length > 0) throw newerSchema(unknown);
}

async function compare(database: Queryable, folder: string): Promise<Pick<Schema, 'pending' | 'unknown'>> {
  const [known, rows] = await Promise.all([
    knownMigrations(folder),
    database.query<{ name: string }>('select name from migrations'),
  ]);
  const applied = new Set(rows.map(({ name }) => name));
  return {
    pending: known.filter((name) => !applied.has(name)),
    unknown: [...applied].filter((name) => !known.includes(name)).sort(),
  };
}

function newerSchema(unknown: string[]): Failure {
  return new Failure(
    'setup',
    `A newer version of Giftwire has changed this database (${unknown.join(', ')}): ` +
      'install that version, or restore the backup that was made before the upgrade.',
  );
}

const known = new Map<string, Promise<string[]>>();

/** The names of this program's migrations in their order, read once: its files do not change under it. */
function knownMigrations(folder: string): Promise<string[]> {
  const read = known.get(folder) ?? listMigrations(folder);
  known.set(folder, read);
  return read;
}

async function listMigrations(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.slice(0, -'.sql'.length))
    .sort();
}
