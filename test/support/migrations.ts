import { applyMigrations as apply } from '../../src/ground/database/migrate.ts';
import { migrationsFolder, readSchema } from '../../src/ground/database/schema.ts';
import type { TestDatabase } from './database.ts';

/** Applies only the next `count` migrations, to get a database of an earlier version. */
export async function applyMigrations(database: TestDatabase, count: number): Promise<void> {
  const { pending } = await readSchema(database);
  const client = await database.pool.connect();
  try {
    await apply(client, migrationsFolder, pending.slice(0, count));
  } finally {
    client.release(true);
  }
}
