import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chown, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { databaseAccount, optionsAs } from '../../src/ground/database/embedded/account.ts';
import { administrator, connectionUrl, serviceRole } from '../../src/ground/database/embedded/roles.ts';
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
  await initialise(bin, data);
  await startServer(scope, bin, data, { env });
  await administer(connectionUrl(data, administrator, 'postgres'), `create role ${serviceRole} login`);
  return prepareCluster(folder, join(data, 'postmaster.pid'), data);
}

/** Creates the folder of a server, with nothing in it but what every server has. */
export async function initialise(bin: string, data: string): Promise<void> {
  await mkdir(data, { mode: 0o700 });
  const account = await databaseAccount(data);
  if (account) await chown(data, account.uid, account.gid);
  const settings = ['-U', administrator, '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'];
  await runAs(data, join(bin, 'initdb'), '-D', data, ...settings);
}

/** Runs a program of PostgreSQL as the owner of a server's folder. */
export async function runAs(data: string, program: string, ...args: string[]): Promise<void> {
  const options = optionsAs(await databaseAccount(data));
  await promisify(execFile)(program, args, { ...options, encoding: 'utf8' } as object);
}

export interface ServerOptions {
  env?: Record<string, string>;
  settings?: readonly string[];
}

/** Starts a server whose socket is in its folder, and waits until it answers. */
export async function startServer(
  scope: Scope,
  bin: string,
  data: string,
  { env = {}, settings = [] }: ServerOptions = {},
): Promise<ChildProcess> {
  const options = optionsAs(await databaseAccount(data));
  const args = ['listen_addresses=', `unix_socket_directories=${data}`, ...settings].flatMap((one) => ['-c', one]);
  const child = spawn(join(bin, 'postgres'), ['-D', data, ...args], {
    ...options,
    env: { ...options.env, ...env },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await scope.defer(async () => {
    child.kill('SIGINT');
    await ended;
  });
  const url = connectionUrl(data, administrator, 'postgres');
  const answers = () =>
    ask(url, 'select 1').then(
      () => true,
      () => false,
    );
  if (!(await within(20_000 * scope.patience, answers))) throw new Error('the temporary PostgreSQL does not start');
  return child;
}

/** Runs a statement on any server, also a standby. */
export async function ask<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end().catch(() => {});
  }
}
