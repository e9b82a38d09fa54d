import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const { config } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { config: { v8: string } };

/** The flags of the process that runs a command in the end. */
function flagsOf(args: string[], given: string[] = []): string[] {
  const telling = encodeURIComponent('console.error(JSON.stringify(process.execArgv))');
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

test('a flag that somebody has set stays as they set it, also to the opposite', () => {
  const given = ['--memory-reducer', '--max-semi-space-size=8'];
  const flags = flagsOf(['members', 'import', '--help'], given);
  assert.deepEqual(flags.slice(0, 2), given);
  assert.deepEqual(
    flags.filter((flag) => /memory-reducer|semi-space/.test(flag)),
    given,
  );
});
