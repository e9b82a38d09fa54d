import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/database/database.ts';
import { openEmbeddedServer } from '../../src/database/embedded/server.ts';
import { migrate } from '../../src/database/migrate.ts';

export const socketVariable = 'GIFTWIRE_TEST_SOCKET';
export const templateDatabase = 'giftwire_template';

let stop: (() => Promise<void>) | undefined;

/** Before all test files: one PostgreSQL for the whole run, with a migrated template that each file clones. */
export async function globalSetup(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'giftwire-test-'));
  const server = await openEmbeddedServer({ dataDir, exclusive: true });
  stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  process.env[socketVariable] = server.connection.host as string;
  const admin = openDatabase({
    connection: server.connection,
    maxConnections: 1,
    statementTimeoutMs: 60_000,
    name: 'test',
  });
  // The cluster is thrown away: it need not survive a power cut.
  await admin.pool.query('alter system set fsync = off');
  await admin.pool.query('select pg_reload_conf()');
  await admin.pool.query(`create database ${templateDatabase}`);
  await admin.close();
  const connection = { ...server.connection, database: templateDatabase };
  const template = openDatabase({ connection, maxConnections: 3, statementTimeoutMs: 60_000, name: 'test' });
  await migrate(template);
  await template.close();
}

export async function globalTeardown(): Promise<void> {
  await stop?.();
}
