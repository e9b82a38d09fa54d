import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');

test('docs/README.md lists every page of docs/, and docs/testing.md every fault', async () => {
  const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
  for (const page of globSync(['docs/*.md', 'docs/guide/*.md'], { cwd: root }).map((path) => path.replace('docs/', '')))
    if (page !== 'README.md') assert.ok(index.includes(`[${page}](${page})`), `docs/README.md does not list ${page}`);
  const testing = readFileSync(join(root, 'docs/testing.md'), 'utf8');
  const { stdout } = await promisify(execFile)(process.execPath, ['test/faults/run.ts', '--list'], { cwd: root });
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
