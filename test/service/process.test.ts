import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import type { OrderRecord, OrderRequestStatus } from '../../src/contract/order.ts';
import type { LastRecognizedPage, TeamActivityPage } from '../../src/contract/report.ts';
import { isAlive } from '../../src/database/embedded/process.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { anOrder } from '../support/orders.ts';
import {
  childrenOf,
  type Env,
  giftwire,
  makeDataDir,
  type Outcome,
  type Process,
  postmasterPid,
  program,
  projectDir,
  runProgram,
  serve,
  shellEnv,
} from '../support/process.ts';

// One data folder and, most of the time, one service for the tests in sequence: a start costs a second.
const dataDir = await makeDataDir();
// As wide open as a folder of an ordinary installation is.
await chmod(dirname(dataDir), 0o755);
const embedded = { GIFTWIRE_DATA_DIR: dataDir };
const oldKey = 'old-key-'.repeat(4);
const newKey = 'new-key-'.repeat(4);

const clientCount = 8;

let service: Process;
let token: string;
/** Every order that a client was told is accepted. */
const accepted: string[] = [];

async function call<Body>(url: string, path: string, body?: unknown, as = token) {
  const response = await fetch(url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${as}`, 'X-Workspace-id': '1', 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

async function order(url: string, as = token): Promise<string> {
  // Under load the service may ask a client to come again.
  const { status, body } = await eventually(
    () => call<OrderRequestStatus>(url, '/api/v1/orders', anOrder(), as),
    (answer) => answer.status !== 503,
  );
  assert.equal(status, 201);
  return body.requestId;
}

async function completed(url: string, requestId: string, as = token): Promise<OrderRecord> {
  return eventually(async () => {
    const { status, body } = await call<OrderRecord>(url, `/api/v1/orders/${requestId}`, undefined, as);
    assert.equal(status, 200, JSON.stringify(body));
    assert.notEqual(body.state, 'FAILED');
    return body.state === 'COMPLETED' && body;
  });
}

async function allCompleted(): Promise<void> {
  for (const requestId of accepted.splice(0)) {
    const { certificates } = await completed(service.url, requestId);
    assert.equal(certificates.length, 1);
  }
}

/** Clients that order as fast as they can until the service is gone; whatever was confirmed counts. */
async function underLoad(act: () => Promise<unknown>): Promise<void> {
  const before = accepted.length;
  const clients = Array.from({ length: clientCount }, async () => {
    for (;;) {
      const answer = await call<OrderRequestStatus>(service.url, '/api/v1/orders', anOrder()).catch(() => null);
      if (answer === null) return;
      if (answer.status === 201) accepted.push(answer.body.requestId);
      else assert.equal(answer.status, 503);
    }
  });
  await eventually(async () => accepted.length > before + 100);
  await act();
  await Promise.all(clients);
}

function oneLine({ code, stdout, stderr }: Outcome, says: RegExp): void {
  assert.match(stderr, says);
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
  assert.equal(code, 1);
  assert.ok(!stdout.includes('Giftwire is ready.'));
}

async function killed(pid: number): Promise<void> {
  for (const one of [pid, ...(await childrenOf(pid)).map((child) => child.pid)]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // A child that has noticed and gone by itself.
    }
  }
  await eventually(async () => !isAlive(pid));
}

async function embeddedPid(): Promise<number> {
  const pid = await postmasterPid(dataDir);
  assert.ok(pid !== null && isAlive(pid), 'the embedded server runs');
  return pid;
}

test('the first start says everything one needs, as JSON lines where there is no terminal', async () => {
  service = await serve(embedded);
  const { ready, url } = service;
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.equal(ready.reference, `${url}/docs`);
  assert.equal(ready.workspace, 1);
  assert.match(String(ready.token), /^gw_test_[0-9A-Za-z]{33}$/);
  token = String(ready.token);
  assert.equal((await fetch(ready.reference)).status, 200);
  assert.equal((await fetch(`${url}/health/ready`)).status, 200);
});

test('the curl line works when pasted', async () => {
  const { stdout, stderr, code } = await runProgram('bash', ['-c', String(service.ready.curl)], {});
  assert.equal(code, 0, stderr);
  assert.ok(stdout.endsWith('}\n'), 'the next prompt begins a line of its own');
  const record = JSON.parse(stdout) as OrderRequestStatus;
  assert.equal(record.requestStatus, 'ACCEPTED');
  await completed(service.url, record.requestId);
});

test('the demo has about 120 people, and something for both reports and each filter', async () => {
  const list = async (query: string) =>
    (await call<LastRecognizedPage>(service.url, `/api/v1/reports/members/last-recognized?size=1000&${query}`)).body;
  const everyone = await list('');
  const never = await list('neverRecognized=true');
  const people = everyone.totalElements + never.totalElements;
  assert.ok(people >= 110 && people <= 130, `${people} people`);
  assert.ok(never.totalElements > 5);
  assert.deepEqual(new Set(everyone.teamMembers.map(({ type }) => type)), new Set(['GIFT', 'SHOUTOUT']));
  const filters = {
    department: ['Engineering', 'Customer Care', 'sales', 'People', 'FINANCE'],
    costCentre: ['CC-100', 'cc-200', 'CC-300', 'CC-400', 'CC-500'],
    location: ['Toronto', 'MONTRÉAL', 'Chicago', 'Berlin'],
    currency: ['CAD', 'usd', 'EUR'],
    employeeNumber: ['1001', '1002', '1003'],
    manager: ['1001', 'Amara.Okafor@example.com'],
  };
  for (const [name, values] of Object.entries(filters))
    for (const value of values) {
      const { totalElements } = await list(`${name}=${encodeURIComponent(value)}`);
      assert.ok(totalElements > 0 && totalElements < everyone.totalElements, `${name}=${value}: ${totalElements}`);
    }
});

test('the demo has a year of gifts and shoutouts, pending and approved, some private', async () => {
  const { body } = await call<TeamActivityPage>(service.url, '/api/v1/reports/teams/activity?size=1000');
  const { activities } = body;
  const values = (pick: (one: (typeof activities)[number]) => unknown) => new Set(activities.map(pick));
  assert.deepEqual(
    values(({ type }) => type),
    new Set(['GIFT', 'SHOUTOUT']),
  );
  assert.deepEqual(
    values(({ status }) => status),
    new Set(['PENDING', 'APPROVED']),
  );
  assert.deepEqual(
    values(({ isPrivate }) => isPrivate),
    new Set([true, false]),
  );
  assert.deepEqual(
    values(({ sender }) => sender.self),
    new Set([true, false]),
  );
  assert.ok(values(({ reason }) => reason.id).size > 2);
  assert.ok(values(({ team }) => team).size > 5);
  const days = (Date.now() - Date.parse(`${activities.at(-1)?.createdOn}Z`)) / 86_400_000;
  assert.ok(days > 350 && days < 380, `${days} days`);
  assert.ok(activities.every(({ type, status }) => type === 'SHOUTOUT' || status === 'APPROVED'));
});

test('a second start on the same data folder says in one line that it is already running', async () => {
  oneLine(await giftwire(['serve'], { PORT: '0', ...embedded }), /already running/);
  await completed(service.url, await order(service.url));
});

test('when PostgreSQL is killed under load the service answers again by itself, and with 503 until then', async () => {
  const before = await embeddedPid();
  let over = false;
  const clients = Array.from({ length: clientCount }, async () => {
    while (!over) {
      const { status, body } = await call<OrderRequestStatus>(service.url, '/api/v1/orders', anOrder());
      if (status === 201) accepted.push(body.requestId);
      else assert.equal(status, 503, JSON.stringify(body));
    }
  });
  const outage = async () => {
    await eventually(async () => accepted.length > 100);
    await killed(before);
    const confirmed = accepted.length;
    await eventually(async () => accepted.length > confirmed + clientCount);
  };
  await Promise.all([...clients, outage().finally(() => (over = true))]);
  assert.notEqual(await embeddedPid(), before);
  await completed(service.url, await order(service.url));
  await eventually(async () => (await fetch(`${service.url}/health/ready`)).status === 200);
});

test('SIGTERM under load ends it cleanly within ten seconds, and the embedded server with it', async () => {
  const server = await embeddedPid();
  await underLoad(async () => {
    const { code, ms } = await service.end('SIGTERM');
    assert.equal(code, 0, service.output().slice(-2_000));
    assert.ok(ms < 10_000, `${ms} ms`);
  });
  assert.equal(isAlive(server), false);
  assert.equal(await postmasterPid(dataDir), null);
  for (const line of service.output().trimEnd().split('\n')) assert.equal(typeof JSON.parse(line), 'object');
});

test('the next start has every order that was confirmed, and does not show the token again', async () => {
  service = await serve(embedded);
  assert.ok(accepted.length > 100);
  await allCompleted();
  assert.equal(service.ready.token, undefined);
  assert.equal(service.ready.workspace, 1);
  assert.ok(!service.output().includes(token));
  const { stdout } = await runProgram('bash', ['-c', String(service.ready.curl)], { GIFTWIRE_TOKEN: token });
  assert.equal(JSON.parse(stdout).requestStatus, 'ACCEPTED');
});

test('after kill -9 of the service its orphaned PostgreSQL is taken over, and nothing is lost', async () => {
  const orphan = await embeddedPid();
  await underLoad(() => service.end('SIGKILL'));
  assert.ok(isAlive(orphan));
  service = await serve(embedded);
  assert.equal(await embeddedPid(), orphan);
  await allCompleted();
});

test('after kill -9 of the service and its PostgreSQL the next start recovers by itself', async () => {
  const server = await embeddedPid();
  await underLoad(() => Promise.all([service.end('SIGKILL'), killed(server)]));
  service = await serve(embedded);
  await allCompleted();
});

for (const name of ['sleep', 'postgres'])
  test(`a postmaster.pid left behind whose number went to another program, "${name}", is no obstacle`, async () => {
    await Promise.all([service.end('SIGKILL'), killed(await embeddedPid())]);
    const other = spawn('sleep', ['600'], { argv0: name });
    cleanUp(async () => other.kill());
    await once(other, 'spawn');
    const lockFile = join(dataDir, 'postgres/postmaster.pid');
    const text = await readFile(lockFile, 'utf8');
    await writeFile(lockFile, text.replace(/^\d+/, String(other.pid)));
    const start = serve(embedded);
    // Gone after a while, so that the tests that follow have a service in any case.
    const patience = setTimeout(() => other.kill(), 12_000);
    service = await start;
    clearTimeout(patience);
    assert.ok(isAlive(other.pid as number), 'it started while the other program ran');
    other.kill();
    await completed(service.url, await order(service.url));
  });

test('connections that say nothing, or only half of a request, do not hold up the stop', async () => {
  const server = await embeddedPid();
  const port = Number(new URL(service.url).port);
  const half = 'POST /api/v1/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n';
  for (const said of ['', half, `${half}\r\n{`]) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    socket.write(said);
  }
  await order(service.url);
  const { code, ms } = await service.end('SIGTERM');
  assert.equal(code, 0, service.output().slice(-500));
  assert.ok(ms < 10_000, `${ms} ms`);
  assert.equal(isAlive(server), false);
});

test('a port that is taken is said in one line, and nothing is left running', async () => {
  const rival = createServer().listen(0, '127.0.0.1');
  await once(rival, 'listening');
  const { port } = rival.address() as { port: number };
  oneLine(await giftwire(['serve'], { PORT: String(port), ...embedded }), new RegExp(`Port ${port} .*taken.*PORT`));
  rival.close();
  assert.equal(await postmasterPid(dataDir), null);
});

test('what keeps it from starting is said in one line', async () => {
  const file = join(dataDir, 'postgres.log');
  const [unreachable, noFolder, noHost] = await Promise.all([
    giftwire(['serve'], { PORT: '0', DATABASE_URL: 'postgres://x:hunter2@127.0.0.1:1/x', ...embedded }),
    giftwire(['serve'], { PORT: '0', GIFTWIRE_DATA_DIR: file }),
    giftwire(['serve'], { PORT: '0', HOST: '192.0.2.1', ...embedded }),
  ]);
  oneLine(unreachable, /DATABASE_URL/);
  assert.ok(!unreachable.stderr.includes('hunter2'));
  oneLine(noFolder, /GIFTWIRE_DATA_DIR|data folder/);
  oneLine(noHost, /HOST/);
});

test('two nodes that start at the same moment on one empty database both get ready, with one demo', async () => {
  const { url, query } = await createTestDatabase({ template: 'template0' });
  const env = { DATABASE_URL: url, GIFTWIRE_DATA_DIR: join(dataDir, 'two nodes') };
  const nodes = await Promise.all([serve(env), serve(env)]);
  const shown = nodes.map(({ ready }) => ready.token).filter(Boolean);
  assert.equal(shown.length, 1);
  assert.deepEqual(await query('select id from workspaces'), [{ id: 1 }]);
  const found = await Promise.all(
    nodes.map(async (node, index) => {
      const requestId = await order(node.url, String(shown[0]));
      return completed(nodes[1 - index]?.url as string, requestId, String(shown[0]));
    }),
  );
  assert.notEqual(found[0]?.certificates[0]?.longToken, found[1]?.certificates[0]?.longToken);
  for (const { code } of await Promise.all(nodes.map((node) => node.end('SIGINT')))) assert.equal(code, 0);
});

test('GIFTWIRE_DEMO=0 leaves the demo out', async () => {
  const { url, query } = await createTestDatabase();
  const env = { DATABASE_URL: url, GIFTWIRE_DATA_DIR: join(dataDir, 'no demo') };
  const { ready, end } = await serve({ ...env, GIFTWIRE_DEMO: '0' });
  assert.equal(ready.workspace, undefined);
  assert.equal(ready.token, undefined);
  assert.deepEqual(await query('select id from workspaces'), []);
  await end('SIGTERM');
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
  assert.equal(ready.token, undefined);
  assert.match(String(ready.hint), /giftwire workspace create --name .* giftwire token create --workspace 1 /);
  assert.deepEqual(await query('select id from workspaces'), []);
  await end('SIGTERM');

  oneLine(await giftwire(['serve'], { ...withKey, GIFTWIRE_ENV: 'test' }), /belongs to the production environment/);
  const test = await createTestDatabase();
  await test.query(`insert into installation values (true, 'test')`);
  oneLine(await giftwire(['serve'], { ...withKey, DATABASE_URL: test.url }), /belongs to the test environment/);
});

test('the token key can be rotated and not exchanged; api nodes accept, workers fulfil', async () => {
  const { url } = await createTestDatabase();
  const env = { DATABASE_URL: url, GIFTWIRE_DATA_DIR: join(dataDir, 'keys') };
  const first = await serve({ ...env, GIFTWIRE_TOKEN_KEY: oldKey });
  const own = String(first.ready.token);
  const before = await completed(first.url, await order(first.url, own), own);
  await first.end('SIGTERM');

  const exchanged: Env = { PORT: '0', ...env, GIFTWIRE_TOKEN_KEY: newKey };
  const forgotten: Env = { ...exchanged, GIFTWIRE_TOKEN_KEY: `2:${newKey}` };
  for (const refused of await Promise.all([giftwire(['serve'], exchanged), giftwire(['serve'], forgotten)]))
    oneLine(refused, /GIFTWIRE_TOKEN_KEY/);

  const rotated = { ...env, GIFTWIRE_TOKEN_KEY: `2:${newKey},1:${oldKey}` };
  const api = await serve({ ...rotated, GIFTWIRE_ROLE: 'api' });
  assert.deepEqual(await completed(api.url, before.requestId, own), before);
  const requestId = await order(api.url, own);
  const waiting = await call<OrderRequestStatus>(api.url, `/api/v1/orders/status/${requestId}`, undefined, own);
  assert.equal(waiting.body.orderStep, 'PENDING');

  const worker = await serve({ ...rotated, GIFTWIRE_ROLE: 'worker' });
  const after = await completed(api.url, requestId, own);
  const version = (record: OrderRecord) =>
    Buffer.from(String(record.certificates[0]?.longToken), 'base64url').readUInt16BE();
  assert.deepEqual([before, after].map(version), [1, 2]);
  assert.equal((await fetch(`${worker.url}/health/ready`)).status, 200);
  assert.equal((await fetch(`${api.url}/health/ready`)).status, 200);
  assert.equal((await fetch(`${worker.url}/api/v1/orders/status/${requestId}`)).status, 404);
  for (const { code } of await Promise.all([api.end('SIGTERM'), worker.end('SIGTERM')])) assert.equal(code, 0);
});

const hasTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux');

test('on a terminal it greets a person with a line to paste, and Ctrl-C ends it', {
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
  assert.match(shown, /order list\r\n[\s\S]*open http:\S+\/docs in a browser\r\n[\s\S]*giftwire doctor\r\n/);
  assert.doesNotMatch(shown, /^\{/m);
  const { stdout } = await runProgram('bash', ['-c', curl], {});
  assert.equal(JSON.parse(stdout).requestStatus, 'ACCEPTED');
  terminal.stdin?.write('\x03');
  const [code] = await once(terminal, 'exit');
  assert.equal(code, 0, stripVTControlCharacters(screen));
});
