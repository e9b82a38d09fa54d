import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');

/** Where the build of the web console is. */
export const consoleFolder = join(root, 'console/dist');

/** Where the build of the employees' app is. */
export const myFolder = join(consoleFolder, 'my');

/** The console, and the employees' app, whose folder is in the console's. */
const builds = [
  { config: 'console/vite.config.ts', within: '' },
  { config: 'console/my.config.ts', within: 'my' },
];

/** All that the build is made from. The published package has only the build. */
const sources = [
  ...['console/{index.html,vite.config.ts,my.config.ts}', 'console/src/**/*.*', 'sdk/src/**/*.ts'],
  ...['src/ground/{sheets,values}/**/*.ts', 'src/ground/errors.ts', 'package-lock.json'],
];

/**
 * Builds the web console and the employees' app unless the build is of the sources as they are now. `onStart` is called if there is something to do, which
 * takes a few seconds. Several processes may do this at once: each builds in a folder of its own, and the last one stays.
 */
export async function buildConsole(onStart: () => void = () => {}): Promise<void> {
  const fingerprint = fingerprintOf(globSync(sources, { cwd: root }).sort());
  if (fingerprint === null || fingerprint === readFingerprint()) return;
  onStart();
  const made = `${consoleFolder}-${process.pid}`;
  try {
    for (const { config, within } of builds) await build(join(root, config), join(made, within));
    writeFileSync(join(made, 'fingerprint'), fingerprint);
    await replaceFolder(made);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

async function build(config: string, into: string): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const options = ['--config', config, '--outDir', into, '--logLevel', 'warn'];
  await promisify(execFile)(process.execPath, [vite, 'build', ...options], { cwd: join(root, 'console') });
}

function fingerprintOf(paths: readonly string[]): string | null {
  if (!paths.includes('console/index.html')) return null;
  const hash = createHash('sha256');
  for (const path of paths) hash.update(path).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

function readFingerprint(): string | null {
  try {
    return readFileSync(join(consoleFolder, 'fingerprint'), 'utf8');
  } catch {
    return null;
  }
}

async function replaceFolder(made: string): Promise<void> {
  const old = `${made}-old`;
  await mkdir(consoleFolder, { recursive: true });
  await rename(consoleFolder, old);
  await rename(made, consoleFolder);
  await rm(old, { recursive: true, force: true });
}
