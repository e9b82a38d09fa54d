import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../src/ground/database/migrate.ts';
import { migrationsFolder } from '../../src/ground/database/schema.ts';
import { cleanUp } from './cleanup.ts';
import { createTestDatabase } from './database.ts';

/** A database with a workspace, as it is before a migration. `mayDisagree` says why its derived tables may be wrong in the end. */
export async function openBefore(migration: string, mayDisagree?: string) {
  const database = await createTestDatabase({ template: 'template1', ...(mayDisagree && { mayDisagree }) });
  await migrate(database, await folderBefore(migration));
  await database.query(`insert into accounts (id, name) values (1, 'Acme')`);
  await database.query(`insert into workspaces (id, account_id, name, language) values (1, 1, 'Acme', 'EN_CA')`);
  return database;
}

/** The migrations before this one. */
async function folderBefore(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'giftwire-migrations-'));
  cleanUp(() => rm(folder, { recursive: true }));
  const earlier = (await readdir(migrationsFolder)).filter((file) => file < name);
  for (const file of earlier) await cp(join(migrationsFolder, file), join(folder, file));
  return folder;
}
