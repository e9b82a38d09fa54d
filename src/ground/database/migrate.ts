import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { unavailable } from '../errors.ts';
import { type Database, openDatabase } from './database.ts';
import { pools } from './pools.ts';
import { checkRightsToMigrate, explainMigration } from './rights.ts';
import { migrationsFolder, previousRelease, readSchema, recordChecksums, refuseForeignSchema } from './schema.ts';

const lockKey = 0x676966_74; // "gift"

/**
 * Brings the schema to this program's version. Nodes that start at the same moment wait for one another. The sessions have
 * no time-outs, because migrating a large table takes long.
 */
export async function migrate({ url }: Pick<Database, 'url'>, folder = migrationsFolder): Promise<void> {
  const database = openDatabase({ url, ...pools.migrations });
  try {
    const client = await database.pool.connect().catch((cause) => {
      throw unavailable(cause);
    });
    try {
      await client.query('select pg_advisory_lock($1)', [lockKey]);
      await migrateAlone(database, client, folder).catch((error) => {
        throw explainMigration(error);
      });
    } finally {
      // Destroying the session also drops its lock.
      client.release(true);
    }
  } finally {
    await database.close();
  }
}

async function migrateAlone(database: Database, client: pg.PoolClient, folder: string): Promise<void> {
  const schema = await readSchema(database, folder);
  refuseForeignSchema(schema);
  if (schema.pending.length > 0) {
    await checkRightsToMigrate(database);
    await applyMigrations(client, folder, schema.pending);
  }
  await recordChecksums(database, folder);
}

/**
 * Applies the named migrations in this order. Each is one transaction, which also notes it in the table `migrations`: older nodes read there
 * whether they may serve on.
 */
export async function applyMigrations(client: pg.ClientBase, folder: string, names: readonly string[]): Promise<void> {
  await client.query(tableSql);
  for (const name of names) {
    const sql = await readFile(join(folder, `${name}.sql`), 'utf8');
    try {
      await client.query('begin');
      await client.query(sql);
      await client.query(noteSql, [name, previousRelease]);
      await client.query('commit');
    } catch (error) {
      // The session may be gone, and its transaction with it. The first error says what happened.
      await client.query('rollback').catch(() => {});
      throw error;
    }
  }
}

const noteSql = 'insert into migrations (name, run_on, previous_release) values ($1, now(), $2)';

// Up to 0.6.0 the table was created in the schema public, without previous_release. It can be found there through the search path.
const tableSql = `
  do $$
  begin
    if to_regclass('migrations') is null then
      create table migrations (id serial primary key, name varchar(255) not null, run_on timestamp not null);
    end if;
    if not exists (select from pg_attribute where attrelid = 'migrations'::regclass and attname = 'previous_release') then
      alter table migrations add column previous_release text;
    end if;
  end $$`;
