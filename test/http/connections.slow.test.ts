import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import Fastify from 'fastify';
import { pino } from 'pino';
import type { Answer } from '../../src/doors/http/answer.ts';
import { cutSlowReaders, timeouts } from '../../src/doors/http/connections/connections.ts';
import { createOneByOneServer } from '../../src/doors/http/connections/pipelining.ts';
import { observeRequests } from '../../src/doors/http/observe.ts';
import { createMetrics } from '../../src/ground/metrics.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { openConnection } from '../support/harmless.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { head } from '../support/raw.ts';
import { startService } from '../support/service.ts';

type TimedServer = Server & { connectionsCheckingInterval: number };

const longestMs = 30_000;
const service = await startService({ logLevel: 'warn' });
const server = await findServer();
const accepted = new Map<number, Socket>();
server.on('connection', (socket) => accepted.set(socket.remotePort as number, socket));
const answers: Answer[] = [];
server.on('request', (_request, answer) => answers.push(answer as Answer));
const credentials = [`Authorization: Bearer ${service.token}`, `X-Workspace-id: ${service.workspaceId}`];
const json = 'Content-Type: application/json';
const halfHead = 'POST /api/v1/orders HTTP/1.1\r\nHost: x\r\nX-Slow: ';
const halfBody = `${head('POST', '/api/v1/orders', ...credentials, json, 'Content-Length: 100')}{`;
const opened: Socket[] = [];
cleanUp(async () => {
  for (const socket of opened) socket.destroy();
});

/** The HTTP server of the service in this process, from Node's diagnostics channel. */
async function findServer(): Promise<TimedServer> {
  const found = new Promise<TimedServer>((resolve) =>
    subscribe('http.server.request.start', (message) => resolve((message as { server: TimedServer }).server)),
  );
  await service.call('/health/live');
  return found;
}

async function open(said: string): Promise<Socket> {
  const socket = await openConnection(service.url, said);
  opened.push(socket);
  return socket;
}

/** How many of these connections are still open on the service's side. */
const countHeld = async (sockets: Socket[]) =>
  sockets.filter(({ localPort }) => accepted.get(localPort as number)?.destroyed === false).length;
const allHeld = (sockets: Socket[]) =>
  eventually(
    () => countHeld(sockets),
    (count) => count === sockets.length,
  );
const noneHeld = (sockets: Socket[]) =>
  eventually(
    () => countHeld(sockets),
    (count) => count === 0,
  );

async function assertServed(requestId: string): Promise<void> {
  for (const path of [
    `/api/v1/orders/status/${requestId}`,
    `/api/v1/orders/${requestId}?size=5`,
    '/api/v1/reports/teams/activity?size=5',
    '/api/v1/reports/members/last-recognized',
    '/health/ready',
  ])
    assert.equal((await service.call(path)).status, 200, path);
  const { body } = await service.create(anOrder());
  assert.equal((await service.finished(body.requestId)).requestStatus, 'COMPLETED');
}

test('the longest that a slow head or body can last is 30 seconds', () => {
  // Node checks for late requests once in an interval, so one may live that much longer.
  const { headersTimeout, requestTimeout, connectionsCheckingInterval } = server;
  for (const [name, ms] of Object.entries({ headersTimeout, requestTimeout })) assert.ok(ms > 0, `${name} is ${ms}`);
  assert.ok(headersTimeout + connectionsCheckingInterval <= longestMs, 'a slow head');
  assert.ok(requestTimeout + connectionsCheckingInterval <= longestMs, 'a slow body');
});

test('two thousand idle or half-sent requests do not delay other callers', async () => {
  const { requestId } = await service.fulfilled(anOrder());
  // On a slow machine the first of them would be late before the last is open.
  const late = 10 * 60_000;
  await withTimeouts({ headersTimeout: late, requestTimeout: late }, async () => {
    const idle: Socket[] = [];
    for (let nth = 0; nth < 2_000; nth += 100)
      idle.push(
        ...(await Promise.all([...Array(100)].map((_, one) => open(['', halfHead, halfBody][one % 3] as string)))),
      );
    await allHeld(idle);
    await assertServed(requestId);
    assert.equal(await countHeld(idle), 2_000);
    for (const socket of idle) socket.destroy();
    await noneHeld(idle);
  });
});

