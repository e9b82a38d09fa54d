import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * Makes the package that is published: JavaScript, types and a manifest of its own. In a clone `@giftwire/sdk` is the TypeScript
 * source, which Node runs there and refuses to run under node_modules, so the two manifests differ.
 */
export function buildSdk(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const args = ['--project', join(root, 'sdk'), '--outDir', folder, '--noCheck'];
  // Editors show the comments of the declarations; in the program nobody reads them. Types are checked by `npm run check`.
  for (const emitted of [['--emitDeclarationOnly'], ['--declaration', 'false', '--removeComments']])
    execFileSync(process.execPath, [tsc, ...args, ...emitted], { stdio: 'inherit' });
  nameFilesAsTheyAre(folder);
  buildCommonJs(folder);
  const { private: _, ...manifest } = JSON.parse(readFileSync(join(root, 'sdk/package.json'), 'utf8'));
  const published = {
    ...manifest,
    main: './index.js',
    types: './index.d.ts',
    exports: {
      '.': {
        import: { types: './index.d.ts', default: './index.js' },
        require: { types: './cjs/index.d.ts', default: './cjs/index.js' },
      },
    },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  copyFileSync(join(root, 'sdk/README.md'), join(folder, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

/** The same for CommonJS, in a folder that says so: one program, and the declarations once more, because their folder decides what they describe. */
function buildCommonJs(folder: string): void {
  const home = join(folder, 'cjs');
  const rolldown = join(root, 'node_modules/rolldown/bin/cli.mjs');
  const args = [join(folder, 'index.js'), '--format', 'cjs', '--file', join(home, 'index.js'), '--log-level', 'warn'];
  execFileSync(process.execPath, [rolldown, ...args], { stdio: 'inherit' });
  for (const path of globSync('**/*.d.ts', { cwd: folder })) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    copyFileSync(join(folder, path), join(home, path));
  }
  writeFileSync(join(home, 'package.json'), `${JSON.stringify({ type: 'commonjs' })}\n`);
}

/** tsc leaves the .ts in the imports of declarations, and not every tool finds the .d.ts behind it. */
function nameFilesAsTheyAre(folder: string): void {
  for (const path of globSync(join(folder, '**/*.d.ts'))) {
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace(/((?:from |import\()['"]\.[^'"]+)\.ts(?=['"])/g, '$1.js'));
  }
}

if (import.meta.main) buildSdk(join(root, 'sdk/dist'));
