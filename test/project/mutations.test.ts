import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import type { Mutation } from '../mutations/mutation.ts';
import { apply } from '../mutations/workshop.ts';

const testDir = join(import.meta.dirname, '..');

/** Every mutation, from the files that list them. The others in the folder run them. */
async function readMutations(): Promise<Mutation[]> {
  const mutations: Mutation[] = [];
  for (const path of globSync('mutations/*.ts', { cwd: testDir })) {
    const text = readFileSync(join(testDir, path), 'utf8');
    if (!/^export const \w+Mutations: /m.test(text)) continue;
    const lists = Object.values((await import(join(testDir, path))) as Record<string, Mutation[]>);
    assert.equal(lists.length, 1, `${basename(path)} exports one list of mutations`);
    mutations.push(...lists.flat());
  }
  return mutations;
}

/** The names of a file's tests as they stand in it. Where one is a template, any text of the file may be a part of it. */
function testNames(path: string): string[] {
  const text = readFileSync(join(testDir, path), 'utf8');
  const literal = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`([^`]*)`/.source;
  const quoted = (pattern: string) =>
    [...text.matchAll(new RegExp(pattern, 'g'))].map((found) =>
      found
        .slice(1)
        .join('')
        .replaceAll(/\\(['"])/g, '$1'),
    );
  const names = quoted(`\\btest\\(\\s*(?:${literal})`);
  return names.some((name) => name.includes('${')) ? quoted(literal) : names;
}

const mutations = await readMutations();

test('every mutation applies to the code: change those that do not in test/mutations', () => {
  assert.ok(mutations.length > 100);
  const reasons = mutations.flatMap((mutation) => {
    const result = apply(mutation);
    return 'reason' in result ? [`${mutation.name}: ${result.reason}`] : [];
  });
  assert.deepEqual(reasons, []);
});

test('a name means one mutation', () => {
  const names = mutations.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});

test('the test that a mutation names is one test of its file', () => {
  const wrong: string[] = [];
  for (const { name, caughtBy, only } of mutations)
    for (const file of caughtBy) {
      const matching = testNames(file).filter((one) => only !== undefined && one.includes(only));
      if (only !== undefined && matching.length !== 1)
        wrong.push(`${name}: "${only}" is in the names of ${matching.length} tests of ${file}`);
    }
  assert.deepEqual(wrong, []);
});
