import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const files = globSync('src/**/*.ts', { cwd: root }).map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}));

/** Who may import whom. A room not listed here, or an arrow that points up, fails. */
const mayImport: Record<string, string[]> = {
  main: ['cli', 'errors'],
  cli: [
    'access',
    'app',
    'config',
    'contract',
    'database',
    'directory',
    'errors',
    'log',
    'orders',
    'processes',
    'recognition',
  ],
  app: ['config', 'database', 'demo', 'orders', 'processes', 'service'],
  service: ['access', 'config', 'database', 'errors', 'http', 'jobs', 'metrics', 'orders', 'processes', 'recognition'],
  processes: ['config', 'errors', 'http', 'metrics'],
  http: [
    'access',
    'contract',
    'database',
    'directory',
    'errors',
    'metrics',
    'orders',
    'recognition',
    'reports',
    'scim',
  ],
  jobs: ['database'],
  demo: ['access', 'database', 'directory', 'orders', 'recognition'],
  orders: ['access', 'config', 'contract', 'database', 'directory', 'errors'],
  reports: ['access', 'contract', 'database', 'directory', 'errors', 'recognition'],
  recognition: ['access', 'contract', 'database', 'directory', 'errors'],
  scim: ['access', 'contract', 'database', 'directory', 'errors'],
  access: ['config', 'database', 'directory', 'errors'],
  directory: ['contract', 'database', 'errors'],
  database: ['config', 'errors'],
  contract: [],
  metrics: [],
  log: [],
  config: ['contract', 'errors'],
  errors: [],
};

/** Which rooms know a library. */
const knownTo: Record<string, string[]> = {
  fastify: ['http'],
  '@fastify': ['http'],
  ajv: ['http'],
  negotiator: ['http'],
  pg: ['database'],
  'node-pg-migrate': ['database'],
  // The queue's schema is migrated together with ours.
  'graphile-worker': ['jobs', 'database'],
  commander: ['main', 'cli'],
  'prom-client': ['metrics'],
  'pino-pretty': ['log'],
  'rate-limiter-flexible': ['http', 'processes'],
  scimmy: ['scim'],
  'scim-patch': ['scim'],
  'scim2-parse-filter': ['scim'],
  'csv-parse': ['directory'],
  'cli-progress': ['cli'],
};

function roomOf(path: string): string {
  return (path.split('/')[1] as string).replace(/\.ts$/, '');
}

function importsOf({ path, text }: { path: string; text: string }): string[] {
  const found = text.matchAll(/^(?:import|export)\s[^;]*?from '([^']+)';|^import '([^']+)';|\bimport\('([^']+)'\)/gms);
  return [...found].map((match) => {
    const target = (match[1] ?? match[2] ?? match[3]) as string;
    return target.startsWith('.') ? join(dirname(path), target) : target;
  });
}

test('arrows between rooms point down', () => {
  for (const file of files) {
    const room = roomOf(file.path);
    for (const target of importsOf(file).filter((one) => one.startsWith('src/'))) {
      const allowed = [room, ...(mayImport[room] ?? [])];
      assert.ok(allowed.includes(roomOf(target)), `${file.path} may not import ${target}`);
    }
  }
});

test('a library is known only to the room that it was chosen for', () => {
  for (const file of files) {
    for (const target of importsOf(file)) {
      const library = target.split('/')[0] as string;
      const rooms = knownTo[library];
      if (rooms) assert.ok(rooms.includes(roomOf(file.path)), `${file.path} may not know ${library}`);
    }
  }
});

test('only config.ts reads the environment', () => {
  const readers = files.filter(({ text }) => text.includes('process.env')).map(({ path }) => path);
  assert.deepEqual(readers, ['src/config.ts']);
});

test('everything exported is used by another file', () => {
  const tests = globSync('test/**/*.ts', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'));
  for (const { path, text } of files) {
    for (const [, name = ''] of text.matchAll(/^export (?:async )?(?:function|class|const|interface|type) (\w+)/gm)) {
      const used = [...files.filter((file) => file.path !== path).map((file) => file.text), ...tests];
      const inside = text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0;
      const isShape = new RegExp(`^export (interface|type) ${name}\\b`, 'm').test(text);
      assert.ok(
        used.some((other) => new RegExp(`\\b${name}\\b`).test(other)) ||
          (isShape && inside > 1) ||
          path === 'src/main.ts',
        `${path} exports ${name}, which nothing uses`,
      );
    }
  }
});

test('a file is one idea: none has more than 300 lines', () => {
  for (const { path, text } of files) assert.ok(text.split('\n').length <= 300, path);
});
