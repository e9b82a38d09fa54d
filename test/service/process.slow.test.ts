import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OrderRequestStatus } from '../../src/ground/contract/order.ts';
import type { LastRecognizedPage, TeamActivityPage } from '../../src/ground/contract/report.ts';
import { isAlive } from '../../src/ground/database/embedded/process.ts';
import { eventually } from '../support/eventually.ts';
import { anOrder } from '../support/orders.ts';
import {
  childrenOf,
  giftwire,
  giftwireProcess,
  makeDataDir,
  type Process,
  postmasterPid,
  runProgram,
  serve,
} from '../support/process.ts';
import { assertNoStart, callProcess, completedBy, orderFrom } from '../support/running.ts';

// One data folder and, most of the time, one service for the tests in sequence: a start costs a second.
const dataDir = await makeDataDir();
// With the permissions of an ordinary installation's folder.
await chmod(dirname(dataDir), 0o755);
const embedded = { GIFTWIRE_DATA_DIR: dataDir };

const clientCount = 8;
/** So many orders are accepted before something breaks. */
const ordersBefore = 40;

let service: Process;
let token: string;
/** Every order that was answered with 201. */
const accepted: string[] = [];

const call = <Body>(path: string, body?: unknown) => callProcess<Body>({ url: service.url, token }, path, body);
const order = () => orderFrom({ url: service.url, token });
const completed = (requestId: string) => completedBy({ url: service.url, token }, requestId);

async function allCompleted(): Promise<void> {
  for (const requestId of accepted.splice(0)) {
    const { certificates } = await completed(requestId);
    assert.equal(certificates.length, 1);
  }
}

/** Runs clients that order as fast as they can until the service is gone, and records what was accepted. */
async function underLoad(act: () => Promise<unknown>): Promise<void> {
  const before = accepted.length;
  const clients = Array.from({ length: clientCount }, async () => {
    for (;;) {
      const answer = await call<OrderRequestStatus>('/api/v1/orders', anOrder()).catch(() => null);
      if (answer === null) return;
      if (answer.status === 201) accepted.push(answer.body.requestId);
      else assert.equal(answer.status, 503);
    }
  });
  await eventually(async () => accepted.length > before + ordersBefore);
  await act();
  await Promise.all(clients);
}

async function killed(pid: number): Promise<void> {
  for (const one of [pid, ...(await childrenOf(pid)).map((child) => child.pid)]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // A child that has already exited.
    }
  }
  await eventually(async () => !isAlive(pid));
}

async function embeddedPid(): Promise<number> {
  const pid = await postmasterPid(dataDir);
  assert.ok(pid !== null && isAlive(pid), 'the embedded server runs');
  return pid;
}

test('the first start says what it does, and logs address, workspace, token, sign-in link and curl line as JSON where there is no terminal', async () => {
  service = await serve(embedded);
  const { ready, url } = service;
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.equal(ready.reference, `${url}/docs`);
  assert.equal(ready.workspace, 1);
  assert.match(String(ready.token), /^gw_test_[0-9A-Za-z]{33}$/);
  token = String(ready.token);
  assert.match(String(ready.signInLink), /\/sign-in#gwl_test_/);
  assert.match(service.output(), /First start: creating the tables[\s\S]*First start: adding a demo company/);
  assert.equal((await fetch(ready.reference)).status, 200);
  assert.equal((await fetch(`${url}/health/ready`)).status, 200);
});

test('the curl line works when pasted', async () => {
  const { stdout, stderr, code } = await runProgram('bash', ['-c', String(service.ready.curl)], {});
  assert.equal(code, 0, stderr);
  assert.ok(stdout.endsWith('}\n'), 'the next prompt begins a line of its own');
  const record = JSON.parse(stdout) as OrderRequestStatus;
  assert.equal(record.requestStatus, 'ACCEPTED');
  await completed(record.requestId);
});

test('the demo has about 120 people, and something for both reports and each filter', async () => {
  const list = async (query: string) =>
    (await call<LastRecognizedPage>(`/api/v1/reports/members/last-recognized?size=1000&${query}`)).body;
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
    employeeNumber: ['1001', '1002', '1005'],
    manager: ['1001', 'Amara.Okafor@example.com'],
  };
  for (const [name, values] of Object.entries(filters))
    for (const value of values) {
      const { totalElements } = await list(`${name}=${encodeURIComponent(value)}`);
      assert.ok(totalElements > 0 && totalElements < everyone.totalElements, `${name}=${value}: ${totalElements}`);
    }
});

