import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { settings } from '../../src/ground/config/config.ts';
import { cleanUp } from '../support/cleanup.ts';
import { assertFailed, type Json, runJson } from '../support/commands.ts';
import type { Env, Outcome } from '../support/commands-in-turn.ts';
import { createTestDatabase } from '../support/database.ts';
import { giftwire, giftwireProcess, program, projectDir, runProgram } from '../support/process.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;
const env = { DATABASE_URL: database.url, PORT: new URL(service.url).port };
const json = <T = Json>(args: string[], more: Env = env) => runJson<T>(args, more);

test('every command explains itself', async () => {
  const commands = [
    ...['', 'serve', 'send', 'doctor', 'migrate', 'env', 'workspace', 'token', 'order', 'order list', 'order show'],
    ...['workspace create', 'workspace update', 'workspace list'],
    ...['token create', 'token list', 'token revoke', 'token rotate'],
    ...['members import', 'members export', 'members merge', 'members split'],
    ...['automation list', 'automation show', 'automation pause', 'automation resume'],
    ...['automation occurrences', 'automation plan'],
    ...['reason list', 'reason add', 'reason update', 'reason retire'],
  ];
  const explained = await Promise.all(
    commands.map((command) => giftwire([...command.split(' '), '--help'].filter(Boolean), {})),
  );
  for (const [index, { code, stdout, stderr }] of explained.entries()) {
    const command = commands[index] as string;
    assert.equal(code, 0, command);
    assert.equal(stderr, '');
    assert.ok(stdout.startsWith(`Usage: giftwire${command && ` ${command}`}`), stdout);
    const machines = /^(send|doctor|migrate|env|\w+ \w+)$/.test(command);
    assert.equal(stdout.includes('--json'), machines, command);
  }
});

test('wrong usage is explained, with exit code 2', async () => {
  const cases: [string, RegExp][] = [
    ['fly', /unknown command 'fly'/],
    ['', /Usage: giftwire/],
    ['workspace', /Usage: giftwire workspace/],
    ['token lend', /unknown command 'lend'/],
    ['env --colour', /unknown option '--colour'/],
    ['workspace create', /required option '--name <name>'/],
    ['workspace create --name= ', /1 to 100 characters/],
    ['workspace create --name A --language english', /language and a region/],
    ['workspace create --name A --unknown-employee-numbers maybe', /accept, refuse/],
    ['workspace create --name A --leavers maybe', /accept, refuse/],
    ['workspace create --name A --shoutout-approval maybe', /required, none/],
    ['workspace update one --name A', /positive whole number/],
    ['reason list', /required option '--workspace <id>'/],
    ['reason add --workspace 1', /missing required argument 'description'/],
    ['reason retire one --workspace 1', /positive whole number/],
    ['token create --name A', /required option '--workspace <id>'/],
    ['token create --workspace 1,x', /positive whole number/],
    [
      'token create --workspace 1 --scopes orders:eat',
      /orders:write, orders:read, orders:delegate, gifts:read, gifts:manage, gifts:correct, gifts:redeem, budgets:read, budgets:manage, rules:read, rules:manage, approvals:read, approvals:decide, automations:read, automations:manage, reports:read/,
    ],
    ['token create --workspace 1 --expires soon', /duration such as 90d/],
    ['token create --workspace 1 --expires 0d', /duration/],
    ['token create --workspace 1 --rate-limit -5', /positive whole number/],
    ['token create --workspace 1 --rate-limit 3000000000', /whole number/],
    ['token revoke', /missing required argument 'id'/],
    ['token revoke one', /positive whole number/],
    ['token rotate 1.5', /positive whole number/],
    ['order show 7', /UUID/],
    ['send --to a@example.com --message Thanks', /required option '--amount <amount>'/],
    ['send --amount 5 --message Thanks', /--to/],
    ['send --to a@example.com --amount much --message Thanks', /amount/],
    ['send --to a@example.com --amount 5 --message Thanks --timeout long', /timeout/],
    ['send --to a@example.com --amount 5 --message Thanks --reference a\u0001b', /printable characters/],
    ['send --to a@example.com --amount 5 --message Thanks --idempotency-key a\nb', /printable characters/],
  ];
  // None of these needs the database, so an unreachable one must do.
  const away = { GIFTWIRE_TOKEN: service.token, DATABASE_URL: 'postgres://localhost:1/none' };
  const outcomes = await Promise.all(cases.map(([args]) => giftwire(args === '' ? [] : args.split(' '), away)));
  const wrong = cases.flatMap(([args, says], index) => {
    const { code, stdout, stderr } = outcomes[index] as Outcome;
    return code === 2 && stdout === '' && says.test(stderr) ? [] : [{ args, code, stdout, stderr }];
  });
  assert.deepEqual(wrong, []);
});

test('migrating twice changes nothing the second time', async () => {
  const { url } = await createTestDatabase({ template: 'template0' });
  const where = { DATABASE_URL: url };
  const { code, stdout } = await giftwire(['doctor', '--json'], where);
  assert.equal(code, 12);
  const finding = (JSON.parse(stdout) as { findings: Json[] }).findings.find(({ check }) => check === 'migrations');
  assert.deepEqual([finding?.ok, finding?.advice], [false, 'Run "giftwire migrate" or start the service.']);
  const first = await json<{ applied: string[] }>(['migrate'], where);
  assert.ok(first.applied.includes('0001_foundation'));
  assert.deepEqual(await json(['migrate'], where), { applied: [] });
});

