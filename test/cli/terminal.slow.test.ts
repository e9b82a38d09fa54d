import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { usualScopes } from '../../src/company/access/scopes.ts';
import { table } from '../../src/doors/cli/output.ts';
import { createTestDatabase } from '../support/database.ts';
import { anOrder } from '../support/orders.ts';
import { giftwire, program, runProgram } from '../support/process.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;
const env = { DATABASE_URL: database.url, PORT: new URL(service.url).port };
const client = (token = service.token) => ({
  GIFTWIRE_URL: service.url,
  GIFTWIRE_TOKEN: token,
  GIFTWIRE_WORKSPACE: String(service.workspaceId),
});

const hasTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');
const skip = !hasTerminal && 'there is no util-linux "script" to make a terminal with';

async function onTerminal(columns: number, args: string): Promise<string[]> {
  const command = `stty cols ${columns}; exec '${process.execPath}' '${program}' ${args}`;
  const { code, stdout } = await runProgram('script', ['-qec', command, '/dev/null'], { ...env, TERM: 'xterm' });
  assert.equal(code, 0, stdout);
  return stripVTControlCharacters(stdout).trimEnd().split('\r\n');
}

test('tables and values fit a terminal of 80 columns', { skip }, async () => {
  await service.addToken({
    name: 'A bot with a rather long name',
    scopes: ['orders:write', 'orders:read', 'recognition:delegate'],
    lastsMs: Date.parse('2099-12-31T10:00:30Z') - Date.now(),
  });
  const { body } = await service.create(anOrder());
  await service.finished(body.requestId);
  const commands = ['token list', 'workspace list', 'env', `order show ${body.requestId}`, 'doctor'];
  for (const args of [...commands, `token create --workspace ${service.workspaceId}`])
    for (const line of await onTerminal(80, args)) assert.ok(line.length <= 80, `${args}: ${line}`);
});

test('wrapped cells keep their column and every word, and a wide terminal wraps none', { skip }, async () => {
  const narrow = await onTerminal(80, 'token list');
  const wide = await onTerminal(300, 'token list');
  const [tokens] = await database.query<{ count: number }>('select count(*) as count from api_tokens');
  assert.equal(wide.length, 1 + (tokens?.count as number));
  assert.ok(narrow.length > wide.length);
  const words = (lines: string[]) => lines.join(' ').split(/\s+/).sort();
  assert.deepEqual(words(narrow), words(wide));
  const [head = '', ...rest] = narrow;
  const edge = head.indexOf('Scopes');
  for (const line of rest.filter(({ length }) => length > edge)) assert.match(line.slice(edge - 1), /^ \S/, line);
  const { stdout } = await giftwire(['token', 'list'], env);
  assert.equal(stdout.trimEnd().split('\n').length, wide.length, 'a row is one line where no terminal is');
});

test('a table takes any number of rows and words, and is broken only where it is too wide', () => {
  const words = Array.from({ length: 500_000 }, () => 'word');
  const whole = `Id  Text\n1   ${words.join(' ')}`;
  assert.equal(stripVTControlCharacters(table(['Id', 'Text'], [[1, words.join(' ')]])), whole);
  const rows = words.map((text, nth) => [nth, text]);
  assert.equal(table(['Id', 'Text'], rows).split('\n').length, 1 + rows.length);
  const broken = onNarrowTerminal(() => table(['Id', 'Text'], [[1, words.slice(0, 200_000).join(' ')]]));
  assert.deepEqual(broken.split('\n').slice(1, 3), ['1   word word word', '    word word word']);
});

/** As if standard output were a terminal of 20 columns. */
function onNarrowTerminal(print: () => string): string {
  const { isTTY, columns } = process.stdout;
  Object.assign(process.stdout, { isTTY: true, columns: 20 });
  try {
    return print();
  } finally {
    Object.assign(process.stdout, { isTTY, columns });
  }
}

test('a token list shows "all" for the usual scopes, and when a token expires', async () => {
  await service.addToken({ name: 'Usual', scopes: usualScopes });
  const { stdout } = await giftwire(['token', 'list'], env);
  assert.match(
    stdout,
    /^\d+ +Payroll +…\w{4} +\d+ +active +all, orders:delegate, rules:manage, approvals:decide, automations:manage, people:erase, tokens:manage, users:manage, me:read, me:write, feed:read, feed:write, feed:moderate$/m,
  );
  assert.match(stdout, /^\d+ +Usual +…\w{4} +\d+ +active +all$/m);
  assert.match(stdout, /active until 2099-12-31 10:00 UTC +orders:write, orders:read, recognition:delegate$/m);
});

