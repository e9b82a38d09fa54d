import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccess } from '../../bench/programs.ts';
import { type Database, openDatabase } from '../../src/ground/database/database.ts';
import { administrator, connectionUrl, serviceRole } from '../../src/ground/database/embedded/roles.ts';
import { openEmbeddedServer } from '../../src/ground/database/embedded/server.ts';
import { migrate } from '../../src/ground/database/migrate.ts';
import type { Scope } from '../support/scope.ts';
import { familyOf, signal } from '../support/system.ts';
import { setBudgets } from './budgets.ts';
import type { Access } from './client.ts';

/** A PostgreSQL, with a migrated database in it that has workspaces with budgets and a token. */
export interface Cluster {
  access: Access;
  folder: string;
  url(database: string): string;
  /** A copy of the migrated database, or an empty one. */
  create(database: string, kind?: 'migrated' | 'empty'): Promise<void>;
  drop(database: string): Promise<void>;
  /** The postmaster and its children, the postmaster first. */
  processes(): Promise<number[]>;
}

const template = 'migrated';

/** A temporary folder that PostgreSQL may enter too, where that is another user. */
export async function makeFolder(scope: Scope, parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, 'giftwire-faults-'));
  if (!scope.keepsFolders) await scope.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  return folder;
}

type Prepared = Parameters<typeof prepareCluster>;

/** The embedded PostgreSQL, which is restarted automatically when it dies. Another program can make the database that others are copies of. */
export async function openEmbeddedCluster(
  scope: Scope,
  folder: string,
  makeTemplate?: (...server: Prepared) => Promise<Access>,
): Promise<Cluster> {
  const dataDir = join(folder, 'data');
  const server = await openEmbeddedServer({ dataDir, exclusive: true });
  const postmasterFile = join(dataDir, 'postgres/postmaster.pid');
  await scope.defer(async () => {
    for (const pid of await processesOf(postmasterFile)) signal(pid, 'SIGCONT');
    await server.stop();
  });
  const prepared: Prepared = [folder, postmasterFile, new URL(server.url).searchParams.get('host') as string];
  return makeTemplate ? clusterOf(await makeTemplate(...prepared), ...prepared) : prepareCluster(...prepared);
}

/** Makes the migrated database. The fault about the release before calls that release's own function of this name. */
export async function prepareCluster(folder: string, postmasterFile: string, socket: string): Promise<Cluster> {
  const run = (sql: string) => administer(connectionUrl(socket, administrator, 'postgres'), sql);
  await run(`create database ${template} owner ${serviceRole}`);
  const access = await withDatabase(connectionUrl(socket, serviceRole, template), async (database) => {
    await migrate(database);
    const access = await createAccess(database, 3);
    await setBudgets(database, access.workspaceId);
    await database.query('update workspaces set shoutouts_need_approval = true');
    // Each copy is in its first history, although it is another database than this one.
    await database.query(`
      update histories
         set system_identifier = null, timeline = null, database_oid = null, table_oid = null, storage = null`);
    return access;
  });
  return clusterOf(access, folder, postmasterFile, socket);
}

function clusterOf(access: Access, folder: string, postmasterFile: string, socket: string): Cluster {
  const run = (sql: string) => administer(connectionUrl(socket, administrator, 'postgres'), sql);
  return {
    access,
    folder,
    url: (database) => connectionUrl(socket, serviceRole, database),
    create: async (database, kind = 'migrated') => {
      const source = kind === 'migrated' ? template : 'template0';
      await run(`create database ${database} template ${source} owner ${serviceRole}`);
      // A crash soon after would set the copy's sequences back: PostgreSQL logs them ahead, and the copy is of before.
      await run('checkpoint');
    },
    drop: async (database) => {
      await run(`drop database if exists ${database} with (force)`);
    },
    processes: () => processesOf(postmasterFile),
  };
}

/** Runs a statement as superuser. */
export async function administer(administratorUrl: string, sql: string): Promise<void> {
  await withDatabase(administratorUrl, (database) => database.pool.query(sql));
}

async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({ url, name: 'faults', maxConnections: 3, statementTimeoutMs: 60_000 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function processesOf(postmasterFile: string): Promise<number[]> {
  const text = await readFile(postmasterFile, 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  // During a restart the file may name the process that restarts it.
  return pid && pid !== process.pid ? familyOf(pid) : [];
}
