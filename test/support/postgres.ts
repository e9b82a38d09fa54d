import { appendFile, chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../src/ground/database/database.ts';
import { administrator, connectionUrl, serviceRole } from '../../src/ground/database/embedded/roles.ts';
import { openEmbeddedServer } from '../../src/ground/database/embedded/server.ts';
import { migrate } from '../../src/ground/database/migrate.ts';
import { folderForClusters } from './cluster-folder.ts';
import { useBundledPackages } from './packages.ts';
import { chooseSeed } from './seed.ts';
import { checkedVariable } from './statements.ts';

export const socketVariable = 'GIFTWIRE_TEST_SOCKET';
export const templateDatabase = 'giftwire_template';
/** The time limits of a test's own connections: only something broken takes so long. A busy machine does not. */
export const patient = { statementTimeoutMs: 60_000, connectTimeoutMs: 60_000 };

/** The cluster is temporary, so it need not survive a power cut, and writes no more than it has to. */
const temporary = [
  'fsync = off',
  'full_page_writes = off',
  'synchronous_commit = off',
  'wal_init_zero = off',
  'wal_recycle = off',
  `checkpoint_timeout = '1h'`,
  `max_wal_size = '1GB'`,
];

let stop: (() => Promise<void>) | undefined;

/** Runs before all test files: starts one PostgreSQL for the whole run, with a migrated template that each file clones. */
export async function globalSetup(): Promise<void> {
  chooseSeed();
  await useBundledPackages();
  const folder = await mkdtemp(join(folderForClusters(), 'giftwire-test-'));
  // PgBouncer runs under PostgreSQL's user and must reach the socket.
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'data');
  const server = await openEmbeddedServer({ dataDir, exclusive: true });
  stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const socket = new URL(server.url).searchParams.get('host') as string;
  process.env[socketVariable] = socket;
  // Tests that take long kill nodes and cut connections: which statements they send differs from run to run.
  if (process.env.GIFTWIRE_TEST_SLOW !== '1') {
    process.env[checkedVariable] = join(folder, 'checked');
    await mkdir(process.env[checkedVariable]);
  }
  const admin = openDatabase({
    url: administratorUrl(socket),
    maxConnections: 1,
    ...patient,
    name: 'test',
  });
  for (const setting of temporary) await admin.pool.query(`alter system set ${setting}`);
  // Roles that tests create may connect too.
  await appendFile(join(dataDir, 'postgres/pg_hba.conf'), 'local all all trust\n');
  await admin.pool.query('select pg_reload_conf()');
  await admin.pool.query(`create database ${templateDatabase} owner ${serviceRole}`);
  await admin.close();
  const url = testDatabaseUrl(socket, templateDatabase);
  const template = openDatabase({ url, maxConnections: 3, ...patient, name: 'test' });
  await migrate(template);
  await template.close();
}

export function testDatabaseUrl(socket: string, database: string): string {
  return connectionUrl(socket, serviceRole, database);
}

/** The superuser's address, to create and drop databases. The service cannot take this role. */
export function administratorUrl(socket: string, database = 'postgres'): string {
  return connectionUrl(socket, administrator, database);
}

export async function globalTeardown(): Promise<void> {
  await stop?.();
}
