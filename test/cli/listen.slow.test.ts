import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { Webhook as Verifier } from 'standardwebhooks';
import type { EventRecord } from '../../src/ground/contract/event.ts';
import { cleanUp } from '../support/cleanup.ts';
import { assertFailed } from '../support/commands.ts';
import type { Env } from '../support/commands-in-turn.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { anOrder } from '../support/orders.ts';
import { giftwire, program, projectDir, shellEnv } from '../support/process.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();

interface Listener {
  stdout(): string;
  stderr(): string;
  lines(): string[];
  /** Sends SIGINT and waits for the end. */
  interrupt(): Promise<number | null>;
  /** Closes the pipe that it prints to, as `head` does. The promise is of the end. */
  stopReading(): Promise<number | null>;
}

/** `giftwire listen` as a process of its own. */
function listen(args: string[], env: Env): Listener {
  const child = spawn(process.execPath, [program, 'listen', ...args], { cwd: projectDir, env: shellEnv(env) });
  cleanUp(async () => child.kill('SIGKILL'));
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (piece) => {
      text[name] += piece;
    });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    lines: () => text.stdout.split('\n').filter((line) => line !== ''),
    interrupt: () => {
      child.kill('SIGINT');
      return ended;
    },
    stopReading: () => {
      child.stdout.destroy();
      return ended;
    },
  };
}

async function open() {
  const workspace = await openWorkspace(service);
  const env = {
    GIFTWIRE_URL: service.url,
    GIFTWIRE_TOKEN: workspace.token,
    GIFTWIRE_WORKSPACE: String(workspace.id),
  };
  return { ...workspace, env };
}

const printed = (listener: Listener, count: number) =>
  eventually(
    async () => listener.lines().length,
    (length) => length >= count,
  );

test('one line for each event, from a number, and an interrupt ends it', async () => {
  const { env, gift, id } = await open();
  await gift({ email: 'ada@example.com' });
  const listener = listen(['--from', '1', '--types', 'order.completed'], env);
  await printed(listener, 2);
  await gift({ email: 'ada@example.com' });
  await printed(listener, 3);
  const [head, first, second] = listener.lines();
  assert.equal(head, `Listening to workspace ${id} from event 1.`);
  for (const line of [first, second])
    assert.match(
      line as string,
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}#\d+ {2}order\.completed {2}.*gifts 1, total 25/,
    );
  assert.equal(await listener.interrupt(), 0);
  assert.equal(listener.stderr(), 'Stopped.\n');
});

test('it ends with the first event that nobody reads', async () => {
  const { env, gift } = await open();
  const listener = listen(['--types', 'order.completed'], env);
  await printed(listener, 1);
  const ended = listener.stopReading();
  await gift({ email: 'ada@example.com' });
  assert.equal(await ended, 0);
  assert.equal(listener.stderr(), '');
});

test('events are posted to a program, signed with the secret that is shown', async () => {
  const { env, gift } = await open();
  const receiver = await startReceiver();
  const listener = listen(['--forward-to', receiver.url, '--types', 'order.completed'], env);
  await printed(listener, 2);
  await gift({ email: 'ada@example.com' });
  await printed(listener, 3);
  const [, secret] = /Signed with the secret (whsec_\S+)/.exec(listener.stdout()) ?? [];
  const [{ body, headers }] = receiver.received as [Received];
  new Verifier(secret as string).verify(body, headers as Record<string, string>);
  assert.match(listener.lines()[2] as string, /order\.completed .* → 204$/);
  await receiver.close();
  await gift({ email: 'ada@example.com' });
  await printed(listener, 4);
  assert.match(listener.lines()[3] as string, /→ no answer/);
  assert.equal(await listener.interrupt(), 0);
});

test('--since begins with the first event of that time, --json prints nothing but events', async () => {
  const { env, gift, id } = await open();
  for (let nth = 0; nth < 3; nth++) await gift({ email: 'ada@example.com' });
  await service.database.query(
    `update events e set created_at = created_at - interval '2 hours'
      where workspace_id = $1 and number < (select max(number) from events where workspace_id = e.workspace_id)`,
    [id],
  );
  const listener = listen(['--since', '1h', '--json'], env);
  await printed(listener, 1);
  assert.equal(await listener.interrupt(), 0);
  const events = listener.lines().map((line) => JSON.parse(line) as EventRecord);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['order.completed'],
  );
});

test('it survives a restart of the service, and misses nothing', async () => {
  const database = await createTestDatabase();
  const settings = { database, tokenKey: 'k'.repeat(32) };
  let node = await startService(settings);
  const { token, workspaceId } = node;
  const order = async () => {
    const sent = await node.call('/api/v1/orders', { method: 'POST', token, workspace: workspaceId, body: anOrder() });
    assert.equal(sent.status, 201);
  };
  const env = { GIFTWIRE_URL: node.url, GIFTWIRE_TOKEN: token, GIFTWIRE_WORKSPACE: String(workspaceId) };
  const listener = listen(['--json', '--types', 'order.completed'], env);
  // Nothing is printed before the first event with --json, so orders are sent until one has been seen.
  await eventually(
    async () => {
      await order();
      return listener.lines().length;
    },
    (length) => length > 0,
    { everyMs: 500 },
  );
  await node.stop();
  await eventually(async () => /no answer/.test(listener.stderr()));
  const seen = listener.lines().length;
  node = await startService({ ...settings, port: Number(new URL(node.url).port) });
  await order();
  await printed(listener, seen + 1);
  assert.match(listener.stderr(), /Trying again until it answers\.\nThe service is back\./);
  assert.equal(await listener.interrupt(), 0);
  const numbers = listener.lines().map((line) => (JSON.parse(line) as EventRecord).number);
  const stored = await database.query<{ number: number }>(
    `select number from events where type = 'order.completed' and number between $1 and $2 order by number`,
    [numbers[0], numbers.at(-1)],
  );
  assert.deepEqual(
    numbers,
    stored.map(({ number }) => number),
  );
});

test('what cannot work is said in one line', async () => {
  const { env } = await open();
  const [away, stranger, beyond, unknown] = await Promise.all([
    giftwire(['listen'], { ...env, GIFTWIRE_URL: 'http://127.0.0.1:1' }),
    giftwire(['listen'], { ...env, GIFTWIRE_TOKEN: 'gw_test_wrong' }),
    giftwire(['listen', '--from', '99', '--json'], env),
    giftwire(['listen', '--types', 'order.complete'], env),
  ]);
  assertFailed(away, /no answer from http:\/\/127\.0\.0\.1:1/);
  assertFailed(stranger, /^401: /);
  assertFailed(beyond, /^400: .*after is beyond the latest event of this workspace, which is 0/);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /Types: order\.completed/);
});
