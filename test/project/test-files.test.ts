import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { mayImport } from '../support/modules.ts';
import { importsOf, moduleOf, read, root } from '../support/source-files.ts';

const testFiles = globSync('test/**/*.ts', { cwd: root }).map((path) => ({
  path,
  text: read(path),
}));

test('a test file has one subject: none has more than 400 lines', () => {
  for (const { path, text } of testFiles.filter((file) => file.path.endsWith('.test.ts')))
    assert.ok(text.split('\n').length <= 401, `${path} has ${text.split('\n').length - 1} lines: split it by subject`);
});

test('a folder of tests is named as a module of src, or is one of a few others', () => {
  const others = ['console', 'faults', 'fuzz', 'gift-page', 'mutations', 'project', 'sdk', 'service', 'support'];
  for (const { path } of testFiles) {
    const folder = moduleOf(path);
    assert.ok([...Object.keys(mayImport), ...others].includes(folder), `${path}: src has no module "${folder}"`);
  }
});

test('tests import nothing from the fault program: what both need is in test/support', () => {
  for (const file of testFiles.filter(({ path }) => !path.startsWith('test/faults/')))
    for (const target of importsOf(file))
      assert.ok(!target.startsWith('test/faults/'), `${file.path} may not import ${target}`);
});

test('tests measure no time, and draw random cases with the seed of the run', () => {
  const tests = testFiles.filter(({ path }) => path.endsWith('.test.ts') && !path.startsWith('test/project/'));
  for (const { path, text } of tests) {
    const held = `${path}: hold the clock or the timers (test/support/held-time.ts)`;
    assert.doesNotMatch(text, /(?:performance|Date)\.now\(\) - (?!Date|\d)\w+\b(?!\.)/, held);
    assert.doesNotMatch(
      text,
      /\bMath\.random\(|\brandomInt\(|from 'fast-check'/,
      `${path}: use test/support/fast-check.ts`,
    );
  }
});

test('tests wait with eventually alone', () => {
  // A fault may go on for a while: its loops have an end, and wait for nothing.
  const others = testFiles.filter(({ path }) => !path.startsWith('test/faults/') && !path.endsWith('/eventually.ts'));
  const loops = others.filter(({ text }) => /\b(?:while|for) \([^\n]*\bDate\.now\(\)/.test(text));
  assert.deepEqual(
    loops.map(({ path }) => path),
    [],
  );
});
