import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyMigrations as apply } from '../../src/ground/database/migrate.ts';
import { migrationsFolder, readSchema } from '../../src/ground/database/schema.ts';
import { cleanUp } from './cleanup.ts';
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

/** A folder with the migrations of this program, and more. */
export async function copyMigrations(more: Record<string, string> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'giftwire-migrations-'));
  cleanUp(() => rm(folder, { recursive: true }));
  await cp(migrationsFolder, folder, { recursive: true });
  for (const [name, sql] of Object.entries(more)) await writeFile(join(folder, `${name}.sql`), sql);
  return folder;
}
