import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '../../src/ground/database/database.ts';
import { databaseAccount, optionsAs } from '../../src/ground/database/embedded/account.ts';
import { cleanUp } from './cleanup.ts';
import type { TestDatabase } from './database.ts';
import { within } from './eventually.ts';

/** A PostgreSQL of the machine with its default settings. */
export interface StockServer {
  bin: string;
  /** Where it listens: a socket of this port in this folder. */
  folder: string;
  port: number;
  url(database: string, user?: string): string;
  /** Runs statements as superuser, each on its own. */
  administer(...statements: string[]): Promise<void>;
  stop(): Promise<void>;
}

/** Why tests on a stock server are skipped on this machine, or false. */
export const withoutStockServer: string | false =
  findServers().length === 0 &&
  'there is no PostgreSQL on this machine: apt-get install postgresql-15 (the binaries alone are used)';

/** The folders with the machine's own servers, the oldest first. */
export function findServers(): string[] {
  const version = (bin: string) => Number(bin.split('/').at(-2));
  return globSync('/usr/lib/postgresql/*/bin')
    .filter((bin) => version(bin) >= 15 && spawnSync(join(bin, 'initdb'), ['--version']).status === 0)
    .sort((a, b) => version(a) - version(b));
}

/** A database of the server, dropped when the file's tests are over. */
export async function createStockDatabase(server: StockServer, name: string, form = ''): Promise<TestDatabase> {
  await server.administer(`create database ${name} ${form}`);
  const url = server.url(name);
  const database = openDatabase({ url, name: 'test', maxConnections: 2, statementTimeoutMs: 60_000 });
  cleanUp(() => database.close());
  return { ...database, name };
}

const startTimeoutMs = 60_000;

/** Creates and starts a cluster in a new folder below the given one. Apart from counting statements it has the defaults. */
export async function startStockServer(parent: string, bin = findServers()[0] as string): Promise<StockServer> {
  const folder = join(parent, 'stock');
  await mkdir(folder, { mode: 0o700 });
  const account = await databaseAccount(folder);
  if (account) await chown(folder, account.uid, account.gid);
  const options = optionsAs(account);
  const form = ['-U', 'giftwire', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'];
  await promisify(execFile)(join(bin, 'initdb'), ['-D', folder, ...form], { ...options, encoding: 'utf8' } as object);
  const args = [
    ...['-D', folder, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${folder}`],
    ...['-c', 'shared_preload_libraries=pg_stat_statements'],
  ];
  const child = spawn(join(bin, 'postgres'), args, { ...options, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGINT');
    await ended;
  };
  const port = 5432;
  const url = (database: string, user = 'giftwire') =>
    `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(folder)}`;
  if (!(await within(startTimeoutMs, () => answers(url('postgres'))))) {
    await stop();
    throw new Error('the stock PostgreSQL does not start');
  }
  const administer = async (...statements: string[]) => {
    const admin = openDatabase({ url: url('postgres'), name: 'test', maxConnections: 1, statementTimeoutMs: 60_000 });
    try {
      for (const statement of statements) await admin.pool.query(statement);
    } finally {
      await admin.close();
    }
  };
  return { bin, folder, port, url, administer, stop };
}

async function answers(url: string): Promise<boolean> {
  const database = openDatabase({ url, name: 'test', maxConnections: 1, statementTimeoutMs: 2_000 });
  try {
    await database.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await database.close();
  }
}
