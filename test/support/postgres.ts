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
  const socket = new URL(server.url).searchParams.get('host') as string;
  process.env[socketVariable] = socket;
  const admin = openDatabase({
    url: server.url,
    maxConnections: 1,
    statementTimeoutMs: 60_000,
    name: 'test',
  });
  // The cluster is thrown away: it need not survive a power cut.
  await admin.pool.query('alter system set fsync = off');
  await admin.pool.query('select pg_reload_conf()');
  await admin.pool.query(`create database ${templateDatabase}`);
  await admin.close();
  const url = testDatabaseUrl(socket, templateDatabase);
  const template = openDatabase({ url, maxConnections: 3, statementTimeoutMs: 60_000, name: 'test' });
  await migrate(template);
  await template.close();
}

export function testDatabaseUrl(socket: string, database: string): string {
  return `postgres://giftwire@localhost/${database}?host=${encodeURIComponent(socket)}`;
}

export async function globalTeardown(): Promise<void> {
  await stop?.();
}
