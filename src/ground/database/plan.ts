import type { Queryable } from './database.ts';
import { type Migration, type MigrationKind, readMigration, stopsNobody } from './migration-file.ts';
import { migrationsFolder, readSchema, refuseForeignSchema } from './schema.ts';
import type { Speed } from './speed.ts';
import { withoutComments } from './statements.ts';

/** A migration that would run. */
export interface PlannedMigration {
  name: string;
  kind: MigrationKind;
  statements: number;
  /** Whether all nodes have to be stopped while it runs. */
  needsStop: boolean;
  /** About how long, by the sizes of the tables that it reads or writes as a whole, and the speed of the server. */
  seconds: number;
  /** Those tables, the largest first. */
  tables: string[];
}

/** What `migrate` would run on a database of a server with that speed. */
export async function planMigrations(
  database: Queryable,
  speed: Speed,
  folder = migrationsFolder,
): Promise<PlannedMigration[]> {
  const schema = await readSchema(database, folder);
  refuseForeignSchema(schema);
  const sizes = await readSizes(database);
  const migrations = await Promise.all(schema.pending.map((name) => readMigration(folder, name)));
  return migrations.map((migration) => plan(migration, sizes, speed));
}

async function readSizes(database: Queryable): Promise<Map<string, number>> {
  const rows = await database.query<{ name: string; bytes: number }>(
    `select relname as name, pg_table_size(oid)::float8 as bytes
       from pg_class
      where relkind = 'r' and relnamespace = any (current_schemas(false)::regnamespace[])`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

function plan(
  { name, kind, statements, needsStop }: Migration,
  sizes: Map<string, number>,
  speed: Speed,
): PlannedMigration {
  const touched = new Map<string, number>();
  let seconds = 0;
  for (const statement of statements) {
    const sql = withoutComments(statement).toLowerCase();
    const rate = /\b(update|insert into|delete from|merge into)\b/.test(sql) ? speed.written : speed.read;
    for (const table of wholeTables(sql)) {
      const bytes = sizes.get(table) ?? 0;
      if (bytes > 0) touched.set(table, bytes);
      seconds += bytes / rate;
    }
  }
  const tables = [...touched].sort(([, a], [, b]) => b - a).map(([table]) => table);
  return { name, kind, statements: statements.length, needsStop, seconds: Math.round(seconds), tables };
}

/** The tables whose rows a statement reads. Most changes of a table change the catalogue alone. */
function wholeTables(sql: string): string[] {
  const namesAfter = (words: RegExp) => [...sql.matchAll(words)].map(([, table]) => table as string);
  if (/^create (unique )?index/.test(sql)) return namesAfter(/ on (\w+)/g).slice(0, 1);
  if (/^alter table/.test(sql)) return readsRows(sql) ? namesAfter(/^alter table (?:only )?(\w+)/g) : [];
  if (/^(create table \w+ as|with|insert|update|delete|merge|do|select)\b/.test(sql))
    return [...new Set(namesAfter(/\b(?:update|from|join|into) (\w+)/g))];
  return [];
}

function readsRows(sql: string): boolean {
  const isLater = /not valid|using index/.test(sql);
  return (
    stopsNobody(sql) ||
    /set not null| type /.test(sql) ||
    (/add (constraint|primary key|foreign key|check|unique)/.test(sql) && !isLater)
  );
}
