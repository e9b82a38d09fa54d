import { runner } from 'node-pg-migrate';
import { migrationsFolder } from '../../src/database/schema.ts';
import type { TestDatabase } from './database.ts';

/** Applies only the next `count` migrations, to get a database of an earlier version. */
export async function applyMigrations(database: TestDatabase, count: number): Promise<void> {
  const dbClient = await database.pool.connect();
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  try {
    await runner({
      dbClient,
      dir: migrationsFolder,
      direction: 'up',
      count,
      migrationsTable: 'migrations',
      noLock: true,
      logger,
    });
  } finally {
    dbClient.release(true);
  }
}
