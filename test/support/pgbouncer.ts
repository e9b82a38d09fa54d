import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { databaseAccount, optionsAs } from '../../src/ground/database/embedded/account.ts';
import { serviceRole } from '../../src/ground/database/embedded/roles.ts';
import { cleanUp } from './cleanup.ts';
import { eventually } from './eventually.ts';
import { socketVariable } from './postgres.ts';

/** Why tests through PgBouncer are skipped on this machine, or false. */
export const withoutPgBouncer: string | false =
  spawnSync('pgbouncer', ['--version']).status !== 0 &&
  'there is no pgbouncer on this machine: apt-get install pgbouncer';

export type PoolMode = 'session' | 'transaction' | 'statement';

/** A PgBouncer with its default settings in front of the tests' PostgreSQL. Returns the address of a database through it. */
export async function startPgBouncer(
  mode: PoolMode,
  settings: Record<string, string | number> = {},
): Promise<(database: string) => string> {
  const socket = process.env[socketVariable] as string;
  const folder = await mkdtemp(join(tmpdir(), 'giftwire-pgbouncer-'));
  const account = await databaseAccount(socket);
  const port = 6432;
  const lines = {
    listen_port: port,
    unix_socket_dir: folder,
    auth_type: 'trust',
    auth_file: join(folder, 'users'),
    pool_mode: mode,
    ...settings,
  };
  const text = Object.entries(lines).map(([name, value]) => `${name} = ${value}`);
  await writeFile(join(folder, 'ini'), `[databases]\n* = host=${socket}\n[pgbouncer]\n${text.join('\n')}\n`);
  await writeFile(join(folder, 'users'), `"${serviceRole}" ""\n`);
  await chmod(folder, 0o711);
  if (account) await chown(folder, account.uid, account.gid);
  const child = spawn('pgbouncer', [join(folder, 'ini')], { ...optionsAs(account), stdio: 'ignore' });
  const ended = once(child, 'exit');
  cleanUp(async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true });
  });
  const url = (database: string) =>
    `postgres://${serviceRole}@localhost:${port}/${database}?host=${encodeURIComponent(folder)}`;
  await eventually(() => answers(url('postgres')));
  return url;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
