import type pg from 'pg';
import { unavailable } from '../errors.ts';
import { type Database, openDatabase } from './database.ts';
import { pools } from './pools.ts';
import { checkRightsToMigrate, explainMigration } from './rights.ts';
import { migrationsFolder, readSchema, recordChecksums, refuseForeignSchema } from './schema.ts';

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
  if (schema.pending.length > 0) await checkRightsToMigrate(database);
  // Loaded here, because commands that migrate nothing need not wait for these libraries.
  const { runMigrations } = await import('graphile-worker');
  // graphile-worker's migrations run first: ours call its functions.
  await runMigrations({ pgPool: database.pool });
  if (schema.pending.length > 0) {
    const { runner } = await import('node-pg-migrate');
    await runner({
      dbClient: client,
      dir: folder,
      direction: 'up',
      migrationsTable: 'migrations',
      noLock: true,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    });
  }
  await recordChecksums(database, folder);
}
