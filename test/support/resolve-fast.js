// Loaded into every process of a test run (see packages.ts). It answers what Node would find on disk, without looking there: files of the
// project by their own names, and packages from the bundle. A Node that cannot do this goes the usual way.
import { readFileSync } from 'node:fs';
import module from 'node:module';

const project = new URL('../../', import.meta.url).href;
const packages = `${new URL(import.meta.url).searchParams.get('packages')}/`;
const files = JSON.parse(readFileSync(new URL('packages.json', packages), 'utf8'));
const bundles = new Map(Object.entries(files).map(([name, file]) => [name, new URL(file, packages).href]));

module.registerHooks?.({ resolve });

function resolve(specifier, context, nextResolve) {
  if (specifier.startsWith('node:')) return found(specifier, 'builtin');
  if (!isOurs(context.parentURL)) return nextResolve(specifier, context);
  if (specifier.startsWith('.') && specifier.endsWith('.ts'))
    return found(new URL(specifier, context.parentURL).href, 'module-typescript');
  const bundle = bundles.get(specifier);
  return bundle ? found(bundle, 'module') : nextResolve(specifier, context);
}

function isOurs(parent = '') {
  return parent.startsWith(project) && !parent.includes('/node_modules/');
}

function found(url, format) {
  return { url, format, shortCircuit: true };
}
