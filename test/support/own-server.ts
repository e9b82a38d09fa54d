import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { databaseAccount, optionsAs } from '../../src/ground/database/embedded/account.ts';
import { administrator, connectionUrl } from '../../src/ground/database/embedded/roles.ts';
import { within } from './eventually.ts';
import type { Scope } from './scope.ts';

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

/** A standby that follows the primary. */
export async function copyPrimary(bin: string, primary: string, data: string): Promise<void> {
  await mkdir(data, { mode: 0o700 });
  const { uid, gid } = await stat(primary);
  await chown(data, uid, gid);
  const source = ['--host', primary, '--username', administrator];
  await runAs(
    data,
    join(bin, 'pg_basebackup'),
    ...source,
    '--pgdata',
    data,
    '--checkpoint=fast',
    '--write-recovery-conf',
  );
  // The primary's, copied with its folder: a server starts only without one.
  await rm(join(data, '.s.PGSQL.5432.lock'), { force: true });
}
