import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { OrderRecord, OrderRequestStatus } from '../../src/ground/contract/order.ts';
import { isAlive } from '../../src/ground/database/embedded/process.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually, whileBusy } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { childrenOf, giftwire, giftwireProcess, makeDataDir, serve } from '../support/process.ts';

const dataDir = await makeDataDir();
const env = { GIFTWIRE_DATA_DIR: dataDir };
const service = await serve({ ...env, GIFTWIRE_PROCESSES: '2' });

const call = (path: string, body?: unknown, as = service.ready.token as string) =>
  fetch(service.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    // Each call uses a new connection, because connections are distributed among the processes.
    headers: {
      Authorization: `Bearer ${as}`,
      'X-Workspace-id': '1',
      'Content-Type': 'application/json',
      Connection: 'close',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

async function children(): Promise<number[]> {
  const all = await childrenOf(service.pid);
  return all.filter(({ command }) => command.includes('giftwire.js')).map(({ pid }) => pid);
}

async function answeredBy(path: string): Promise<string> {
  const response = await call(path);
  assert.equal(response.status, 200);
  await response.text();
  return response.headers.get('x-request-id')?.split('-')[0] as string;
}

test('several processes answer at one address, with one demo and one embedded PostgreSQL', async () => {
  assert.equal((await children()).length, 2);
  await eventually(async () => {
    const marks = await Promise.all(Array.from({ length: 8 }, () => answeredBy('/health/live')));
    return new Set(marks).size === 2;
  });
});

test('a second service cannot listen on the same address', async () => {
  const { port } = new URL(service.url);
  const { url } = await createTestDatabase();
  const { code, stderr } = await giftwireProcess(['serve'], {
    DATABASE_URL: url,
    GIFTWIRE_DATA_DIR: join(dataDir, 'second'),
    GIFTWIRE_PROCESSES: '2',
    PORT: port,
  });
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`^Port ${port} .*taken`));
});

test('an order accepted by one process is seen by all', async () => {
  const created = await call('/api/v1/orders', anOrder());
  assert.equal(created.status, 201);
  const { requestId } = (await created.json()) as OrderRequestStatus;
  for (let round = 0; round < 4; round++) {
    await eventually(async () => {
      const status = (await (await call(`/api/v1/orders/status/${requestId}`)).json()) as OrderRequestStatus;
      return status.requestStatus === 'COMPLETED';
    });
  }
});

test('tills may redeem one gift at once, whichever process each of them reaches', async () => {
  const headers = { Authorization: `Bearer ${service.ready.token}`, 'X-Workspace-id': '1', Connection: 'close' };
  const send = (method: string, path: string, body: unknown, more = {}) =>
    fetch(service.url + path, {
      method,
      headers: { ...headers, 'Content-Type': 'application/json', ...more },
      body: JSON.stringify(body),
    });
  assert.equal((await send('PUT', '/api/v1/spending-options/till', { kind: 'TILL', name: 'Shop' })).status, 200);
  const order = anOrder({ orderItems: [aGift({ amount: 40 })] });
  const { requestId } = (await (await call('/api/v1/orders', order)).json()) as OrderRequestStatus;
  const { certificates } = await eventually(
    async () => (await (await call(`/api/v1/orders/${requestId}`)).json()) as OrderRecord,
    ({ state }) => state === 'COMPLETED',
  );
  const token = certificates[0]?.shortToken;
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async (_, nth) => {
      const redemption = { token, amount: 1 };
      const sent = () => send('POST', '/api/v1/gifts/redemptions', redemption, { 'Idempotency-Key': `${nth}` });
      return (await whileBusy(sent)).status;
    }),
  );
  assert.deepEqual(new Set(statuses), new Set([201]));
});

test('metrics are those of all processes together', async () => {
  for (let sent = 0; sent < 6; sent++) await (await call('/api/v1/orders', anOrder())).text();
  const totals = new Set<string>();
  for (let asked = 0; asked < 4; asked++) {
    const text = await (await call('/metrics')).text();
    totals.add(/^giftwire_orders_accepted_total (\d+)$/m.exec(text)?.[1] ?? 'none');
  }
  assert.deepEqual([...totals], ['8']);
});

test('the limit of a token is that of all processes together', async () => {
  const made = await giftwire(
    ['token', 'create', '--workspace', '1', '--name', 'slow', '--rate-limit', '6', '--json'],
    env,
  );
  const { token } = JSON.parse(made.stdout) as { token: string };
  const statuses: number[] = [];
  for (let asked = 0; asked < 10; asked++) {
    const response = await call('/api/v1/reports/teams/activity', undefined, token);
    await response.text();
    statuses.push(response.status);
  }
  assert.deepEqual(statuses.sort(), [...Array(6).fill(200), ...Array(4).fill(429)]);
});

test('a revoked token is refused by every process', async () => {
  const made = await giftwire(['token', 'create', '--workspace', '1', '--name', 'gone', '--json'], env);
  const { id, token } = JSON.parse(made.stdout) as { id: number; token: string };
  const statuses = () =>
    Promise.all(
      Array.from({ length: 8 }, async () => (await call('/api/v1/reports/teams/activity', undefined, token)).status),
    );
  assert.deepEqual(new Set(await statuses()), new Set([200]));
  assert.equal((await giftwire(['token', 'revoke', String(id)], env)).code, 0);
  await eventually(async () => (await statuses()).every((status) => status === 401));
});

test('a killed process is replaced, and the others answer meanwhile', async () => {
  const [first = 0, second = 0] = await children();
  process.kill(first, 'SIGKILL');
  await eventually(async () => !isAlive(first));
  // A connection that the killed process had just accepted is reset.
  await eventually(async () => {
    const answer = await call('/api/v1/orders', anOrder()).catch(() => null);
    return answer?.status === 201;
  });
  // A new process takes a while, and to look at all processes takes processor time.
  await eventually(children, (now) => now.length === 2 && !now.includes(first) && now.includes(second), {
    everyMs: 100,
  });
  await eventually(
    () => Promise.all(Array.from({ length: 8 }, () => answeredBy('/health/ready').catch(() => 'none'))),
    (marks) => new Set(marks).size === 2 && !marks.includes('none'),
    { everyMs: 100 },
  );
});

test('all processes end on SIGTERM, with exit code 0', async () => {
  const pids = await children();
  const { code } = await service.end('SIGTERM');
  assert.equal(code, 0);
  assert.deepEqual(pids.map(isAlive), [false, false]);
});

test('when the main process is killed, the others end too', async () => {
  const again = await serve({ ...env, GIFTWIRE_PROCESSES: '2', PORT: '0' });
  const pids = (await childrenOf(again.pid))
    .filter(({ command }) => command.includes('giftwire.js'))
    .map(({ pid }) => pid);
  assert.equal(pids.length, 2);
  await again.end('SIGKILL');
  await eventually(async () => !pids.some(isAlive));
});
