import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { cleanUp } from './cleanup.ts';
import { projectDir } from './process.ts';
import type { Packed } from './sdk-package.ts';

const run = promisify(execFile);

/** Packs the project as npm would publish it. Other users may enter the folder of the file. */
export async function packProject(): Promise<{ tarball: string; packed: Packed }> {
  const parent = mkdtempSync(join(tmpdir(), 'giftwire-packed-'));
  chmodSync(parent, 0o755);
  cleanUp(() => rm(parent, { recursive: true, force: true }));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', parent], { cwd: projectDir });
  // What the scripts around it print comes first.
  const [packed] = JSON.parse(stdout.slice(stdout.search(/^\[$/m))) as [Packed];
  return { tarball: join(parent, packed.filename), packed };
}

/** Unpacks the file, as npm does, and returns the folder. */
export function unpack(tarball: string, folder = join(tarball, '..', 'unpacked')): string {
  mkdirSync(folder);
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder]);
  return folder;
}

/** Puts the same package with a higher version in its place, as npm does: what it depends on stays. */
export function upgrade(tarball: string, folder: string): void {
  const home = join(folder, 'node_modules/giftwire');
  rmSync(home, { recursive: true });
  unpack(tarball, home);
  const file = join(home, 'package.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), version: '999.0.0' }));
}

/** Installs a packed file in a folder. Returns null, or why the registry could not be asked for what it depends on. */
export async function install(tarball: string, folder: string): Promise<string | null> {
  const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball];
  try {
    await run('npm', args, { cwd: folder });
    return null;
  } catch (error) {
    const { stderr } = error as { stderr: string };
    const away = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED|ENETUNREACH)\b/.exec(stderr)?.[0];
    if (away === undefined || process.env.CI) throw error;
    return `npm's registry cannot be reached (${away})`;
  }
}

/** A Node on the PATH with one of these major versions. */
export function findNode(...majors: number[]): string | null {
  const nodes = [process.execPath, ...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'))];
  const majorOf = (node: string) => Number.parseInt(execFileSync(node, ['-p', 'process.versions.node']).toString(), 10);
  return nodes.find((node) => existsSync(node) && majors.includes(majorOf(node))) ?? null;
}
