import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { guideSlugs } from '../../src/doors/http/areas/docs/guide.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { makeDataDir, program, projectDir, serve, shellEnv } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { openShell } from '../support/shell.ts';

// Pastes the commands of each document into a shell, block after block, beside a service on its first start.
// test/http/guide.slow.test.ts does the same with the guide, and compares every value.

/** Blocks that this test does not paste: how each begins, and why. */
const notPasted: Record<string, Record<string, string>> = {
  'README.md': {
    'npm ci && npm start': 'serves until it is stopped; test/project/package.slow.test.ts starts an installation',
    'npm ci && npm test': 'runs all tests',
  },
  'CONTRIBUTING.md': {
    'npm ci ': 'installs the clone again, and serves until it is stopped',
    'npx giftwire --help ': 'formats and checks the clone',
  },
  'docs/README.md': { 'chromium ': 'changes a picture of the repository' },
  'docs/approvals.md': {
    'npx giftwire approval decline ': 'has example ids; test/cli/approvals.test.ts declines an order',
  },
  'docs/command-line.md': { 'npx giftwire ': 'lists commands with example ids; test/cli/help.test.ts compares them' },
  'docs/deploy.md': {
    'npm ci && npm pack ': 'test/project/package.slow.test.ts packs, installs and runs it',
    'npm install --prefix /opt/giftwire ': 'needs root and systemd; test/project/deploy.slow.test.ts checks the unit',
    'docker build ': 'needs Docker',
    'mmdebstrap ': 'needs Debian, root and buildah',
    'sh deploy/make-secrets.sh': 'needs Docker; test/project/deploy.slow.test.ts runs the script',
    'kubectl ': 'needs a cluster; test/project/chart.slow.test.ts checks the manifests',
    'NODE_EXTRA_CA_CERTS=': 'serves until it is stopped',
  },
  'docs/gifts.md': {
    'curl -sS http://127.0.0.1:8080/api/v1/bounces ': 'needs a returned email; test/delivery has some',
  },
  'docs/operate.md': {
    'GIFTWIRE_ENV=production ': 'serves until it is stopped',
    'createdb ': 'needs a PostgreSQL server; test/backup/programs.slow.test.ts does these steps',
    'pg_basebackup ': 'needs a PostgreSQL server; test/backup/point-in-time.slow.test.ts does these steps',
    'cp -a /mnt/base/': 'needs a PostgreSQL server; test/backup/point-in-time.slow.test.ts does these steps',
    'npx giftwire database move ':
      'needs another PostgreSQL server; test/cli/database-move-steps.slow.test.ts does this',
    'psql ': 'needs a PostgreSQL server, as its superuser',
  },
  'docs/testing.md': { 'npm run test:': 'runs the faults, or the fuzz' },
  'sdk/README.md': { 'npm ci && npm run build:sdk ': 'test/sdk/package.slow.test.ts packs, installs and uses it' },
};

const documents = globSync(['*.md', 'docs/**/*.md', 'sdk/*.md'], { cwd: projectDir })
  .filter((path) => path !== 'CHANGELOG.md')
  .sort();
const guide = guideSlugs.map((slug) => `docs/guide/${slug}.md`);

/** Where a reader receives webhooks. */
const receiver = await startReceiver();

interface Block {
  lines: string;
  /** JSON that the document shows below. */
  response: string | undefined;
}

function blocksOf(path: string): Block[] {
  const text = readFileSync(join(projectDir, path), 'utf8');
  return [...text.matchAll(/^ *```sh\n(.*?)```(?:\n\n```json\n(.*?)```)?/gms)].map(([, lines = '', response]) => ({
    lines,
    response,
  }));
}

const reasonFor = (path: string, { lines }: Block) =>
  Object.keys(notPasted[path] ?? {}).find((start) => lines.startsWith(start));

/** `export GIFTWIRE_TOKEN=gw_test_…`: a value that the reader fills in. */
const isFilledIn = ({ lines }: Block) => /^export \w+=\S*…/.test(lines);

/** The names of all fields, also of those inside. */
function fieldsOf(json: string): string[] {
  const names: string[] = [];
  JSON.parse(json, (name, value) => {
    names.push(name);
    return value;
  });
  return names;
}

test('every block of commands is pasted by a test, or has a reason why not', () => {
  for (const [path, reasons] of Object.entries(notPasted)) {
    const used = blocksOf(path).map((block) => reasonFor(path, block));
    for (const start of Object.keys(reasons)) assert.ok(used.includes(start), `${path} has no block ${start}`);
  }
  for (const path of documents.filter((path) => path.startsWith('docs/guide/') && blocksOf(path).length > 0))
    assert.ok(guide.includes(path), `${path} is no page of the guide`);
});

test('a document sets every variable that its commands use', () => {
  for (const path of documents.filter((path) => !guide.includes(path))) {
    const set = new Set(['PWD']);
    const lines = blocksOf(path).map(({ lines }) => lines);
    for (const line of lines
      .join('\n')
      .replaceAll(/'[^']*'/g, '')
      .split('\n')) {
      for (const [, name = ''] of line.matchAll(/(?:^|export |; )(\w+)=/g)) set.add(name);
      for (const [, name = ''] of line.matchAll(/\$\{?(\w+)/g)) assert.ok(set.has(name), `${path}: $${name}`);
    }
  }
});

for (const path of documents.filter((path) => !guide.includes(path))) {
  const blocks = blocksOf(path).filter((block) => reasonFor(path, block) === undefined && !isFilledIn(block));
  if (blocks.length === 0) continue;

  test(`the commands of ${path} work one after the other`, async () => {
    const database = await createTestDatabase();
    const installation = { DATABASE_URL: database.url, GIFTWIRE_DATA_DIR: await makeDataDir() };
    const service = await serve(installation);
    const folder = await mkdtemp(join(tmpdir(), 'giftwire-documents-'));
    cleanUp(() => rm(folder, { recursive: true }));
    const token = String(service.ready.token);
    const shell = openShell(folder, shellEnv({ ...installation, GIFTWIRE_TOKEN: token, GIFTWIRE_URL: service.url }));
    for (const { lines, response } of blocks) {
      const printed = await shell.paste(
        lines
          .replaceAll('http://127.0.0.1:8080', service.url)
          .replaceAll('https://hooks.example.com', receiver.url)
          .replaceAll('npx giftwire', `${process.execPath} ${program}`),
      );
      assert.doesNotMatch(printed, /"type":"(invalid_field|security_error|server_error|not_found)"/, lines);
      if (response) assert.deepEqual(fieldsOf(printed), fieldsOf(response), lines);
      // Orders are fulfilled before a reader has pasted the next block.
      await eventually(async () => (await database.query('select from pending_orders')).length === 0);
    }
    await shell.end();
    await service.end('SIGTERM');
  });
}