test('requests without a credential that are never finished keep nobody with one from being served', async () => {
  const { requestId } = await service.fulfilled(anOrder());
  const form = ['Content-Type: application/x-www-form-urlencoded', 'Content-Length: 100', `Origin: ${service.url}`];
  const half = head('POST', '/g/look', ...form).replace('Host: localhost', `Host: ${new URL(service.url).host}`);
  const late = 10 * 60_000;
  await withTimeouts({ headersTimeout: late, requestTimeout: late }, async () => {
    const held: Socket[] = [];
    const begun = answers.length;
    for (let nth = 0; nth < 4_100; nth += 100) {
      held.push(...(await Promise.all([...Array(100)].map(() => open(`${half}token=`)))));
      for (const answer of answers.slice(begun)) Object.assign(answer, { begunAt: performance.now() });
    }
    await eventually(async () => answers.length - begun >= 4_100);
    assert.equal((await service.call('/g', { token: null })).status, 503);
    await assertServed(requestId);
    for (const socket of held) socket.destroy();
    await noneHeld(held);
    await eventually(async () => (await service.call('/g', { token: null })).status === 200);
  });
});

/** Runs with other timeouts of the same server. */
async function withTimeouts<T>(changed: Partial<TimedServer>, run: () => Promise<T>): Promise<T> {
  const { headersTimeout, requestTimeout } = server;
  Object.assign(server, changed);
  try {
    return await run();
  } finally {
    Object.assign(server, { headersTimeout, requestTimeout });
  }
}