test('rotating a token says when the old secret expires', async () => {
  const [now, later, soonest] = await Promise.all([
    service.addToken({ name: 'Now' }),
    service.addToken({ name: 'Later' }),
    service.addToken({ name: 'Soonest', lastsMs: 3_600_000 }),
  ]);
  const rotate = (id: number, ...more: string[]) => giftwire(['token', 'rotate', String(id), ...more], env);
  const before = Date.now();
  const [ended, overlapping, shown] = await Promise.all([
    rotate(now.id),
    rotate(later.id, '--overlap', '24h'),
    rotate(soonest.id, '--overlap', '24h', '--json'),
  ]);
  assert.match(ended.stdout, new RegExp(`The old secret \\(token ${now.id}, …${now.token.slice(-4)}\\) has ended`));
  const [, until = ''] = /works until (\d{4}-\d\d-\d\d \d\d:\d\d) UTC/.exec(overlapping.stdout) ?? [];
  const overlapBegan = Date.parse(`${until}Z`) - 24 * 3_600_000;
  // What is shown has no seconds.
  assert.ok(before - 60_000 < overlapBegan && overlapBegan <= Date.now(), until);
  const { oldEndsAt, replaces } = JSON.parse(shown.stdout) as { oldEndsAt: string; replaces: number };
  assert.equal(replaces, soonest.id);
  assert.ok(Date.parse(oldEndsAt) <= Date.now() + 3_600_000, 'a token that ends earlier anyway is not prolonged');
});

test('send names the recipient, says what to do next, and tells a replay from a new gift', async () => {
  const recipient = { email: 'zoe@example.com', firstName: 'Zoë', lastName: 'Ng', employeeNumber: '0042' };
  await service.fulfilled(anOrder({ orderItems: [{ message: 'Hi', amount: 5, recipient }] }));
  const narrow = await service.addToken({ scopes: ['orders:write', 'orders:read'] });
  const gift = ['send', '--amount', '5', '--message', 'Hi', '--employee-number', '0042'];
  const [named, unnamed] = await Promise.all([
    giftwire([...gift, '--idempotency-key', 'once'], client()),
    giftwire(gift, client(narrow.token)),
  ]);
  assert.match(named.stdout, /^Sent 5 CAD to Zoë Ng \(zoe@example\.com\)\.\n/);
  assert.match(named.stdout, /\nNext: [\s\S]*\n {2}npx giftwire gift show \d+ --workspace \d+\n$/);
  assert.match(unnamed.stdout, /^Sent 5 CAD to employee number 0042\.\n/);
  const again = await giftwire([...gift, '--idempotency-key', 'once'], client());
  assert.match(again.stdout, /^Nothing new was sent: .*\nSent then: 5 CAD to Zoë Ng /);
  assert.deepEqual(again.stdout.split('\n').slice(3), named.stdout.split('\n').slice(2));
});

test('doctor uses the singular for one', async () => {
  const late = await createTestDatabase();
  await late.query(`insert into accounts values (1, 'A')`);
  await late.query(`insert into workspaces (id, account_id, name, language) values (1, 1, 'A', 'EN_CA')`);
  await late.query(
    `insert into pending_orders (workspace_id, request_id, gifts, accepted_at)
     values (1, gen_random_uuid(), 1, now() - interval '1 hour')`,
  );
  const { stdout } = await giftwire(['doctor'], { PORT: '1', DATABASE_URL: late.url });
  assert.match(stdout, /✗ access +1 workspace, 0 usable tokens\n +→ .*token create/);
  assert.match(stdout, /✗ queue +1 order waits, for 36\d\d s\n/);
});

test('an update that names nothing to change is refused, and says what can be changed', async () => {
  const workspace = await giftwire(['workspace', 'update', '1'], env);
  const reason = await giftwire(['reason', 'update', '1', '--workspace', '1'], env);
  assert.deepEqual([workspace.code, reason.code], [2, 2]);
  assert.match(workspace.stderr, /^Say what to change/);
  assert.match(reason.stderr, /--description, --default/);
});

test('control characters in stored text are not sent to the terminal', async () => {
  await service.addToken({ name: 'A \u001b[31mred\u001b[0m \u009b2J\u0007bot\r\n\tnext' });
  const { stdout } = await giftwire(['token', 'list'], env);
  assert.match(stdout, /A red .*bot {2,3}next/);
  assert.doesNotMatch(stdout, /[^\P{Cc}\n]/u);
});
