import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '../..');

/** What the service imports when it starts, and has many files or slow ones. pino is left out: it starts a thread by its own path. */
const bundled = [
  ...['@fastify/fast-json-stringify-compiler', '@fastify/swagger', 'ajv-formats', 'ajv/dist/2020.js'],
  ...['fastify', 'intl-messageformat', 'ipaddr.js', 'marked', 'negotiator', 'openid-client', 'pg'],
  ...['prom-client', 'rate-limiter-flexible', 'scim-patch', 'scim2-parse-filter', 'scimmy', 'typebox', 'undici'],
];

/**
 * Lets every process that is started from here on load the service's packages as a few bundled files, which are made once for each
 * version of package-lock.json: Node takes longer to find a thousand small files than to run them, and many tests run commands as processes.
 */
export async function useBundledPackages(): Promise<void> {
  const folder = join(root, 'node_modules/.cache', `giftwire-packages-${fingerprint()}`);
  if (!existsSync(folder)) await bundleInto(folder);
  const hook = pathToFileURL(join(import.meta.dirname, 'resolve-fast.js'));
  hook.searchParams.set('packages', pathToFileURL(folder).href);
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${hook}`.trimStart();
}

function fingerprint(): string {
  const hash = createHash('sha256');
  for (const path of [join(root, 'package-lock.json'), import.meta.filename]) hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
}

/** Two runs may do this at once: each writes to a folder of its own, and the first one stays. */
async function bundleInto(folder: string): Promise<void> {
  const made = `${folder}-${process.pid}`;
  const entries = new Map<string, string>();
  for (const name of bundled) entries.set(`entry:${name}`, await entryOf(name));
  const build = await rolldown({
    input: Object.fromEntries(bundled.map((name) => [fileOf(name), `entry:${name}`])),
    cwd: root,
    platform: 'node',
    external: ['pino', 'pg-native'],
    logLevel: 'silent',
    plugins: [{ name: 'entries', resolveId: (id) => (entries.has(id) ? id : null), load: (id) => entries.get(id) }],
  });
  await build.write({ dir: made, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
  const files = Object.fromEntries(bundled.map((name) => [name, `${fileOf(name)}.mjs`]));
  await writeFile(join(made, 'packages.json'), JSON.stringify(files));
  await rename(made, folder).catch(() => rm(made, { recursive: true }));
}

/** Exports the names that Node finds in the package. A bundler finds none in CommonJS. */
async function entryOf(name: string): Promise<string> {
  const exported = await import(name);
  if (!('module.exports' in exported))
    return `export * from '${name}'; ${'default' in exported ? `export { default } from '${name}';` : ''}`;
  const names = Object.keys(exported).filter((key) => key !== 'default' && key !== 'module.exports');
  const each = names.map((key, index) => `const _${index} = all['${key}']; export { _${index} as '${key}' };`);
  return `import all from '${name}'; export default all; ${each.join('\n')}`;
}

function fileOf(name: string): string {
  return name.replaceAll(/\W/g, '_');
}