test('a request that is not completed in time is answered and its connection closed, even while bytes trickle in', async () => {
  await withTimeouts({ headersTimeout: 300, requestTimeout: 400 }, async () => {
    const slow = await Promise.all(['', halfHead, halfBody].map(open));
    await eventually(async () => slow.every(({ localPort }) => accepted.has(localPort as number)));
    const received = slow.map(() => '');
    for (const [nth, socket] of slow.entries())
      socket.on('data', (text) => {
        received[nth] = `${received[nth]}${text}`;
      });
    // The silent connection stays silent: a single letter would be a malformed request.
    const trickle = setInterval(() => {
      for (const socket of slow.slice(1)) socket.write('x');
    }, 100);
    await noneHeld(slow).finally(() => clearInterval(trickle));
    await eventually(async () => received.every((answer) => answer.endsWith('}')));
    for (const answer of received) {
      assert.match(answer, /^HTTP\/1\.1 408 /);
      assert.match(answer, /\{"status":408,"message":"[^"]+","type":"invalid_field"\}$/);
    }
  });
});

test('clients that never read their answers hold no database connection, delay nobody, and are disconnected', async () => {
  const orderItems = Array.from({ length: 1_000 }, () => aGift({ message: '\u{1f381}'.repeat(1_000) }));
  const { requestId } = await service.fulfilled(anOrder({ orderItems }));
  // More than there are database connections for reports, and more than the kernel buffers.
  const find = head('GET', `/api/v1/orders/${requestId}?size=1000`, ...credentials);
  const report = head('GET', '/api/v1/reports/teams/activity?size=1000', ...credentials);
  const asked = [...Array(5)].flatMap(() => [find.replace('close', 'keep-alive') + find, report]);
  const readers = await Promise.all(asked.map(open));
  await eventually(
    async () => readers.filter(({ readableLength }) => readableLength === 0).length,
    (unanswered) => unanswered === 0,
  );
  await assertServed(requestId);
  const busy = await eventually(
    () =>
      service.database.query(
        `select application_name from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
      ),
    (rows) => rows.length === 0,
  );
  assert.deepEqual(busy, []);
  const ends = readers.map(({ localPort }) => accepted.get(localPort as number) as Socket);
  assert.ok(
    ends.some((end) => !end.destroyed),
    'no answer has to wait for its reader',
  );
  // As if they had begun half a minute ago.
  for (const answer of answers) Object.assign(answer, { begunAt: answer.begunAt - longestMs });
  await noneHeld(readers);
});

test('a client that reads an answer byte by byte is disconnected although it is never idle', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const cut = new Set<number>();
  const now = performance.now();
  const answer = (elapsedMs: number) =>
    ({ begunAt: now - elapsedMs, route: {}, reply: null, destroy: () => cut.add(elapsedMs) }) as unknown as Answer;
  cutSlowReaders(Fastify(), new Set([answer(timeouts.requestTimeout - 1_000), answer(timeouts.requestTimeout + 1)]));
  t.mock.timers.tick(longestMs - timeouts.requestTimeout);
  assert.deepEqual([...cut], [timeouts.requestTimeout + 1]);
});

test('a CSV file may take longer than other answers as long as the client keeps reading', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const files = ['steady', 'slow', 'trickling', 'stalled', 'endless'].map((name) => {
    const file = {
      name,
      begunAt: performance.now() - timeouts.requestTimeout - 1,
      route: {},
      reply: { hasHeader: () => true },
      socket: { bytesWritten: 0 },
      isCut: false,
      destroy: () => Object.assign(file, { isCut: true }),
    };
    return file;
  });
  const named = (name: string) => files.find((file) => file.name === name) as (typeof files)[0];
  cutSlowReaders(Fastify(), new Set(files as unknown as Answer[]));
  const isCut = () => files.filter((file) => file.isCut).map(({ name }) => name);
  const pass = (ms: number) => {
    for (const file of files) file.begunAt -= ms;
    t.mock.timers.tick(longestMs - timeouts.requestTimeout);
  };
  const minute = 60_000;
  for (let passed = 0; passed < 12; passed++) {
    for (const name of ['steady', 'endless']) named(name).socket.bytesWritten += 1_200_000;
    // 20 KB/s, as buffers of several MB let it be seen.
    if (passed % 2 === 1) named('slow').socket.bytesWritten += 2_400_000;
    named('trickling').socket.bytesWritten += 100_000;
    pass(minute);
    if (passed === 3) assert.deepEqual(isCut(), []);
  }
  assert.deepEqual(isCut(), ['trickling', 'stalled']);
  named('endless').begunAt -= 25 * 60 * minute;
  pass(0);
  assert.deepEqual(isCut(), ['trickling', 'stalled', 'endless']);
});

test('a client that disconnects leaves nothing behind, whatever it was waiting for', async () => {
  const app = Fastify({ serverFactory: createOneByOneServer });
  const metrics = createMetrics();
  const { underWay, begin } = observeRequests(metrics, pino({ level: 'silent' }));
  app.addHook('onRequest', async ({ id }, { raw }) => begin(raw as Answer, id, {}));
  let answerSlow = () => {};
  app.get(
    '/slow',
    () =>
      new Promise((resolve) => {
        answerSlow = () => resolve('late');
      }),
  );
  app.get('/big', async () => 'x'.repeat(20_000_000));
  app.post('/body', async () => 'ok');
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  cleanUp(() => app.close());
  for (const request of [head('GET', '/slow'), head('GET', '/big'), head('POST', '/body', json, 'Content-Length: 9')]) {
    const socket = await openConnection(url, request);
    await eventually(
      async () => underWay.size,
      (size) => size === 1,
    );
    socket.destroy();
    answerSlow();
    await eventually(
      async () => underWay.size,
      (size) => size === 0,
    );
  }
});

test('after all of this the service is alive', async () => {
  assert.equal((await service.call('/health/ready')).status, 200);
});
