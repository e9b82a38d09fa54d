import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { scopes } from '../../src/access/grants.ts';
import { settings } from '../../src/config.ts';
import type { OrderRecord } from '../../src/contract/order.ts';
import { isAlive } from '../../src/database/embedded/process.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { aGift, anOrder } from '../support/orders.ts';
import {
  giftwire,
  makeDataDir,
  type Outcome,
  postmasterPid,
  program,
  projectDir,
  runProgram,
  serve,
} from '../support/process.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;
const env = { DATABASE_URL: database.url, PORT: new URL(service.url).port };
const client = {
  GIFTWIRE_URL: `${service.url}/`,
  GIFTWIRE_TOKEN: service.token,
  GIFTWIRE_WORKSPACE: String(service.workspaceId),
};
const all = [...scopes];

type Json = Record<string, unknown>;

/** Runs a command with --json and takes its one value. */
async function json<T = Json>(args: string[], more: Record<string, string> = env): Promise<T> {
  const { code, stdout, stderr } = await giftwire([...args, '--json'], more);
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  assert.equal(stderr, '');
  assert.equal(stdout.split('\n').length, 2, 'one line');
  return JSON.parse(stdout) as T;
}

function refused(outcome: Outcome, code: number, says: RegExp): void {
  assert.match(outcome.stderr, says);
  assert.doesNotMatch(outcome.stderr, /^ {4}at /m, 'no stack');
  assert.equal(outcome.code, code, outcome.stderr);
  assert.equal(outcome.stdout, '');
}

function failed(outcome: Outcome, says: RegExp): void {
  refused(outcome, 1, says);
  assert.equal(outcome.stderr.trimEnd().split('\n').length, 1, outcome.stderr);
}

function statusOf(token: string): Promise<number> {
  return service.call('/api/v1/reports/teams/activity', { token }).then(({ status }) => status);
}

