import type { SpawnOptions } from 'node:child_process';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure } from '../../errors.ts';

export interface SystemAccount {
  uid: number;
  gid: number;
}

/** How PostgreSQL reaches a folder: the working directory to start it in, and the path to pass to it. */
export interface Entrance {
  cwd: string;
  path: string;
}

/**
 * PostgreSQL refuses to run as root. Started by root, it runs as the owner of its data, else as the machine's
 * `postgres`, else as `nobody`; started by anyone else, as that user (null).
 */
export async function databaseAccount(dataDirectory: string): Promise<SystemAccount | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(dataDirectory).catch(() => null);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const passwd = await readFile('/etc/passwd', 'utf8');
  for (const name of ['postgres', 'nobody']) {
    const fields = passwd
      .split('\n')
      .find((line) => line.startsWith(`${name}:`))
      ?.split(':');
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  throw new Failure(
    'setup',
    'PostgreSQL does not run as root and there is no user "postgres" or "nobody": run Giftwire as an ordinary user or set DATABASE_URL.',
  );
}

/** Started by root with another user's id, a program keeps none of root's groups and capabilities. */
export function optionsAs(account: SystemAccount | null, cwd = '/'): SpawnOptions {
  return { cwd, env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }, ...account };
}

/**
 * A folder below one that only root may enter, as root's home is, cannot be reached by its path. Root enters it before
 * the account is changed, and /proc/self/cwd leads every process of PostgreSQL there without passing through the others.
 */
export async function enter(account: SystemAccount | null, folder: string): Promise<Entrance> {
  if (account === null || (await isOpenToAll(folder))) return { cwd: '/', path: folder };
  const path = '/proc/self/cwd';
  await stat(path).catch((cause) => {
    throw new Failure(
      'setup',
      `PostgreSQL does not run as root and no other user may enter the folder of ${folder}: set GIFTWIRE_DATA_DIR to another folder, run as an ordinary user, or set DATABASE_URL.`,
      { cause },
    );
  });
  return { cwd: folder, path };
}

/** Whether every user may pass through the folders above this one. */
export async function isOpenToAll(folder: string): Promise<boolean> {
  for (let path = dirname(await realpath(folder)); path !== dirname(path); path = dirname(path)) {
    const { mode } = await stat(path);
    if ((mode & 0o001) === 0) return false;
  }
  return true;
}
