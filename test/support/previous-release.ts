import { execFile } from 'node:child_process';
import { readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);
/** What its nodes, its commands and the making of its database need. */
const parts = [
  'src',
  'bin',
  'bench',
  'test/faults',
  'test/support',
  'package.json',
  'package-lock.json',
  'sdk/package.json',
  'console/package.json',
];

/** The repository here lacks the commit of the release. */
export class NoHistory extends Error {}

/**
 * Puts the program of the release directly before this version into a folder, from the commit that test/upgrades/releases.json notes.
 * Where this version has all its production dependencies that a test needs, it uses the same node_modules; otherwise npm installs its own.
 */
export async function checkOutPreviousRelease(folder: string): Promise<void> {
  const releases: Record<string, { commit: string }> = await readJson(join(root, 'test/upgrades/releases.json'));
  const [version, noted] = Object.entries(releases).at(-1) ?? [];
  if (version === undefined || !noted) throw new NoHistory('test/upgrades/releases.json notes no release.');
  const isThere = await run('git', ['cat-file', '-e', `${noted.commit}^{commit}`], { cwd: root }).then(
    () => true,
    () => false,
  );
  if (!isThere)
    throw new NoHistory(
      `the repository here lacks the commit of ${version}, ${noted.commit}: fetch its whole history.`,
    );
  await unpack(noted.commit, folder);
  const locks = [join(root, 'package-lock.json'), join(folder, 'package-lock.json')];
  const [ours = {}, theirs = {}] = await Promise.all(locks.map(readProductionPackages));
  const unneeded = await readPackagesOf(locks[1] as string, onTerminalsOnly);
  const isSame = Object.entries(theirs).every(
    ([name, locked]) => ours[name] === locked || (!(name in ours) && unneeded.has(name)),
  );
  if (isSame) await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  else await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
}

async function unpack(commit: string, folder: string): Promise<void> {
  const archive = join(folder, 'release.tar');
  await run('git', ['archive', '--output', archive, commit, ...parts], { cwd: root });
  await run('tar', ['-xf', archive, '-C', folder]);
  await rm(archive);
}

interface Locked {
  version: string;
  dev?: boolean;
  devOptional?: boolean;
  dependencies?: Record<string, string>;
}

/** What the program of a release loads on a terminal alone, where no test runs it. */
const onTerminalsOnly = ['pino-pretty', 'cli-progress'];

/** The paths of these packages, and of those that they depend on. */
async function readPackagesOf(path: string, names: string[]): Promise<Set<string>> {
  const { packages } = await readJson<{ packages: Record<string, Locked> }>(path);
  const found = new Set<string>();
  const add = (name: string, within: string) => {
    const at = [`${within}/node_modules/${name}`, `node_modules/${name}`].find((one) => one in packages);
    if (at === undefined || found.has(at)) return;
    found.add(at);
    for (const needed of Object.keys(packages[at]?.dependencies ?? {})) add(needed, at);
  };
  for (const name of names) add(name, '');
  return found;
}

/** Versions by path, without our own packages. */
async function readProductionPackages(path: string): Promise<Record<string, string>> {
  const { packages } = await readJson<{ packages: Record<string, Locked> }>(path);
  const production = Object.entries(packages).filter(
    ([name, { dev, devOptional }]) =>
      name.startsWith('node_modules/') && !name.includes('@giftwire') && !dev && !devOptional,
  );
  return Object.fromEntries(production.map(([name, { version }]) => [name, version]));
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8')) as T;
}
