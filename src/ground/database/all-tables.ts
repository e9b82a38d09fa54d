import { PassThrough, type Writable } from 'node:stream';
import pg from 'pg';
import { copyIn, copyOut } from './copy-streams.ts';
import type { Queryable } from './queryable.ts';

/** A table, with the columns that have values of their own: not those that the server computes. */
export interface Table {
  name: string;
  columns: string[];
}

export interface Sequence {
  name: string;
  /** Null: not used yet. */
  lastValue: string | null;
}

/**
 * The tables whose rows a copy has to hold. Partitions are read and written through their table. An unlogged table is left out: what it holds
 * can be read again from the others.
 */
export async function readTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence <> 'u'
        and (c.relnamespace = current_schema()::regnamespace or c.oid = to_regclass('migrations'))
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      group by c.relname
      order by c.relname`,
  );
  return rows;
}

/** Names of what is in a database that should be empty, at most three. What belongs to an extension does not count. */
export async function findContents(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `select c.relname as name
       from pg_class c
      where c.relnamespace = current_schema()::regnamespace
        and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      order by c.relname
      limit 3`,
  );
  return rows.map(({ name }) => name);
}

/** Writes the rows of a table in the text format of COPY, and returns how many. The sink is ended. */
export function copyTableOut(client: pg.ClientBase, { name, columns }: Table, sink: Writable): Promise<number> {
  return copyOut(client, `copy (select ${quotedList(columns)} from ${quote(name)}) to stdout`, sink);
}

export function copyTableIn(
  client: pg.ClientBase,
  { name, columns }: Table,
  rows: AsyncIterable<Buffer>,
): Promise<number> {
  return copyIn(client, `copy ${quote(name)} (${quotedList(columns)}) from stdin`, rows);
}

/** Copies the rows of a table to another database. If one side fails, the other one ends. */
export async function copyTable(from: pg.ClientBase, to: pg.ClientBase, table: Table): Promise<void> {
  const rows = new PassThrough();
  const fail = (error: Error) => {
    rows.destroy(error);
    throw error;
  };
  const reading = copyTableOut(from, table, rows).catch(fail);
  const [read, written] = await Promise.allSettled([reading, copyTableIn(to, table, rows).catch(fail)]);
  // If the target takes no more, the reading fails too, with less to say.
  if (written.status === 'rejected') throw written.reason;
  if (read.status === 'rejected') throw read.reason;
}

/**
 * Replaces the rows of all tables in the current transaction. `fill` gets the tables and returns the names of those that it has filled: all, or
 * this fails. Foreign keys are added again afterwards, which checks every row.
 */
export async function replaceRows(
  client: pg.ClientBase,
  fill: (tables: readonly Table[]) => Promise<ReadonlySet<string>>,
): Promise<void> {
  const tables = await readTables(client);
  const addForeignKeys = await dropForeignKeys(client);
  await client.query(`truncate ${quotedList(tables.map(({ name }) => name))}`);
  const filled = await fill(tables);
  const missing = tables.map(({ name }) => name).filter((name) => !filled.has(name));
  if (missing.length > 0) throw new Error(`the tables ${missing.join(', ')} were not filled`);
  await addForeignKeys();
}

/** Rows can be loaded in any sequence without them. */
async function dropForeignKeys(client: pg.ClientBase): Promise<() => Promise<void>> {
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
       from pg_constraint
      where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace`,
  );
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${quote(name)}`);
  return async () => {
    for (const { table, name, definition } of keys)
      await client.query(`alter table ${table} add constraint ${quote(name)} ${definition}`);
  };
}

export async function readSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select sequencename as name, last_value::text as "lastValue" from pg_sequences
      where schemaname = current_schema() order by sequencename`,
  );
  return rows;
}

export async function setSequences(client: pg.ClientBase, sequences: readonly Sequence[]): Promise<void> {
  await client.query(
    `select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(value, start_value), value is not null)
       from unnest($1::text[], $2::bigint[]) as given (name, value)
       join pg_sequences on schemaname = current_schema() and sequencename = name`,
    [sequences.map(({ name }) => name), sequences.map(({ lastValue }) => lastValue)],
  );
}

/** Values have the same text on every server, also if its settings differ. */
export async function useOneTextForm(client: pg.ClientBase): Promise<void> {
  await client.query(
    `select set_config('timezone', 'UTC', false), set_config('datestyle', 'ISO, MDY', false), set_config('intervalstyle', 'postgres', false),
            set_config('extra_float_digits', '1', false), set_config('bytea_output', 'hex', false)`,
  );
}

/** How many rows a table has, and a sum of their hashes, which does not depend on their sequence or on the server's version. */
export async function readChecksum(
  client: pg.ClientBase,
  { name, columns }: Table,
): Promise<{ rows: number; sum: string }> {
  const hash = `encode(sha256(convert_to(row(${quotedList(columns)})::text, 'UTF8')), 'hex')`;
  const { rows } = await client.query<{ rows: number; sum: string }>(
    `select count(*)::float8 as rows, coalesce(sum(('x' || left(${hash}, 16))::bit(64)::bigint), 0)::text as sum from ${quote(name)}`,
  );
  return rows[0] as { rows: number; sum: string };
}

const quote = pg.escapeIdentifier;

export function quotedList(names: readonly string[]): string {
  return names.map((name) => quote(name)).join(', ');
}
