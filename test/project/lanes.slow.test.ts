import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { cleanUp } from '../support/cleanup.ts';
import type { Outcome } from '../support/commands-in-turn.ts';
import { projectDir, runProgram } from '../support/process.ts';

const imports = `import assert from 'node:assert/strict'; import net from 'node:net'; import { test } from 'node:test';`;

/** Runs test files as `npm test` does: one after another in one process, from both ends of the alphabet in turn. */
async function runInLane(files: Record<string, string>): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'giftwire-lanes-'));
  cleanUp(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'files'));
  const paths = Object.keys(files).map((name) => join(folder, 'files', `${name}.test.mjs`));
  for (const [index, text] of Object.values(files).entries())
    await writeFile(paths[index] as string, `${imports}\n${text}\n`);
  const queue = JSON.stringify(join(projectDir, 'test/support/queue.ts'));
  const setup = join(folder, 'setup.mjs');
  await writeFile(
    setup,
    `import { closeQueue, fillQueue } from ${queue};
     export const globalSetup = () => fillQueue(${JSON.stringify(paths)});
     export const globalTeardown = closeQueue;`,
  );
  const flags = ['--test', '--test-reporter=spec', '--test-timeout=2000', `--test-global-setup=${setup}`];
  // Where no browser is found, none is started.
  const env = { PATH: dirname(process.execPath), GIFTWIRE_TEST_LEAVING_MS: '1000' };
  return runProgram(process.execPath, [...flags, join(projectDir, 'test/support/lanes/first.ts')], env);
}

// At the same time, because each run waits for its time limits most of the time.
suite('test files that share a process', { concurrency: true }, () => {
  test('what is wrong with a file that shares its process is said, by file, test and line, and fails the run', async () => {
    const { code, stdout } = await runInLane({
      'f-fails': `test('good', () => {});\ntest('one is two', () => assert.equal(1, 2));`,
      'a-hangs': `test('no end', () => new Promise((resolve) => { setTimeout(resolve, 20_000).unref(); }));`,
      'e-throws': `throw new Error('not loaded');`,
      'b-empty': '',
      'd-leaks': `test('opens a port', () => { net.createServer().listen(0); });`,
      'c-good': `test('the last one', () => {});`,
    });
    assert.equal(code, 1, stdout);
    assert.match(stdout, /test at .*f-fails\.test\.mjs:3:1\n✖ one is two/);
    assert.match(stdout, /test at .*a-hangs\.test\.mjs:2:1\n✖ no end .*\n.*timed out after 2000ms/);
    assert.match(stdout, /✖ .*e-throws\.test\.mjs .*\n +Error: not loaded/);
    assert.match(stdout, /✖ .*b-empty\.test\.mjs .*\n +AssertionError.*: the file has no test/);
    assert.match(stdout, /✖ .*d-leaks\.test\.mjs .*\n +Error: the file leaves something open: TCPServerWrap/);
    assert.match(stdout, /✔ the last one/);
  });

  test('a process that ends too early fails the run, which names the file that it was at and those that nobody took', async () => {
    const { code, stdout, stderr } = await runInLane({
      'c-good': `test('good', () => {});`,
      'a-ends': `test('kills the process', () => process.kill(process.pid, 'SIGKILL'));`,
      'b-waits': `test('never begun', () => {});`,
    });
    assert.equal(code, 1, stdout);
    assert.match(stderr, /did not run to their end:\n.*a-ends\.test\.mjs\n.*b-waits\.test\.mjs\n$/);
  });

  test('a file gets the environment and the end that it would have in a process of its own', async () => {
    const { code, stdout } = await runInLane({
      'd-sets': `process.env.GIFTWIRE_LEFT = 'behind'; process.env.HOME = '/nowhere'; test('sets', () => {});`,
      'a-reads': `test('reads', () => { assert.equal(process.env.GIFTWIRE_LEFT, undefined); assert.notEqual(process.env.HOME, '/nowhere'); });`,
      'c-exits': `test('exit code', () => { process.exitCode = 0; }); test('fails', () => assert.fail());`,
      'b-late': `test('late', () => { setTimeout(() => { throw new Error('too late'); }, 100); });`,
    });
    assert.equal(code, 1, stdout);
    assert.match(stdout, /✔ reads/);
    assert.match(stdout, /created the error "Error: too late"/);
  });

  test('files that the queue leaves out are run by the test script itself', async () => {
    const { scripts } = JSON.parse(await readFile(join(projectDir, 'package.json'), 'utf8'));
    assert.match(scripts.test, / 'test\/\*\*\/\*\.alone\.test\.ts'$/);
  });
});
