import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import type { OrderRecord, OrderRequestStatus } from '../../src/ground/contract/order.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { anOrder } from '../support/orders.ts';
import { giftwire, makeDataDir, program, projectDir, runProgram, serve, shellEnv } from '../support/process.ts';
import { assertNoStart, completedBy, orderFrom } from '../support/running.ts';
import { startService } from '../support/service.ts';

const dataDir = await makeDataDir();
const oldKey = 'old-key-'.repeat(4);
const newKey = 'new-key-'.repeat(4);

test('two nodes that start at the same moment on one empty database both get ready, with one demo', async () => {
  const { url, query } = await createTestDatabase({ template: 'template0' });
  const env = { DATABASE_URL: url, GIFTWIRE_DATA_DIR: join(dataDir, 'two nodes') };
  const nodes = await Promise.all([serve(env), serve(env)]);
  const shown = nodes.map(({ ready }) => ready.token).filter(Boolean);
  assert.equal(shown.length, 1);
  const token = String(shown[0]);
  assert.deepEqual(await query('select id from workspaces'), [{ id: 1 }]);
  const found = await Promise.all(
    nodes.map(async (node, index) => {
      const requestId = await orderFrom({ url: node.url, token });
      return completedBy({ url: nodes[1 - index]?.url as string, token }, requestId);
    }),
  );
  assert.notEqual(found[0]?.certificates[0]?.longToken, found[1]?.certificates[0]?.longToken);
  for (const { code } of await Promise.all(nodes.map((node) => node.end('SIGINT')))) assert.equal(code, 0);
});

test('production needs a token key, starts empty, says what to do first, and keeps to its own database', async () => {
  const { url, query } = await createTestDatabase();
  const env = { PORT: '0', DATABASE_URL: url, GIFTWIRE_DATA_DIR: join(dataDir, 'live'), GIFTWIRE_ENV: 'production' };
  const withKey = { ...env, GIFTWIRE_TOKEN_KEY: oldKey };
  const keyless = await giftwire(['serve'], env);
  assert.equal(keyless.code, 1);
  assert.match(keyless.stderr, /GIFTWIRE_TOKEN_KEY is required in production/);

  const { ready, end } = await serve(withKey);
  assert.equal(ready.environment, 'production');
  assert.deepEqual([ready.token, ready.signInLink], [undefined, undefined]);
  assert.match(String(ready.hint), /giftwire workspace create --name .* giftwire token create --workspace 1 /);
  assert.deepEqual(await query('select id from workspaces'), []);
  await end('SIGTERM');

  assertNoStart(
    await giftwire(['serve'], { ...withKey, GIFTWIRE_ENV: 'test' }),
    /belongs to the production environment/,
  );
  const test = await createTestDatabase();
  await test.query(`insert into installation values (true, 'test')`);
  assertNoStart(await giftwire(['serve'], { ...withKey, DATABASE_URL: test.url }), /belongs to the test environment/);
});

test('the token key can be rotated but not replaced; api nodes accept, workers fulfil', async () => {
  const first = await startService({ tokenKey: oldKey });
  const { database } = first;
  const before = await first.fulfilled(anOrder());
  await first.stop();

  const env = { PORT: '0', DATABASE_URL: database.url, GIFTWIRE_DATA_DIR: join(dataDir, 'keys') };
  for (const GIFTWIRE_TOKEN_KEY of [newKey, `2:${newKey}`])
    assertNoStart(await giftwire(['serve'], { ...env, GIFTWIRE_TOKEN_KEY }), /GIFTWIRE_TOKEN_KEY/);

  const rotated = { database, tokenKey: `2:${newKey},1:${oldKey}` };
  const api = await startService({ ...rotated, role: 'api' });
  const as = { token: first.token, workspace: first.workspaceId };
  const read = async (id: string) => (await api.call<OrderRecord>(`/api/v1/orders/${id}?size=1000`, as)).body;
  assert.deepEqual(await read(before.requestId), before);
  const { requestId } = (await api.create(anOrder())).body;
  const waiting = await api.call<OrderRequestStatus>(`/api/v1/orders/status/${requestId}`);
  assert.equal(waiting.body.orderStep, 'PENDING');

  const worker = await startService({ ...rotated, role: 'worker' });
  await api.finished(requestId);
  const after = (await api.call<OrderRecord>(`/api/v1/orders/${requestId}`)).body;
  const version = (record: OrderRecord) =>
    Buffer.from(String(record.certificates[0]?.longToken), 'base64url').readUInt16BE();
  assert.deepEqual([before, after].map(version), [1, 2]);
  for (const { url } of [api, worker]) assert.equal((await fetch(`${url}/health/ready`)).status, 200);
  assert.equal((await worker.call(`/api/v1/orders/status/${requestId}`)).status, 404);
});

const hasTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');

test('on a terminal the service prints a curl line to paste, and Ctrl-C ends it', {
  skip: !hasTerminal && 'there is no util-linux "script" to make a terminal with',
}, async () => {
  const { url } = await createTestDatabase();
  const env = shellEnv({ PORT: '0', DATABASE_URL: url, GIFTWIRE_DATA_DIR: join(dataDir, 'terminal'), TERM: 'xterm' });
  const command = `exec '${process.execPath}' '${program}' serve`;
  const terminal: ChildProcess = spawn('script', ['-qec', command, '/dev/null'], { cwd: projectDir, env });
  cleanUp(async () => terminal.kill('SIGKILL'));
  let screen = '';
  terminal.stdout?.on('data', (text) => {
    screen += text;
  });
  const curl = await eventually(async () => {
    const lines = stripVTControlCharacters(screen).split('\r\n');
    return lines.slice(0, -1).find((line) => line.startsWith('curl ')) ?? null;
  });
  const shown = stripVTControlCharacters(screen);
  assert.match(shown, /Giftwire is ready\./);
  assert.match(shown, /address\s+http:\/\/127\.0\.0\.1:\d+\r\n/);
  assert.match(shown, /reference\s+http:\/\/127\.0\.0\.1:\d+\/docs\r\n/);
  assert.match(shown, /workspace\s+1\r\n/);
  assert.match(shown, /token[^\r]*gw_test_[0-9A-Za-z]{33}\r\n/);
  assert.match(
    shown,
    /outbox open\r\n[\s\S]*gift list --workspace 1\r\n[\s\S]*open http:\S+\/docs in a browser\r\n[\s\S]*giftwire doctor\r\n/,
  );
  assert.doesNotMatch(shown, /^\{/m);
  const { stdout } = await runProgram('bash', ['-c', curl], {});
  assert.equal(JSON.parse(stdout).requestStatus, 'ACCEPTED');
  terminal.stdin?.write('\x03');
  const [code] = await once(terminal, 'exit');
  assert.equal(code, 0, stripVTControlCharacters(screen));
});
