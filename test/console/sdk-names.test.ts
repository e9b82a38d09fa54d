import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const textsOf = (pattern: string) =>
  globSync(pattern, { cwd: root }).map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

/** The former names of methods, as `pools.add`. */
function formerNames(): string[] {
  return textsOf('sdk/src/resources/*.ts').flatMap(({ file, text }) => {
    const resource = file.replace(/^.*\/|\.ts$/g, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const names = text.matchAll(/@deprecated.*\n\s+readonly (\w+) = /g);
    return [...names].map(([, name]) => `${resource}.${name}`);
  });
}

test('the console calls no deprecated method of the SDK', () => {
  const former = formerNames();
  assert.ok(former.includes('pools.add') && former.includes('spendingOptions.set'));
  const calls = textsOf('console/src/**/*.{ts,tsx}').flatMap(({ file, text }) =>
    [...text.matchAll(/giftwire\.(\w+\.\w+)/g)].map(([, name = '']) => ({ file, name })),
  );
  assert.ok(calls.length > 50);
  assert.deepEqual(
    calls.filter(({ name }) => former.includes(name)),
    [],
  );
});