test('doctor passes a healthy service, and says what to do about each problem', async () => {
  const healthy = await json<{ ok: boolean; findings: Json[] }>(['doctor']);
  assert.equal(healthy.ok, true);
  // A service that has just started may still fill columns in the background, which the doctor notes.
  assert.deepEqual(
    healthy.findings.filter(({ check }) => check !== 'background').map(({ check, ok }) => [check, ok]),
    [
      'settings',
      'database',
      'migrations',
      'environment',
      'history',
      'access',
      'queue',
      'backup',
      'connections',
      'clock',
      'replication',
      'mail',
      'service',
    ].map((check) => [check, true]),
  );
  const empty = await createTestDatabase();
  const late = await createTestDatabase();
  await late.query(
    `insert into pending_orders (workspace_id, request_id, gifts, accepted_at)
     values (1, gen_random_uuid(), 1, now() - interval '1 hour')`,
  );
  await late.query(`insert into installation values (true, 'production')`);
  const port = '1';
  const ill = await Promise.all([
    giftwire(['doctor'], { ...env, PORT: 'http', GIFTWIRE_ROLE: 'boss' }),
    giftwire(['doctor'], { PORT: port, DATABASE_URL: 'postgres://localhost:1/none' }),
    giftwire(['doctor'], { PORT: port, DATABASE_URL: database.url.replace(database.name, 'nothing_here') }),
    giftwire(['doctor'], { PORT: port, DATABASE_URL: empty.url }),
    giftwire(['doctor'], { PORT: port, DATABASE_URL: late.url }),
  ]);
  assert.deepEqual(
    ill.map(({ code, stderr }) => [code, stderr]),
    [10, 11, 11, 24, 13].map((code) => [code, '']),
  );
  const [settled, unreachable, absent, unused, waiting] = ill.map(({ stdout }) => stdout) as [string, ...string[]];
  assert.match(settled, /✗ settings[\s\S]*PORT must[\s\S]*GIFTWIRE_ROLE must[\s\S]*→ .*giftwire env/);
  assert.match(String(unreachable), /✗ database +\S.*\n +→ .*DATABASE_URL/);
  assert.match(String(absent), /✗ database +.*nothing_here.*create database/);
  assert.match(String(unused), /✗ access +0 workspaces, 0 usable tokens\n +→ .*workspace create/);
  assert.match(String(waiting), /✗ environment .*production\n +→ Set GIFTWIRE_ENV=production/);
  assert.match(String(waiting), /✗ queue +1 order .*36\d\d s\n +→ /);
  assert.match(String(waiting), /^– service +not running at /m);
});

test('an unreachable database is reported in one line, without the password', async () => {
  const away = { DATABASE_URL: 'postgres://giftwire:hunter2@localhost:1/none' };
  const outcomes = await Promise.all([
    giftwireProcess(['workspace', 'list'], away),
    giftwire(['token', 'revoke', '1'], away),
    giftwire(['migrate'], away),
  ]);
  for (const outcome of outcomes) {
    assertFailed(outcome, /DATABASE_URL/);
    assert.doesNotMatch(outcome.stderr, /hunter2/);
  }
});

test('every setting is listed with its default', async () => {
  assert.deepEqual(await json(['env'], {}), settings);
  const { stdout } = await runProgram('npm', ['run', '--silent', 'env'], {});
  for (const { name, default: value } of settings)
    assert.ok(stdout.includes(`\n${name} `) && stdout.includes(value), name);
});

test('npx finds the command in the project folder', async () => {
  const { code, stdout } = await runProgram('npx', ['giftwire', 'env', '--help'], {});
  assert.equal(code, 0);
  assert.match(stdout, /^Usage: giftwire env /);
});

const installed = join(projectDir, 'node_modules/.bin');
const outside = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.startsWith(installed) && existsSync(join(folder, 'node')))
  .map((folder) => join(folder, 'node'))[0];
const major = outside ? Number((await runProgram(outside, ['--version'], {})).stdout.slice(1).split('.')[0]) : 24;
const skip =
  (major >= 24 && 'the Node of this machine is new enough') ||
  (!existsSync(join(installed, 'node')) && 'npm has installed no Node');

test('an older Node hands over to the installed one, with its exit code, from any folder', { skip }, async () => {
  const old = outside as string;
  const folder = await mkdtemp(join(tmpdir(), 'giftwire bin '));
  cleanUp(() => rm(folder, { recursive: true }));
  await symlink(program, join(folder, 'giftwire'));
  const [worked, wrong, linked] = await Promise.all([
    runProgram(old, [program, 'env', '--json'], {}),
    runProgram(old, [program, 'fly'], {}),
    runProgram(join(folder, 'giftwire'), ['env', '--json'], {}),
  ]);
  assert.deepEqual(JSON.parse(worked.stdout), settings);
  assert.equal(wrong.code, 2);
  assert.deepEqual(JSON.parse(linked.stdout), settings);
});
