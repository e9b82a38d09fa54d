import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { cleanUp } from '../support/cleanup.ts';
import { startService } from '../support/service.ts';

// Pastes documents beside the guide into one shell each, block after block.

const tokenKey = 'k'.repeat(32);
const root = join(import.meta.dirname, '../..');
const service = await startService({ demo: true, mailServer: 'outbox', tokenKey });
const { token } = await service.addToken({ workspaces: [1] });
const folder = await mkdtemp(join(tmpdir(), 'giftwire-documents-'));
cleanUp(() => rm(folder, { recursive: true }));

async function blocksOf(page: string): Promise<string[]> {
  const text = await readFile(join(root, page), 'utf8');
  return [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
}

async function paste(blocks: readonly string[]): Promise<string> {
  const script = blocks
    .filter((block) => !block.startsWith('export GIFTWIRE_TOKEN='))
    .join('\n')
    .replaceAll('http://127.0.0.1:8080', service.url)
    .replaceAll('npx giftwire', `node ${root}/bin/giftwire.js`);
  const env = {
    ...process.env,
    GIFTWIRE_TOKEN: token,
    GIFTWIRE_URL: service.url,
    DATABASE_URL: service.database.url,
    GIFTWIRE_TOKEN_KEY: tokenKey,
  };
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env });
  return stdout;
}

test('the commands of docs/money.md work one after the other', async () => {
  const stdout = await paste(await blocksOf('docs/money.md'));
  assert.doesNotMatch(stdout, /"type":"(invalid_field|security_error|server_error)"/);
});

test('a document sets every variable that its commands use', async () => {
  for (const page of ['README.md', 'docs/money.md', 'docs/gifts.md', 'docs/events.md', 'docs/directory.md']) {
    const set = new Set(['GIFTWIRE_TOKEN', 'PWD']);
    for (const line of (await blocksOf(page)).join('\n').split('\n')) {
      for (const [, name = ''] of line.matchAll(/\$\{?([A-Z_]+)/g)) assert.ok(set.has(name), `${page}: $${name}`);
      for (const [, name = ''] of line.matchAll(/(?:^|export )([A-Z_]+)=/g)) set.add(name);
    }
  }
});
