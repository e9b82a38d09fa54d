import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startService } from '../support/service.ts';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const bash = (command: string, env: Record<string, string>) =>
  promisify(execFile)('bash', ['-c', command], { cwd: root, env: { ...process.env, ...env } });

const service = await startService();
const client = { GIFTWIRE_TOKEN: service.token, GIFTWIRE_URL: service.url, GIFTWIRE_WORKSPACE: '1' };

/** A line of the README's shell blocks. */
function line(start: string): string {
  const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block as string);
  const found = blocks.flatMap((block) => block.split('\n')).find((one) => one.startsWith(start));
  assert.ok(found, `the README has no command that starts with "${start}"`);
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

test("the README's answers have the fields that the service gives", async () => {
  const shown = readme.split('\n').filter((one) => one.startsWith('{"'));
  const { stdout } = await bash(line('curl ').replace('http://127.0.0.1:8080', service.url), client);
  const created = JSON.parse(stdout);
  await service.finished(created.requestId);
  const { body: order } = await service.call(`/api/v1/orders/${created.requestId}`);
  assert.deepEqual(
    shown.map(fieldsOf),
    [created, order].map((answer) => fieldsOf(JSON.stringify(answer))),
  );
});

/** The names of all fields, also of those inside. */
function fieldsOf(json: string): string[] {
  const names: string[] = [];
  JSON.parse(json, (name, value) => {
    names.push(name);
    return value;
  });
  return names;
}

test('docs/README.md lists every page of docs/, and docs/testing.md every fault', async () => {
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
  for (const page of globSync(['docs/*.md', 'docs/guide/*.md'], { cwd: root }).map((path) => path.replace('docs/', '')))
    if (page !== 'README.md') assert.ok(index.includes(`[${page}](${page})`), `docs/README.md does not list ${page}`);
  const testing = readFileSync(join(root, 'docs/testing.md'), 'utf8');
  const { stdout } = await bash('node test/faults/run.ts --list', {});
  const faults = Array.from(stdout.matchAll(/^\S+/gm), ([name]) => name);
  for (const fault of faults)
    assert.ok(testing.includes(`\`${fault}\``), `docs/testing.md does not list the fault ${fault}`);
  const [, chosen = ''] = /^faults=(\S+)$/m.exec(readFileSync(join(root, '.ci/run'), 'utf8')) ?? [];
  for (const fault of chosen.split(',')) assert.ok(faults.includes(fault), `.ci/run names the fault ${fault}`);
});

test('every link in the documents leads somewhere', () => {
  for (const document of globSync(['*.md', 'docs/**/*.md'], { cwd: root })) {
    const text = readFileSync(join(root, document), 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)/g))
      assert.ok(existsSync(join(root, dirname(document), target)), `${document} links to ${target}`);
  }
});
