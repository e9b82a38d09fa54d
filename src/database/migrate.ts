import { runMigrations } from 'graphile-worker';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import { Failure, unavailable } from '../errors.ts';
import type { Database } from './database.ts';
import { migrationsFolder, readSchema, refuseNewerSchema } from './schema.ts';

const lockKey = 0x676966_74; // "gift"
const oldestServer = 150_000;

/** Brings the schema to this program's version. Nodes that start at the same moment wait for one another. */
export async function migrate(database: Database): Promise<void> {
  const client = await database.pool.connect().catch((cause) => {
    throw unavailable(cause);
  });
  try {
    await client.query('set statement_timeout = 0');
    await refuseOldServer(client);
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    refuseNewerSchema(await readSchema(database));
    // The queue's own migrations come first: ours enqueue through its functions.
    await runMigrations({ pgPool: database.pool });
    await runner({
      dbClient: client,
      dir: migrationsFolder,
      direction: 'up',
      migrationsTable: 'migrations',
      noLock: true,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    });
  } finally {
    // Destroying the session also drops its lock and its settings.
    client.release(true);
  }
}

async function refuseOldServer(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ version: number; name: string }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as name`,
  );
  const server = rows[0];
  if (server && server.version < oldestServer)
    throw new Failure('setup', `DATABASE_URL leads to PostgreSQL ${server.name}, and Giftwire needs 15 or newer.`);
}
