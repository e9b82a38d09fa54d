import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startService } from './support/service.ts';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const bash = (command: string, env: Record<string, string>) =>
  promisify(execFile)('bash', ['-c', command], { cwd: root, env: { ...process.env, ...env } });

const service = await startService();
const client = { GIFTWIRE_TOKEN: service.token, GIFTWIRE_URL: service.url, GIFTWIRE_WORKSPACE: '1' };

function line(start: string): string {
  const found = readme.split('\n').find((one) => one.startsWith(start));
  assert.ok(found, `the README has no line that starts with "${start}"`);
  return found;
}

test("the README's own curl line sends a gift", async () => {
  const command = line('curl ').replace('http://127.0.0.1:8080', service.url);
  const { stdout } = await bash(command, client);
  const { requestId, requestStatus } = JSON.parse(stdout);
  assert.equal(requestStatus, 'ACCEPTED');
  assert.equal((await service.finished(requestId)).requestStatus, 'COMPLETED');
});

test("the README's own send line shows the certificate", async () => {
  const { stdout } = await bash(line('npx giftwire send').replace('npx giftwire', 'node bin/giftwire.js'), client);
  assert.match(stdout, /25 CAD/);
  assert.match(stdout, /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/);
});

test('every link in the documents leads somewhere', () => {
  for (const document of ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md']) {
    const text = readFileSync(join(root, document), 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)/g))
      assert.ok(existsSync(join(root, target)), `${document} links to ${target}`);
  }
});
