import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import { holdClock } from '../support/held-time.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const service = await startService();
const open = { token: null, workspace: null };

/** Reads current metrics: readings are cached for a second. */
async function readMetrics(): Promise<(name: string) => number> {
  await sleep(1_100);
  const { body } = await service.call<string>('/metrics', open);
  return (name) => {
    const line = body.split('\n').find((one) => one.startsWith(`${name} `) || one.startsWith(`${name}{`));
    assert.ok(line, `${name} is not among the metrics`);
    return Number(line.split(' ').at(-1));
  };
}

test('the process is live, and ready with its database, migrations and worker', async () => {
  assert.deepEqual((await service.call('/health/live', open)).body, { status: 'ok' });
  const { status, body } = await service.call('/health/ready', open);
  assert.equal(status, 200);
  assert.deepEqual(body, {
    status: 'ok',
    checks: {
      database: { ok: true, detail: 'answers' },
      migrations: { ok: true, detail: 'current' },
      writes: { ok: true, detail: 'work' },
      worker: { ok: true, detail: 'running' },
    },
  });
});

test('metrics count requests, orders, gifts, batches, the queue and the event loop', async () => {
  const before = (await readMetrics())('giftwire_orders_accepted_total');
  await service.fulfilled(anOrder({ orderItems: [...anOrder().orderItems, ...anOrder().orderItems] }));
  await service.create({});
  const metric = await readMetrics();
  assert.equal(metric('giftwire_orders_accepted_total'), before + 1);
  assert.ok(metric('giftwire_orders_completed_total') >= 1);
  assert.ok(metric('giftwire_gifts_issued_total') >= 2);
  assert.equal(metric('giftwire_orders_failed_total'), 0);
  assert.equal(metric('giftwire_queue_depth'), 0);
  assert.equal(metric('giftwire_queue_oldest_age_seconds'), 0);
  assert.ok(metric('giftwire_batch_orders_count{step="accept"}') >= 1);
  assert.ok(metric('giftwire_batch_orders_count{step="fulfil"}') >= 1);
  const requests = 'giftwire_http_request_duration_seconds_count';
  assert.ok(metric(`${requests}{method="POST",route="/api/v1/orders",status="201"}`) >= 1);
  assert.ok(metric(`${requests}{method="POST",route="/api/v1/orders",status="400"}`) >= 1);
  assert.ok(metric('nodejs_eventloop_lag_p99_seconds') >= 0);
});

test('orders, workspaces, ids and unknown paths add no series to the metrics', async () => {
  const use = async () => {
    const workspace = await openWorkspace(service);
    const requestId = await workspace.submit([aGift()]);
    await workspace.outcome(requestId);
    await workspace.read('/api/v1/budgets');
    for (const method of ['GET', 'PUT']) await service.call(`/nowhere/${requestId}`, { ...open, method });
    await sleep(1_100);
    const { body } = await service.call<string>('/metrics', open);
    const series = body.split('\n').filter((line) => line.startsWith('giftwire_') && !line.includes('status="503"'));
    return new Set(series.map((line) => line.slice(0, line.lastIndexOf(' '))));
  };
  // The first reading of the metrics is a request too.
  await readMetrics();
  const before = await use();
  assert.deepEqual([...(await use()).difference(before)], []);
});

test('callers of metrics share a reading, and readiness has one connection', async (t) => {
  holdClock(t);
  const texts = await Promise.all(
    Array.from({ length: 50 }, async () => (await service.call<string>('/metrics', open)).body),
  );
  assert.equal(new Set(texts).size, 1);
  t.mock.restoreAll();
  const countReads = async () => {
    const [row] = await service.database.query<{ count: number }>(
      `select count(*) as count from pg_stat_activity
        where datname = current_database() and application_name = 'giftwire health'`,
    );
    return row?.count;
  };
  await Promise.all(Array.from({ length: 200 }, () => service.call('/health/ready', open)));
  assert.equal(await countReads(), 1);
});

test('busy request connections do not make the service unready', async () => {
  const taken = await startService();
  await taken.database.transaction(async (tx) => {
    await tx.query('lock table order_requests in access exclusive mode');
    const orders = Array.from({ length: 20 }, () => taken.call(`/api/v1/orders/status/${crypto.randomUUID()}`));
    await sleep(1_200);
    await eventually(async () => (await taken.call('/health/ready', open)).status === 200);
    for (const { status } of await Promise.all(orders)) assert.equal(status, 503);
  });
});

test('a connection for requests is open before the first one, so that a flood at the start is not refused for want of one', async () => {
  const { database } = await startService({ role: 'api' });
  const sql = `select from pg_stat_activity where datname = current_database() and application_name = 'giftwire requests'`;
  assert.equal((await database.query(sql)).length, 1);
});

test('the queue metrics count accepted orders that no worker has taken', async () => {
  const accepting = await startService({ role: 'api' });
  await accepting.create(anOrder());
  const { body } = await accepting.call<string>('/metrics', open);
  assert.match(body, /^giftwire_queue_depth 1$/m);
  assert.ok(Number(/^giftwire_queue_oldest_age_seconds (.+)$/m.exec(body)?.[1]) > 0);
  const ready = await accepting.call('/health/ready', open);
  assert.equal(ready.status, 200);
});

test('each answer has a request id that its log line carries', async () => {
  const { headers } = await service.call('/api/v1/reports/teams/activity');
  const id = headers.get('x-request-id');
  // The line is written when the answer has been sent.
  const line = await eventually(async () => service.logLines().find(({ reqId }) => reqId === id));
  assert.equal(line?.path, '/api/v1/reports/teams/activity');
  assert.equal(line?.status, 200);
});

test('the log shows the number of a member, and no other text in its place', async () => {
  await service.call('/api/v1/members/4711');
  await service.call('/api/v1/members/1234123412341234');
  await service.call('/nowhere/4711');
  const paths = service.logLines().map(({ path }) => path);
  assert.ok(paths.includes('/api/v1/members/4711'));
  assert.ok(paths.includes('/api/v1/members/[redacted]') && paths.includes('/nowhere/[redacted]'), paths.join('\n'));
});

test('no token, message or address is logged, whatever is sent', async () => {
  const canary = 'gw_test_canaryCanaryCanaryCanaryCanary1';
  await service.call(`/api/v1/orders/${canary}?token=${canary}`, { token: canary });
  await service.call(`/${canary}`, { headers: { 'X-Customer-Request-Id': canary } });
  await service.create(
    anOrder({ orderItems: [{ message: 'canary-text', amount: 'x', recipient: { email: 'canary@example.com' } }] }),
  );
  const order = await service.fulfilled(anOrder());
  const log = service
    .logLines()
    .map((line) => JSON.stringify(line))
    .join('\n');
  assert.ok(log.length > 0);
  const secrets = [canary, service.token, 'canary-text', 'canary@example.com'];
  for (const { longToken, shortToken } of order.certificates) secrets.push(longToken, shortToken);
  for (const secret of secrets) assert.ok(!log.includes(secret), `${secret} is in the log`);
});
