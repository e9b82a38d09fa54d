import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { unavailable } from '../errors.ts';
import { type Database, openDatabase } from './database.ts';
import { hasLockState } from './errors.ts';
import { setSequencesAhead } from './history.ts';
import { builtIndex, type Migration, readMigration, stopsNobody } from './migration-file.ts';
import { pools } from './pools.ts';
import { checkRightsToMigrate, explainMigration } from './rights.ts';
import { migrationsFolder, previousRelease, readSchema, recordChecksums, refuseForeignSchema } from './schema.ts';
import { describeWait, findHolder, waitedTooLong } from './waiting.ts';

const lockKey = 0x676966_74; // "gift"
const askAgainEveryMs = 200;

/** While a statement waits for its lock, all others wait behind it. So it gives up soon, lets them pass, and tries again. */
const lockTimeoutMs = 200;
const pauseMs = 1_000;
const mostAttempts = 300;
const sayAgainEveryMs = 60_000;

export interface MigrateOptions {
  /** Is told what the migration waits for: at once, and again every minute. */
  say?: (message: string) => void;
  /** How often a statement is tried while a transaction holds its table that is no backup. */
  attempts?: number;
}

/** A session that migrates. */
interface Session extends Required<MigrateOptions> {
  client: pg.ClientBase;
}

/**
 * Brings the schema to this program's version. Nodes that start at the same moment wait for one another. The sessions have
 * no time-outs, because migrating a large table takes long.
 */
export async function migrate(
  { url }: Pick<Database, 'url'>,
  folder = migrationsFolder,
  options: MigrateOptions = {},
): Promise<void> {
  const database = openDatabase({ url, ...pools.migrations });
  try {
    const client = await database.pool.connect().catch((cause) => {
      throw unavailable(cause);
    });
    try {
      await takeMigrationTurn(client);
      await migrateAlone(database, client, folder, options).catch((error) => {
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

/** Asks again and again: a statement that waits holds a snapshot, and an index that another node builds concurrently would wait for that. */
export async function takeMigrationTurn(client: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as "isOurs"', [lockKey]);
    if (rows[0].isOurs) return;
    await sleep(askAgainEveryMs);
  }
}

async function migrateAlone(
  database: Database,
  client: pg.ClientBase,
  folder: string,
  options: MigrateOptions,
): Promise<void> {
  const schema = await readSchema(database, folder);
  refuseForeignSchema(schema);
  if (schema.pending.length > 0) {
    await checkRightsToMigrate(database);
    await applyMigrations(client, folder, schema.pending, options);
  }
  await recordChecksums(database, folder);
}

/**
 * Applies the named migrations in this order, and notes each in the table `migrations` when it has ended: older nodes read there
 * whether they may serve on.
 */
export async function applyMigrations(
  client: pg.ClientBase,
  folder: string,
  names: readonly string[],
  { say = () => {}, attempts = mostAttempts }: MigrateOptions = {},
): Promise<void> {
  await client.query(tableSql);
  for (const name of names) await apply({ client, say, attempts }, await readMigration(folder, name));
}

/** The same in the caller's transaction, for an empty database. There, indexes are built without `concurrently`, which no transaction allows. */
export async function migrateTogether(client: pg.ClientBase, folder: string, names: readonly string[]): Promise<void> {
  await client.query(tableSql);
  for (const name of names) {
    const { kind, sql } = await readMigration(folder, name);
    await client.query(kind === 'resumable' ? sql.replace(/\bconcurrently\b/gi, '') : sql);
  }
}

async function apply(session: Session, migration: Migration): Promise<void> {
  const { client } = session;
  const note = () => client.query(noteSql, [migration.name, previousRelease]);
  if (migration.kind === 'resumable') {
    for (const statement of migration.statements) await runResumable(session, statement);
    await note();
  } else
    await inTransaction(session, migration.needsStop, async () => {
      await client.query(migration.sql);
      await note();
    });
}

/** Runs a statement of a resumable migration, unless it has built its index already. */
async function runResumable(session: Session, statement: string): Promise<void> {
  const { client } = session;
  const built = builtIndex(statement);
  if (built) {
    const { rows } = await client.query(
      'select indisvalid as "isValid" from pg_index where indexrelid = to_regclass($1)',
      [built.index],
    );
    if (rows[0]?.isValid) return;
    // Left by a build that was interrupted: it costs writes and serves no reads.
    if (rows[0]) await client.query(`drop index concurrently ${built.index}`);
  }
  if (!stopsNobody(statement)) return inTransaction(session, false, () => client.query(statement));
  // An index that is built concurrently waits for all snapshots that are older.
  const holder = await findHolder(client);
  if (holder?.isBackup) session.say(describeWait(holder));
  await client.query(statement);
}

async function inTransaction(
  { client, say, attempts }: Session,
  mayWait: boolean,
  work: () => Promise<unknown>,
): Promise<void> {
  let failed = 0;
  let said = { pid: 0, at: 0 };
  for (;;) {
    try {
      await client.query('begin');
      if (!mayWait) await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
      await work();
      await setSequencesAhead(client);
      await client.query('commit');
      return;
    } catch (error) {
      // The session may be gone, and its transaction with it. The first error says what happened.
      await client.query('rollback').catch(() => {});
      if (mayWait || !hasLockState(error)) throw error;
      const holder = await findHolder(client);
      if (!holder?.isBackup && ++failed === attempts) throw waitedTooLong(holder, error);
      if (holder && (said.pid !== holder.pid || performance.now() - said.at >= sayAgainEveryMs)) {
        said = { pid: holder.pid, at: performance.now() };
        say(describeWait(holder));
      }
    }
    await sleep(pauseMs);
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