test('every command explains itself', async () => {
  const commands = [
    ...['', 'serve', 'send', 'doctor', 'migrate', 'env', 'workspace', 'token', 'order', 'order list', 'order show'],
    ...['workspace create', 'workspace update', 'workspace list'],
    ...['token create', 'token list', 'token revoke', 'token rotate'],
    ...['members import', 'members export', 'members merge', 'members split'],
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

test('a command that is called wrongly says how, with exit code 2', async () => {
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
    ['token create --workspace 1 --scopes orders:eat', /orders:write, orders:read, reports:read/],
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
  ];
  // Nothing of this asks the database, so one that is not there must do.
  const away = { ...client, DATABASE_URL: 'postgres://localhost:1/none' };
  const outcomes = await Promise.all(cases.map(([args]) => giftwire(args === '' ? [] : args.split(' '), away)));
  const wrong = cases.flatMap(([args, says], index) => {
    const { code, stdout, stderr } = outcomes[index] as Outcome;
    return code === 2 && stdout === '' && says.test(stderr) ? [] : [{ args, code, stdout, stderr }];
  });
  assert.deepEqual(wrong, []);
});

test('reasons are added, renamed, made the default and retired', async () => {
  const { id: workspace } = await json(['workspace', 'create', '--name', 'Reasons']);
  const of = ['--workspace', String(workspace)];
  const first = {
    id: (await json<Json[]>(['reason', 'list', ...of]))[0]?.id,
    description: 'Thank you',
    isDefault: true,
  };
  const added = await json(['reason', 'add', ' Teamwork ', ...of]);
  assert.deepEqual(added, { id: added.id, description: 'Teamwork', isDefault: false });
  assert.deepEqual(await json(['reason', 'list', ...of]), [first, added]);
  const id = String(added.id);
  const changed = await json(['reason', 'update', id, '--description', 'Great work', '--default', ...of]);
  assert.deepEqual(changed, { id: added.id, description: 'Great work', isDefault: true });
  failed(await giftwire(['reason', 'retire', id, ...of], env), /make another one the default first/);
  failed(await giftwire(['reason', 'add', 'Great work', ...of], env), /There is a reason "Great work" already/);
  failed(await giftwire(['reason', 'update', '999999', '--default', ...of], env), /no reason with this id/);
  failed(await giftwire(['reason', 'list', '--workspace', '999'], env), /no workspace 999/);
  failed(await giftwire(['reason', 'add', 'Anything', '--workspace', '999'], env), /no workspace 999/);
  assert.deepEqual(await json(['reason', 'retire', String(first.id), ...of]), { id: first.id, retired: true });
  const { stdout } = await giftwire(['reason', 'list', ...of], env);
  assert.match(stdout, /^Id +Description +Default\n\d+ +Great work +yes\n$/);
});

test('workspaces are made, changed and listed', async () => {
  const acme = await json(['workspace', 'create', '--name', ' Acme ']);
  const { id, accountId } = acme;
  const policies = {
    refusesUnknownEmployeeNumbers: false,
    acceptsLeavers: false,
    asksForApproval: false,
    allowsSelfRecognition: false,
  };
  assert.deepEqual(acme, { id, name: 'Acme', accountId, language: 'EN_CA', ...policies });
  const strict = await json([
    ...['workspace', 'create', '--name', 'Acme Québec', '--account', String(accountId)],
    ...['--language', 'FR_CA', '--unknown-employee-numbers', 'refuse', '--shoutout-approval', 'required'],
  ]);
  const expected = { name: 'Acme Québec', accountId, language: 'FR_CA', ...policies };
  const asked = { refusesUnknownEmployeeNumbers: true, asksForApproval: true };
  assert.deepEqual(strict, { id: strict.id, ...expected, ...asked });
  const change = [
    '--language',
    'ES_MX',
    '--unknown-employee-numbers',
    'accept',
    '--leavers',
    'accept',
    '--self-recognition',
    'allow',
  ];
  const changed = await json(['workspace', 'update', String(strict.id), ...change]);
  assert.deepEqual(changed, {
    ...strict,
    language: 'ES_MX',
    refusesUnknownEmployeeNumbers: false,
    acceptsLeavers: true,
    allowsSelfRecognition: true,
  });
  assert.deepEqual((await json<Json[]>(['workspace', 'list'])).slice(-2), [acme, changed]);
  const { stdout } = await giftwire(['workspace', 'list'], env);
  assert.match(stdout, /Acme Québec {2,}\d+ +ES_MX +accepted +accepted +required +allowed\n$/);
  failed(await giftwire(['workspace', 'update', '999', '--name', 'A'], env), /no workspace 999/);
  failed(await giftwire(['workspace', 'create', '--name', 'A', '--account', '999'], env), /no account 999/);
});

test('a token has the rights, the time, the workspaces and the member that were asked for', async () => {
  const second = await service.addWorkspace({ name: 'Second' });
  const ada = (await service.fulfilled(anOrder())).certificates[0]?.recipientUser as number;
  const own = String(service.workspaceId);
  const start = Date.now();
  const [plain, narrow, wide, acting] = await Promise.all([
    json(['token', 'create', '--workspace', own, '--name', 'Payroll', '--expires', '90d']),
    json(['token', 'create', '--workspace', own, '--scopes', 'reports:read, orders:read', '--rate-limit', '2']),
    json(['token', 'create', '--workspace', own, '--workspace', String(second), '--name', 'Wide']),
    json(['token', 'create', '--workspace', own, '--member', 'ADA@example.com']),
  ]);
  assert.match(plain.token as string, /^gw_test_[0-9A-Za-z]{33}$/);
  assert.equal(typeof plain.id, 'number');
  assert.equal(plain.name, 'Payroll');
  assert.deepEqual(plain.workspaces, [service.workspaceId]);
  assert.deepEqual(plain.scopes, all);
  const days = (Date.parse(plain.expiresAt as string) - start) / 86_400_000;
  assert.ok(days >= 90 && days < 90.01, `${days} days`);
  assert.deepEqual(wide.workspaces, [service.workspaceId, second]);
  assert.equal(wide.expiresAt, null);
  assert.deepEqual(narrow.scopes, ['reports:read', 'orders:read']);
  assert.equal(narrow.rateLimitPerMinute, 2);

  const as = (token: Json, workspace = service.workspaceId) =>
    service.call('/api/v1/orders', { method: 'POST', token: token.token as string, workspace, body: anOrder() });
  assert.equal((await as(plain)).status, 201);
  assert.equal((await as(plain, second)).status, 403);
  assert.equal((await as(wide, second)).status, 201);
  assert.equal((await as(narrow)).status, 403);
  const paced = [1, 2, 3].map(() => statusOf(narrow.token as string));
  assert.deepEqual((await Promise.all(paced)).sort(), [200, 200, 429]);
  const activity = await service.call<{ activities: { receiver: Json }[] }>('/api/v1/reports/teams/activity', {
    token: acting.token as string,
  });
  const receivers = activity.body.activities.map(({ receiver }) => receiver);
  assert.ok(receivers.some(({ self }) => self));
  for (const { id, self } of receivers) assert.equal(self, id === ada);
  failed(await giftwire(['token', 'create', '--workspace', '999'], env), /no workspace 999/);
  failed(await giftwire(['token', 'create', '--workspace', own, '--member', 'nobody'], env), /no member "nobody"/);
});

test('a list of tokens shows no secret; a revoked token is over, a rotated one is replaced', async () => {
  const [leaked, aging, lasting] = await Promise.all([
    service.addToken({ name: 'Leaked' }),
    service.addToken({ name: 'Aging', scopes: ['reports:read'], rateLimitPerMinute: 100 }),
    service.addToken({ name: 'Lasting' }),
  ]);
  for (const { token } of [leaked, aging, lasting]) assert.equal(await statusOf(token), 200);
  const [revoked, replaced, overlapping] = await Promise.all([
    json(['token', 'revoke', String(leaked.id)]),
    json(['token', 'rotate', String(aging.id)]),
    json(['token', 'rotate', String(lasting.id), '--overlap', '24h']),
  ]);
  assert.equal(revoked.id, leaked.id);
  assert.ok(Date.parse(revoked.revokedAt as string) <= Date.now());
  assert.equal(replaced.replaces, aging.id);
  assert.deepEqual(
    [replaced.name, replaced.scopes, replaced.workspaces, replaced.rateLimitPerMinute],
    ['Aging', ['reports:read'], [service.workspaceId], 100],
  );
  for (const { token } of [leaked, aging]) {
    const deadline = Date.now() + 5_000;
    while ((await statusOf(token)) !== 401) assert.ok(Date.now() < deadline, 'the token is still taken');
  }
  for (const token of [replaced.token, overlapping.token, lasting.token]) assert.equal(await statusOf(`${token}`), 200);

  const [listed, readable] = await Promise.all([json<Json[]>(['token', 'list']), giftwire(['token', 'list'], env)]);
  const byId = new Map(listed.map((one) => [one.id, one]));
  assert.ok(byId.get(leaked.id)?.revokedAt);
  const left = Date.parse(byId.get(lasting.id)?.expiresAt as string) - Date.now();
  assert.ok(left > 23 * 3_600_000 && left <= 24 * 3_600_000);
  const shown = JSON.stringify(listed) + readable.stdout;
  assert.doesNotMatch(shown, /gw_test_|hash/);
  assert.match(readable.stdout, /Leaked .*revoked/);
  failed(await giftwire(['token', 'revoke', '999'], env), /no usable token 999/);
  failed(await giftwire(['token', 'rotate', String(leaked.id)], env), /no usable token/);
});

/** Makes fulfilment fail for every gift with this message. */
async function poison(message: string): Promise<void> {
  await database.pool.query(`
    create function refuse_poison() returns trigger language plpgsql as
      $$ begin raise exception 'this gift is cursed'; end $$;
    create trigger poison before insert on certificates
       for each row when (new.message = '${message}') execute function refuse_poison()`);
}

test('an order is shown in every state, a failed one with its reason, and never a gift token', async () => {
  await poison('poison');
  const done = await service.fulfilled(
    anOrder({ orderItems: [aGift(), aGift({ recipient: { employeeNumber: '77' } })] }),
  );
  const { body: bad } = await service.create(anOrder({ orderItems: [aGift({ message: 'poison' })] }), {
    'X-Customer-Request-Id': 'run 7',
  });
  assert.equal((await service.finished(bad.requestId)).requestStatus, 'FAILED');
  const pending = '0190a3c2-0000-7000-8000-000000000001';
  const copy = await createTestDatabase();
  await copy.query('insert into accounts values (1, $1)', ['A']);
  await copy.query(`insert into workspaces (id, account_id, name, language) values (1, 1, 'A', 'EN_CA')`);
  await copy.query(
    `insert into order_requests (workspace_id, request_id, token_id, sender_id, sender_name, currency, language, body)
     values (1, $1, 1, 1, 'A', 'CAD', 'EN_CA', $2)`,
    [pending, JSON.stringify(anOrder())],
  );
  const show = (requestId: string, where = env) => json(['order', 'show', requestId], where);
  const [completed, failure, waiting, readable, unknown] = await Promise.all([
    show(done.requestId.toUpperCase()),
    show(bad.requestId),
    show(pending, { ...env, DATABASE_URL: copy.url }),
    giftwire(['order', 'show', bad.requestId], env),
    giftwire(['order', 'show', pending], env),
  ]);
  assert.equal(completed.requestStatus, 'COMPLETED');
  assert.equal(completed.orderId, done.id);
  assert.equal(completed.failure, null);
  assert.deepEqual(
    (completed.gifts as Json[]).map(({ certificateId, recipient }) => [certificateId, recipient]),
    [
      [done.certificates[0]?.id, 'ada@example.com'],
      [done.certificates[1]?.id, '77'],
    ],
  );
  assert.ok(!JSON.stringify(completed).includes(done.certificates[0]?.longToken as string));
  assert.deepEqual(
    [failure.requestStatus, failure.orderStep, failure.orderId, failure.customerRequestId, failure.failure],
    ['FAILED', 'FAILED', null, 'run 7', 'this gift is cursed'],
  );
  assert.deepEqual(
    [waiting.requestStatus, waiting.orderStep, waiting.orderId, waiting.finishedAt, waiting.failure],
    ['ACCEPTED', 'PENDING', null, null, null],
  );
  assert.match(readable.stdout, /FAILED[\s\S]*this gift is cursed/);
  failed(unknown, /no order request/);
});

test('a gift is sent from the command line and its certificate shown', async () => {
  const gift = ['send', '--amount', '25.50', '--message', 'Well done, “Zoë”!'];
  const [record, readable, numbered] = await Promise.all([
    json<OrderRecord>([...gift, '--to', 'zoe@example.com', '--reference', 'cli 1'], client),
    giftwire([...gift, '--to', 'zoe@example.com', '--currency', 'USD', '--idempotency-key', 'once'], client),
    json<OrderRecord>([...gift, '--employee-number', '0042'], client),
  ]);
  const [certificate] = record.certificates;
  assert.equal(record.status, 'COMPLETE');
  assert.equal(certificate?.amount, 25.5);
  assert.equal(certificate?.message, 'Well done, “Zoë”!');
  assert.equal(certificate?.senderName, 'Payroll');
  assert.match(readable.stdout, /25\.5 USD/);
  assert.match(readable.stdout, /long token +[\w-]{40,}\nshort token +(\w{4}-){3}\w{4}\n/);
  assert.notEqual(numbered.certificates[0]?.recipientUser, certificate?.recipientUser);
  const again = [...gift, '--to', 'zoe@example.com', '--currency', 'USD', '--idempotency-key', 'once'];
  const certificateOf = ({ stdout }: Outcome) => stdout.slice(stdout.indexOf('request '));
  assert.equal(certificateOf(await giftwire(again, client)), certificateOf(readable));
});

test('a gift that cannot be sent says why in one line, with exit code 1', async () => {
  const gift = ['send', '--to', 'zoe@example.com', '--amount', '5', '--message'];
  const [stranger, tokenless, nobody, tooMuch, cursed, odd] = await Promise.all([
    giftwire([...gift, 'Hi'], { ...client, GIFTWIRE_TOKEN: 'gw_test_wrong' }),
    giftwire([...gift, 'Hi'], { ...client, GIFTWIRE_TOKEN: '' }),
    giftwire([...gift, 'Hi'], { ...client, GIFTWIRE_URL: 'http://127.0.0.1:1' }),
    giftwire([...gift, 'Hi', '--amount', '10001'], client),
    giftwire([...gift, 'poison'], client),
    giftwire([...gift, 'Hi', '--reference', 'for Zoë ♥'], client),
  ]);
  failed(stranger, /^401: /);
  failed(tokenless, /GIFTWIRE_TOKEN/);
  failed(nobody, /no answer from http:\/\/127\.0\.0\.1:1/);
  failed(tooMuch, /^400: orderItems\[0\]\.amount/);
  failed(cursed, /has failed: npx giftwire order show [0-9a-f-]{36} says why/);
  assert.ok(odd.code === 0 || /reference/i.test(odd.stderr), `a reference beyond Latin-1: ${odd.stderr}`);
});

test('migrating twice changes nothing the second time', async () => {
  const { url } = await createTestDatabase({ template: 'template0' });
  const where = { DATABASE_URL: url };
  const { code, stdout } = await giftwire(['doctor', '--json'], where);
  assert.equal(code, 1);
  const finding = (JSON.parse(stdout) as { findings: Json[] }).findings.find(({ check }) => check === 'migrations');
  assert.deepEqual([finding?.ok, finding?.advice], [false, 'Run "giftwire migrate" or start the service.']);
  const first = await json<{ applied: string[] }>(['migrate'], where);
  assert.ok(first.applied.includes('0001_foundation'));
  assert.deepEqual(await json(['migrate'], where), { applied: [] });
});

test('doctor finds a healthy service healthy, and says what to do about an ill one', async () => {
  const healthy = await json<{ ok: boolean; findings: Json[] }>(['doctor']);
  assert.equal(healthy.ok, true);
  assert.deepEqual(
    healthy.findings.map(({ check, ok }) => [check, ok]),
    ['settings', 'database', 'migrations', 'environment', 'access', 'queue', 'service'].map((check) => [check, true]),
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
  for (const { code, stderr } of ill) assert.deepEqual([code, stderr], [1, '']);
  const [settled, unreachable, absent, unused, waiting] = ill.map(({ stdout }) => stdout) as [string, ...string[]];
  assert.match(settled, /✗ settings[\s\S]*PORT must[\s\S]*GIFTWIRE_ROLE must[\s\S]*→ .*giftwire env/);
  assert.match(String(unreachable), /✗ database +\S.*\n +→ .*DATABASE_URL/);
  assert.match(String(absent), /✗ database +.*nothing_here.*create database/);
  assert.match(String(unused), /✗ access +0 workspaces, 0 usable tokens\n +→ .*workspace create/);
  assert.match(String(waiting), /✗ environment .*production\n +→ Set GIFTWIRE_ENV=production/);
  assert.match(String(waiting), /✗ queue +1 order .*36\d\d s\n +→ /);
  assert.match(String(waiting), /^– service +not running at /m);
});

test('a database that is away is said in one line, without the password', async () => {
  const away = { DATABASE_URL: 'postgres://giftwire:hunter2@localhost:1/none' };
  const outcomes = await Promise.all(
    [['workspace', 'list'], ['token', 'revoke', '1'], ['migrate']].map((args) => giftwire(args, away)),
  );
  for (const outcome of outcomes) {
    failed(outcome, /DATABASE_URL/);
    assert.doesNotMatch(outcome.stderr, /hunter2/);
  }
});

test('every setting is listed with its default', async () => {
  assert.deepEqual(await json(['env'], {}), settings);
  const { stdout } = await runProgram('npm', ['run', '--silent', 'env'], {});
  for (const { name, default: value } of settings)
    assert.ok(stdout.includes(`\n${name} `) && stdout.includes(value), name);
});

test('on the embedded database commands work before the service runs, while it runs, and after', async () => {
  const dataDir = await makeDataDir();
  const own = { GIFTWIRE_DATA_DIR: dataDir, GIFTWIRE_DEMO: '0' };
  const acme = await json(['workspace', 'create', '--name', 'Acme'], own);
  assert.equal(acme.id, 1);
  assert.equal(await postmasterPid(dataDir), null, 'nothing is left running');

  const running = await serve(own);
  const issued = await json(['token', 'create', '--workspace', '1', '--name', 'Payroll'], own);
  const through = { GIFTWIRE_URL: running.url, GIFTWIRE_TOKEN: issued.token as string };
  const sent = await json<OrderRecord>(
    ['send', '--to', 'a@example.com', '--amount', '25', '--message', 'Hello'],
    through,
  );
  const port = new URL(running.url).port;
  const [seen, health] = await Promise.all([
    json(['order', 'show', sent.requestId], own),
    json(['doctor'], { ...own, PORT: port }),
  ]);
  assert.equal(seen.orderId, sent.id);
  assert.equal(health.ok, true);
  assert.equal((await fetch(`${running.url}/health/ready`)).status, 200, 'the service goes on');
  const server = (await postmasterPid(dataDir)) as number;
  assert.equal((await running.end('SIGTERM')).code, 0);
  assert.equal(isAlive(server), false);

  const [after, tokens] = await Promise.all([
    json(['order', 'show', sent.requestId], own),
    json<Json[]>(['token', 'list'], own),
  ]);
  assert.deepEqual(after, seen);
  assert.equal(tokens.length, 1);
  assert.equal(await postmasterPid(dataDir), null, 'nothing is left running');
});

test('npx finds the command in the project folder', async () => {
  const { code, stdout } = await runProgram('npx', ['giftwire', '--help'], {});
  assert.equal(code, 0);
  assert.match(stdout, /^Usage: giftwire /);
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