test('the demo has a year of gifts and shoutouts, pending and approved, some private', async () => {
  const { body } = await call<TeamActivityPage>('/api/v1/reports/teams/activity?size=1000');
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
  assertNoStart(await giftwire(['serve'], { PORT: '0', ...embedded }), /already running/);
  await completed(await order());
});

test('when PostgreSQL is killed under load the service answers 503 and recovers without a restart', async () => {
  const before = await embeddedPid();
  let over = false;
  const clients = Array.from({ length: clientCount }, async () => {
    while (!over) {
      const { status, body } = await call<OrderRequestStatus>('/api/v1/orders', anOrder());
      if (status === 201) accepted.push(body.requestId);
      else {
        assert.equal(status, 503, JSON.stringify(body));
        await sleep(100);
      }
    }
  });
  const outage = async () => {
    await eventually(async () => accepted.length > ordersBefore);
    await killed(before);
    const confirmed = accepted.length;
    await eventually(async () => accepted.length > confirmed + clientCount);
  };
  await Promise.all([...clients, outage().finally(() => (over = true))]);
  assert.notEqual(await embeddedPid(), before);
  await completed(await order());
  await eventually(async () => (await fetch(`${service.url}/health/ready`)).status === 200);
});

// One that takes longer than its time-out ends with 1.
test('SIGTERM under load ends the service cleanly, and the embedded server with it', async () => {
  const server = await embeddedPid();
  await underLoad(async () => {
    const { code } = await service.end('SIGTERM');
    assert.equal(code, 0, service.output().slice(-2_000));
  });
  assert.equal(isAlive(server), false);
  assert.equal(await postmasterPid(dataDir), null);
  for (const line of service.output().trimEnd().split('\n')) assert.equal(typeof JSON.parse(line), 'object');
});

test('the next start has every order that was confirmed, and does not show the token again', async () => {
  service = await serve(embedded);
  assert.ok(accepted.length > ordersBefore);
  await allCompleted();
  assert.equal(service.ready.token, undefined);
  assert.equal(service.ready.workspace, 1);
  assert.ok(!service.output().includes(token));
  const { stdout } = await runProgram('bash', ['-c', String(service.ready.curl)], { GIFTWIRE_TOKEN: token });
  assert.equal(JSON.parse(stdout).requestStatus, 'ACCEPTED');
});

test('after kill -9 of the service the next start takes over its PostgreSQL, and nothing is lost', async () => {
  const orphan = await embeddedPid();
  await underLoad(() => service.end('SIGKILL'));
  assert.ok(isAlive(orphan));
  service = await serve(embedded);
  assert.equal(await embeddedPid(), orphan);
  await allCompleted();
});

test('after kill -9 of the service and its PostgreSQL the next start recovers', async () => {
  const server = await embeddedPid();
  await underLoad(() => Promise.all([service.end('SIGKILL'), killed(server)]));
  service = await serve(embedded);
  await allCompleted();
});

test('idle connections and half-sent requests do not delay the stop', async () => {
  const server = await embeddedPid();
  const port = Number(new URL(service.url).port);
  const half = 'POST /api/v1/orders HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n';
  for (const said of ['', half, `${half}\r\n{`]) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    socket.write(said);
  }
  await order();
  const { code } = await service.end('SIGTERM');
  assert.equal(code, 0, service.output().slice(-500));
  assert.equal(isAlive(server), false);
});

test('a taken port is reported in one line, and nothing is left running', async () => {
  const rival = createServer().listen(0, '127.0.0.1');
  await once(rival, 'listening');
  const { port } = rival.address() as { port: number };
  assertNoStart(
    await giftwireProcess(['serve'], { PORT: String(port), ...embedded }),
    new RegExp(`Port ${port} .*taken.*PORT`),
  );
  rival.close();
  assert.equal(await postmasterPid(dataDir), null);
});

test('whatever prevents a start is reported in one line', async () => {
  const file = join(dataDir, 'postgres.log');
  const [unreachable, noFolder, noHost] = await Promise.all([
    giftwire(['serve'], { PORT: '0', DATABASE_URL: 'postgres://x:hunter2@127.0.0.1:1/x', ...embedded }),
    giftwire(['serve'], { PORT: '0', GIFTWIRE_DATA_DIR: file }),
    giftwire(['serve'], { PORT: '0', HOST: '192.0.2.1', ...embedded }),
  ]);
  assertNoStart(unreachable, /DATABASE_URL/);
  assert.ok(!unreachable.stderr.includes('hunter2'));
  assertNoStart(noFolder, /GIFTWIRE_DATA_DIR|data folder/);
  assertNoStart(noHost, /HOST/);
});
