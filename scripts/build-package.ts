import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/**
 * Makes what the package `giftwire` has beside the documents, before npm packs it: dist/ has the same folders as src/, so that
 * whatever a file finds by its own place is found there too.
 */
function buildPackage(): void {
  rmSync(dist, { recursive: true, force: true });
  compile('--project', 'tsconfig.package.json');
  for (const path of globSync('src/**/*.{sql,sha256,css,js,svg}', { cwd: root }))
    cpSync(join(root, path), join(dist, relative('src', path)));
  includeSdk();
  execFileSync('npm', ['run', 'build:console'], { cwd: root, stdio: ['ignore', 2, 2] });
}

/** The command line's client is part of the package, so that one file can be installed, and needs nothing of the same version beside it. */
function includeSdk(): void {
  compile('--project', 'sdk', '--outDir', 'dist/sdk', '--declaration', 'false');
  for (const path of globSync('dist/**/*.js', { cwd: root })) {
    const text = readFileSync(join(root, path), 'utf8');
    if (!text.includes("'@giftwire/sdk'")) continue;
    const sdk = relative(dirname(path), 'dist/sdk/index.js');
    writeFileSync(join(root, path), text.replaceAll("'@giftwire/sdk'", `'${sdk}'`));
  }
}

/** Types are checked by `npm run check`; here they are only removed. What it says goes to stderr: `npm pack --json` writes to stdout. */
function compile(...args: string[]): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '--noCheck', ...args], { cwd: root, stdio: ['ignore', 2, 2] });
}

buildPackage();
