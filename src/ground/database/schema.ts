import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure, unavailable } from '../errors.ts';
import { type Queryable, queryOne } from './database.ts';
import { explainMarks } from './marks.ts';

export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url));

/**
 * The last migration of the release before this one, 0.8.0. Its nodes serve on the schema of this version during an upgrade (docs/upgrades.md).
 * Null: no older node may serve.
 */
export const previousRelease: string | null = '0060_emails_to_managers';

/** The database's schema, compared with the one that this program was written for. */
export interface DatabaseSchema {
  /** No migration has ended here yet. */
  isNew: boolean;
  /** Migrations of this program that the database lacks. */
  pending: string[];
  /** Migrations of the release after this one, which lets this one serve beside it. */
  next: string[];
  /** Other migrations that this program does not know: a newer version has run them. */
  unknown: string[];
  /** Migrations whose files differ from those that the database was migrated with. */
  edited: string[];
}

export async function readSchema(database: Queryable, folder = migrationsFolder): Promise<DatabaseSchema> {
  const tables = await queryOne<{ migrations: boolean; checksums: boolean }>(
    database,
    `select to_regclass('migrations') is not null          as migrations,
            to_regclass('migration_checksums') is not null as checksums`,
  );
  const known = await knownMigrations(folder);
  if (!tables.migrations) return { isNew: true, pending: [...known.keys()], next: [], unknown: [], edited: [] };
  const compared = await compare(database, known);
  const recorded = tables.checksums
    ? await database.query<Checksum>('select name, sha256 from migration_checksums')
    : [];
  const edited = recorded.filter(({ name, sha256 }) => known.has(name) && known.get(name) !== sha256);
  return { ...compared, edited: edited.map(({ name }) => name).sort() };
}

/**
 * For a running service: one short statement. Throws `unavailable` unless the schema is the one that this program was
 * written for, or the next release's. An older version would mistake violations of newer rules for faults of the data.
 */
export async function checkSchema(database: Queryable): Promise<void> {
  const { pending, unknown } = await compare(database, await knownMigrations(migrationsFolder));
  if (unknown.length > 0) throw unavailable(newerSchema(unknown));
  if (pending.length > 0) throw unavailable(new Error(`The database lacks the migrations ${pending.join(', ')}.`));
}

/** For a start: refuses the schema of a newer version, and one that was made with other files. */
export function refuseForeignSchema({ unknown, edited }: DatabaseSchema): void {
  if (unknown.length > 0) throw newerSchema(unknown);
  if (edited.length > 0) throw editedMigrations(edited);
}

/** Records the files of applied migrations, also of those that an older version applied without recording them. */
export async function recordChecksums(database: Queryable, folder: string): Promise<void> {
  const known = await knownMigrations(folder);
  await database.query(
    `insert into migration_checksums (name, sha256)
     select known.name, known.sha256
       from unnest($1::text[], $2::text[]) as known (name, sha256)
       join migrations using (name)
         on conflict do nothing`,
    [[...known.keys()], [...known.values()]],
  );
}

interface Checksum {
  name: string;
  sha256: string;
}

async function compare(database: Queryable, known: Known): Promise<Omit<DatabaseSchema, 'edited'>> {
  // Through JSON, because a database that 0.6.0 has migrated lacks the column.
  const rows = await database.query<{ name: string; previous: string | null }>(
    `select name, to_jsonb(migrations) ->> 'previous_release' as previous from migrations order by name`,
  );
  const applied = new Set(rows.map(({ name }) => name));
  const newer = rows.filter(({ name }) => !known.has(name));
  const isNext = newer.every(({ previous }) => previous !== null && known.has(previous));
  const names = newer.map(({ name }) => name);
  return {
    // The table is there before the first migration ends, as another node that starts now sees.
    isNew: applied.size === 0,
    pending: [...known.keys()].filter((name) => !applied.has(name)),
    next: isNext ? names : [],
    unknown: isNext ? [] : names,
  };
}

function newerSchema(unknown: string[]): Failure {
  return (
    explainMarks(unknown) ??
    new Failure(
      'setup',
      `A newer version of Giftwire has changed this database (${unknown.join(', ')}): ` +
        'install that version, or restore the backup that was made before the upgrade.',
    )
  );
}

function editedMigrations(edited: string[]): Failure {
  const files = edited.map((name) => `${name}.sql`).join(', ');
  return new Failure(
    'setup',
    `The migrations of this program are not those that this database was migrated with (${files} differs): ` +
      'install Giftwire again as it was released; a change of the schema is a new migration.',
  );
}

/** Checksums of the files by the migration's name, in the order of application. */
type Known = ReadonlyMap<string, string>;

const knownByFolder = new Map<string, Promise<Known>>();

/** Read once, because the files do not change while the program runs. */
function knownMigrations(folder: string): Promise<Known> {
  const known = knownByFolder.get(folder) ?? readMigrations(folder);
  knownByFolder.set(folder, known);
  return known;
}

async function readMigrations(folder: string): Promise<Known> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const entries = files.map(async (file): Promise<[string, string]> => {
    const text = await readFile(join(folder, file), 'utf8');
    return [file.slice(0, -'.sql'.length), createHash('sha256').update(text).digest('hex')];
  });
  return new Map(await Promise.all(entries));
}
