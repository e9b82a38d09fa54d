import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { anOrder } from '../support/orders.ts';
import { sendTogether } from '../support/raw.ts';
import { startService } from '../support/service.ts';

const service = await startService({ logLevel: 'warn' });
const ready = 'GET /health/ready HTTP/1.1\r\nHost: x\r\n\r\n';
const credentials = `Host: x\r\nAuthorization: Bearer ${service.token}\r\nX-Workspace-id: ${service.workspaceId}\r\n`;

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  cleanUp(async () => socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

const exchange = (...requests: string[]) => sendTogether(service.url, requests);

function post(message: string): string {
  const body = JSON.stringify(anOrder({ orderItems: [{ ...anOrder().orderItems[0], message }] }));
  const type = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return `POST /api/v1/orders HTTP/1.1\r\n${credentials}${type}\r\n${body}`;
}

/** Sends orders until stopped. Returns the statuses of the answers. */
function keepOrdering(): () => Promise<number[]> {
  const order = { method: 'POST', body: anOrder() };
  const statuses: number[] = [];
  let stopped = false;
  const ordering = (async () => {
    while (!stopped) statuses.push((await service.call('/api/v1/orders', order)).status);
  })();
  return async () => {
    stopped = true;
    await ordering;
    return statuses;
  };
}

test('five thousand pipelined requests on one connection do not block other clients', async () => {
  const stop = keepOrdering();
  const answers = await exchange(...Array(5_000).fill(ready));
  const statuses = await stop();
  // On a slow machine the last request in a packet may time out.
  assert.deepEqual(new Set(answers.map(({ status }) => status)).difference(new Set([200, 408])), new Set());
  assert.ok(answers.length > 1_000 && statuses.length > 0);
  assert.deepEqual(new Set(statuses), new Set([201]));
});

test('two hundred connections with twenty pipelined requests each do not block other clients', async () => {
  const stop = keepOrdering();
  const all = await Promise.all(Array.from({ length: 200 }, () => exchange(...Array(20).fill(ready))));
  const statuses = await stop();
  assert.deepEqual(new Set(all.flat().map(({ status }) => status)), new Set([200]));
  assert.deepEqual(new Set(statuses), new Set([201]));
});

test('pipelined requests with and without bodies are answered in order', async () => {
  const live = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
  const requests = Array.from({ length: 30 }, (_, nth) =>
    nth % 3 === 0 ? live : post(`Number ${nth} ${'x'.repeat(900)}`),
  );
  const answers = await exchange(...requests);
  assert.deepEqual(
    answers.map(({ status }) => status),
    requests.map((request) => (request === live ? 200 : 201)),
  );
  const ids = answers.filter(({ status }) => status === 201).map(({ text }) => JSON.parse(text).requestId as string);
  assert.equal(new Set(ids).size, 20);
  const first = await service.finished(ids[0] as string);
  assert.equal(first.requestStatus, 'COMPLETED');
});

test('pipelined requests on one connection are handled one at a time', async () => {
  // The first report waits for the locked table; the requests behind it must not begin.
  const path = '/api/v1/reports/teams/activity';
  const report = `GET ${path} HTTP/1.1\r\n${credentials}\r\n`;
  await exchange(report);
  const most = await service.database.transaction(async (tx) => {
    await tx.query('lock table activities in access exclusive mode');
    const socket = await open();
    socket.write(report.repeat(20));
    // Not in the transaction: within one, PostgreSQL shows the sessions as they were at the first look.
    // Orders of the tests before may wait for the table too, on other connections.
    const countWaiting = async () => {
      const waiting = await service.database.query(
        `select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and application_name = 'giftwire look-ups'`,
      );
      return waiting.length;
    };
    const counts = [await eventually(countWaiting, (count) => count > 0)];
    for (let look = 0; look < 10; look++) {
      await sleep(50);
      counts.push(await countWaiting());
    }
    socket.destroy();
    return Math.max(...counts);
  });
  assert.equal(most, 1);
});

test('pipelined requests of a client that disconnects are not handled', async () => {
  const sockets = await Promise.all(Array.from({ length: 20 }, open));
  for (const socket of sockets) socket.write(post('Thank you').repeat(200));
  await Promise.all(sockets.map((socket) => once(socket, 'data')));
  for (const socket of sockets) socket.destroy();
  // Metrics are read once a second: the first reading may be older. The request for them is under way itself.
  await eventually(
    async () => /^giftwire_http_requests_under_way (\d+)$/m.exec((await service.call<string>('/metrics')).body)?.[1],
    (underWay) => underWay === '1',
    { everyMs: 500 },
  );
});

test('connections that send more than may wait are closed, and the others are served', async () => {
  const report = `GET /api/v1/reports/teams/activity HTTP/1.1\r\n${credentials}\r\n`;
  // Short ones: several thousand arrive with one reading of a socket.
  const many = 'GET / HTTP/1.1\r\n\r\n'.repeat(3_300);
  await service.database.transaction(async (tx) => {
    await tx.query('lock table activities in access exclusive mode');
    const sockets = await Promise.all(Array.from({ length: 10 }, open));
    let closed = 0;
    for (const socket of sockets) {
      socket.once('close', () => closed++);
      socket.resume();
      // The report waits for the table, and all the others for the report.
      socket.write(report + many);
    }
    // Asked over the transaction's own connection, because an idle one would be ended.
    await eventually(
      () => tx.query('select').then(() => closed),
      (count) => count > 0,
    );
    assert.equal((await service.call('/health/live')).status, 200);
    for (const socket of sockets) socket.destroy();
  });
});
