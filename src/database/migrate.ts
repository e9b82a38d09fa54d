import { runMigrations } from 'graphile-worker';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import { Failure, unavailable } from '../errors.ts';
import { type Database, openDatabase } from './database.ts';
import { migrationsFolder, readSchema, recordChecksums, refuseForeignSchema } from './schema.ts';

const lockKey = 0x676966_74; // "gift"
const oldestServer = 150_000;

/**
 * Brings the schema to this program's version. Nodes that start at the same moment wait for one another, on sessions of
 * their own without time-outs: a migration of a large table takes as long as it takes.
 */
export async function migrate({ url }: Pick<Database, 'url'>, folder = migrationsFolder): Promise<void> {
  const database = openDatabase({ url, name: 'migrations', maxConnections: 2, statementTimeoutMs: null });
  try {
    const client = await database.pool.connect().catch((cause) => {
      throw unavailable(cause);
    });
    try {
      await refuseOldServer(client);
      await client.query('select pg_advisory_lock($1)', [lockKey]);
      await migrateAlone(database, client, folder);
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
  // The queue's own migrations come first: ours enqueue through its functions.
  await runMigrations({ pgPool: database.pool });
  if (schema.pending.length > 0)
    await runner({
      dbClient: client,
      dir: folder,
      direction: 'up',
      migrationsTable: 'migrations',
      noLock: true,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    });
  await recordChecksums(database, folder);
}

async function refuseOldServer(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ version: number; name: string }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as name`,
  );
  const server = rows[0];
  if (server && server.version < oldestServer)
    throw new Failure('setup', `DATABASE_URL leads to PostgreSQL ${server.name}, and Giftwire needs 15 or newer.`);
}
