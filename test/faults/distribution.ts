import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chown, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '../../src/database/database.ts';
import { databaseAccount, optionsAs } from '../../src/database/embedded/account.ts';
import { administrator, connectionUrl, serviceRole } from '../../src/database/embedded/roles.ts';
import { within } from '../support/eventually.ts';
import { administer, type Cluster, openEmbeddedCluster, prepareCluster } from './cluster.ts';
import { Skipped } from './fault.ts';
import type { Scope } from './scope.ts';

export interface DumpTools {
  folder: string;
  version: number;
}

const embeddedVersion = 18;

/** The newest pg_dump of this machine. */
export function findDumpTools(): DumpTools {
  const onPath = spawnSync('sh', ['-c', 'command -v pg_dump'], { encoding: 'utf8' }).stdout.trim();
  const found = [...globSync('/usr/lib/postgresql/*/bin/pg_dump'), ...(onPath ? [onPath] : [])].map((program) => ({
    folder: dirname(program),
    version: Number(/ (\d+)/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout)?.[1] ?? 0),
  }));
  const [newest] = found.sort((a, b) => b.version - a.version);
  if (!newest) throw new Skipped('there is no pg_dump on this machine');
  return newest;
}

/** A server that the machine's pg_dump can read: ours, or where that is too new for it, the machine's own. */
export async function openDumpableCluster(scope: Scope, folder: string): Promise<Cluster> {
  const { folder: bin, version } = findDumpTools();
  if (version >= embeddedVersion) return openEmbeddedCluster(scope, folder);
  if (spawnSync(join(bin, 'initdb'), ['--version']).status !== 0)
    throw new Skipped(`pg_dump ${version} is older than the embedded PostgreSQL and has no server beside it`);
  return openOwnCluster(scope, folder, bin);
}

/** A server of the given programs, with its default settings. */
export async function openOwnCluster(
  scope: Scope,
  folder: string,
  bin: string,
  env: Record<string, string> = {},
): Promise<Cluster> {
  const data = join(folder, 'cluster');
  await mkdir(data, { mode: 0o700 });
  const account = await databaseAccount(data);
  if (account) await chown(data, account.uid, account.gid);
  const options = optionsAs(account);
  const settings = ['-U', administrator, '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'];
  await promisify(execFile)(join(bin, 'initdb'), ['-D', data, ...settings], { ...options, encoding: 'utf8' } as object);
  const args = ['-D', data, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${data}`];
  const child = spawn(join(bin, 'postgres'), args, {
    ...options,
    env: { ...options.env, ...env },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await scope.defer(async () => {
    child.kill('SIGINT');
    await ended;
  });
  const administratorUrl = connectionUrl(data, administrator, 'postgres');
  if (!(await within(20_000, () => answers(administratorUrl))))
    throw new Error('the temporary PostgreSQL does not start');
  await administer(administratorUrl, `create role ${serviceRole} login`);
  return prepareCluster(folder, join(data, 'postmaster.pid'), data);
}

async function answers(url: string): Promise<boolean> {
  const database = openDatabase({ url, name: 'faults', maxConnections: 1, statementTimeoutMs: 2_000 });
  try {
    await database.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await database.close();
  }
}
