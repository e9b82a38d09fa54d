import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const { config } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { config: { v8: string } };

/** The flags of the process that runs a command in the end, or something else that it knows. */
function flagsOf(args: string[], given: string[] = [], told = 'process.execArgv'): string[] {
  const telling = encodeURIComponent(`console.error(JSON.stringify(${told}))`);
  const env = {
    HOME: process.env.HOME,
    PATH: process.env.PATH,
    NODE_OPTIONS: `--import=data:text/javascript,${telling}`,
  };
  const program = [join(root, 'bin/giftwire.js'), ...args];
  const { stderr } = spawnSync(process.execPath, [...given, ...program], { env, encoding: 'utf8' });
  const said = stderr.split('\n').filter((line) => line.startsWith('['));
  return JSON.parse(said.at(-1) ?? '[]') as string[];
}

test('commands that run for long bound the memory of V8, and others start at once', () => {
  assert.deepEqual(flagsOf(['members', 'import', '--help']), config.v8.split(' '));
  assert.deepEqual(flagsOf(['members', 'export', '--help']), []);
});

test('the service and imports let glibc return large buffers at once', () => {
  const told = '[process.env.MALLOC_MMAP_THRESHOLD_]';
  assert.deepEqual(flagsOf(['serve', '--help'], [], told), ['1048576']);
  assert.deepEqual(flagsOf(['members', 'import', '--help'], [], told), ['131072']);
});

test('a flag that somebody has set stays as they set it, also to the opposite', () => {
  const given = ['--memory-reducer', '--max-semi-space-size=8'];
  const flags = flagsOf(['members', 'import', '--help'], given);
  assert.deepEqual(flags.slice(0, 2), given);
  assert.deepEqual(
    flags.filter((flag) => /memory-reducer|semi-space/.test(flag)),
    given,
  );
});
