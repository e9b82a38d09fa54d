import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSdk } from '../../scripts/build-sdk.ts';
import { cleanUp } from './cleanup.ts';

/** What npm says of the file that it packs. */
export interface Packed {
  filename: string;
  size: number;
  files: { path: string }[];
}

/** Builds the SDK and packs it as npm would publish it. Returns the file and what npm says of it. */
export function packSdk(): { tarball: string; packed: Packed } {
  const parent = mkdtempSync(join(tmpdir(), 'giftwire-sdk-'));
  cleanUp(() => rm(parent, { recursive: true, force: true }));
  const folder = join(parent, 'package');
  buildSdk(folder);
  const said = execFileSync('npm', ['pack', '--json', '--pack-destination', parent], { cwd: folder, stdio: 'pipe' });
  const [packed] = JSON.parse(said.toString()) as [Packed];
  return { tarball: join(parent, packed.filename), packed };
}

/** A folder outside of the project in which the packed file is installed, with nothing else. */
export function installPacked(tarball: string): string {
  const folder = join(tarball, '..', 'project');
  const home = homeIn(folder);
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', home]);
  return folder;
}

/** The same with the files that would be packed. */
export function installBuilt(): string {
  const folder = mkdtempSync(join(tmpdir(), 'giftwire-sdk-'));
  cleanUp(() => rm(folder, { recursive: true, force: true }));
  buildSdk(homeIn(folder));
  return folder;
}

function homeIn(folder: string): string {
  const home = join(folder, 'node_modules/@giftwire/sdk');
  mkdirSync(home, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  return home;
}
