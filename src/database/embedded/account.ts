import { type SpawnOptions, spawnSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure } from '../../errors.ts';

export interface Account {
  uid: number;
  gid: number;
}

export interface Command {
  program: string;
  args: string[];
  options: SpawnOptions;
}

/**
 * PostgreSQL refuses to run as root. Started by root, it runs as the owner of its data, else as the machine's
 * `postgres`, else as `nobody`; started by anyone else, as that user (null).
 */
export async function databaseAccount(dataDirectory: string): Promise<Account | null> {
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

/** How to start a program of PostgreSQL's as that account, given the folders it has to reach. */
export async function commandAs(
  account: Account | null,
  folders: readonly string[],
  program: string,
  args: string[],
): Promise<Command> {
  const options: SpawnOptions = { cwd: '/', env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' } };
  if (account === null) return { program, args, options };
  const reachable = await Promise.all(folders.map(isOpenToAll));
  if (reachable.every(Boolean)) return { program, args, options: { ...options, ...account } };
  return { program: 'setpriv', args: [...(await passingThrough(account)), program, ...args], options };
}

async function isOpenToAll(folder: string): Promise<boolean> {
  for (let path = dirname(folder); path !== dirname(path); path = dirname(path)) {
    const { mode } = await stat(path);
    if ((mode & 0o001) === 0) return false;
  }
  return true;
}

/**
 * In a folder that only root may enter, as root's home is, the account keeps one single capability: to pass through
 * folders. `no_setuid_fixup` makes it count in access(2) too, which initdb asks about its own program.
 */
async function passingThrough({ uid, gid }: Account): Promise<string[]> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const effective = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`);
  const capability = [
    { name: 'dac_read_search', bit: 2n },
    { name: 'dac_override', bit: 1n },
  ].find(({ bit }) => (effective & (1n << bit)) !== 0n)?.name;
  if (!capability || spawnSync('setpriv', ['--version']).status !== 0)
    throw new Failure(
      'setup',
      'PostgreSQL does not run as root and no other user may enter this folder: move the checkout, run as an ordinary user, or set DATABASE_URL.',
    );
  return [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup',
    `--inh-caps=-all,+${capability}`,
    `--ambient-caps=-all,+${capability}`,
    `--bounding-set=-all,+${capability}`,
  ];
}
