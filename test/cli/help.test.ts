import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { examples } from '../../src/doors/cli/examples.ts';
import { commandsByPath } from '../../src/doors/cli/help.ts';
import { createProgram } from '../../src/doors/cli/program.ts';
import { giftwire, program, projectDir, shellEnv } from '../support/process.ts';

const commands = new Map(commandsByPath(await createProgram()));
const callable = [...commands].filter(([, command]) => command.commands.length === 0);

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text;
}

test('the help of every command has examples', () => {
  assert.ok(callable.length > 15);
  for (const [path, command] of callable) {
    const lines = examples[path];
    assert.ok(lines, `src/doors/cli/examples.ts has none for "${path}"`);
    const help = helpOf(command);
    for (const line of lines) assert.ok(help.includes(`\n  ${line}\n`), `${path}: ${line}`);
  }
});

test('the help that is printed is the one with examples', async () => {
  const { code, stdout } = await giftwire(['token', 'rotate', '--help'], {});
  assert.equal(code, 0);
  assert.match(stdout, /\nExamples:\n {2}npx giftwire token rotate 3 /);
});

test('a reader that closes the pipe early breaks no command, and hides no failure', async () => {
  for (const [args, expected] of [
    [['--help'], 0],
    [['env'], 0],
    [['nonsense'], 2],
  ] as const) {
    const child = spawn(process.execPath, [program, ...args], { env: shellEnv({}), stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    if (expected === 2) child.stderr.destroy();
    let said = '';
    child.stderr.on('data', (text) => {
      said += text;
    });
    const [code] = await once(child, 'exit');
    assert.deepEqual([code, said], [expected, ''], args.join(' '));
  }
});

/** The command that these words call, and the options that they give. */
function parse(typed: string): { called: string | undefined; command: Command | undefined; given: string[] } {
  const words = typed.replace(/^member /, 'members ').replace(/^backup (?=--)/, 'backup create ');
  const called = [...commands.keys()].filter((one) => one !== '' && `${words} `.startsWith(`${one} `)).pop();
  const given = [...words.matchAll(/ (--[a-z-]+)/g)].map(([, flag = '']) => flag);
  return { called, command: commands.get(called ?? ''), given };
}

const has = (command: Command, flag: string) => flag === '--help' || command.options.some(({ long }) => long === flag);
const requiredBy = (command: Command) =>
  command.options.filter(({ mandatory }) => mandatory).map(({ long }) => long as string);

test('examples use existing commands and options, and every required option', () => {
  const lines = Object.entries(examples).flatMap(([path, some]) => {
    const whole = some.join('\n').replaceAll(/ \\\n +/g, ' ');
    return whole.split('\n').map((line) => ({ path, line }));
  });
  for (const { path, line } of lines.filter(({ line }) => line.includes('npx giftwire'))) {
    const { called, command, given } = parse(line.replace(/^.*npx giftwire /, '').replace(/ +#.*$/, ''));
    assert.ok(called && command && (path === '' || path === called), `${path}: ${line}`);
    for (const flag of given) assert.ok(has(command, flag), `${flag} in ${line}`);
    for (const flag of requiredBy(command)) assert.ok(given.includes(flag), line);
  }
});

test('documents use existing commands and options, and every required option where they can be pasted', () => {
  const documents = globSync(['*.md', 'docs/*.md', 'docs/guide/*.md', 'sdk/*.md'], { cwd: projectDir });
  for (const path of documents.filter((path) => path !== 'CHANGELOG.md')) {
    const text = readFileSync(join(projectDir, path), 'utf8').replaceAll(/ \\\n +/g, ' ');
    for (const part of text.split('```'))
      for (const [line, words = ''] of part.matchAll(/npx giftwire ([^`|;)<>\n#&]+)/g)) {
        const { called, command, given } = parse(words.trim());
        assert.ok(command && (called || words.startsWith('-')), `${path}: ${line}`);
        for (const flag of given) assert.ok(has(command, flag), `${path}: ${flag} in ${line}`);
        if (part.startsWith('sh\n'))
          for (const flag of requiredBy(command)) assert.ok(given.includes(flag), `${path}: ${line} lacks ${flag}`);
      }
  }
});

test('a default is shown as it would be typed', () => {
  for (const [path, command] of callable) assert.doesNotMatch(helpOf(command), /default: [[{"]/, path);
  assert.match(helpOf(commands.get('members split') as Command), /\(default:\s+email,login,employeeNumber\)/);
});

test('examples fit a terminal of 80 columns', () => {
  for (const line of Object.values(examples).flat()) assert.ok(line.length <= 78, line);
});

test('a required option is marked, and shown in the usage line', () => {
  const required = callable.flatMap(([path, command]) =>
    command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => ({ path, flags, help: helpOf(command) })),
  );
  assert.ok(required.some(({ path }) => path === 'token create'));
  for (const { path, flags, help } of required) {
    const [usage = '', ...rest] = help.split('\n');
    assert.ok(usage.includes(` ${flags} `), `${path}: ${usage}`);
    const [, described = ''] = rest.join('\n').split(`\n  ${flags} `);
    assert.match(described.split(/\n {2}-/)[0] ?? '', /\(required\)/, `${path} ${flags}`);
  }
  const optional = helpOf(commands.get('order list') as Command);
  assert.doesNotMatch(optional, /\(required\)/);
});
