import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GiftwireError, type GiftwireEvent } from '@giftwire/sdk';
import { anOrderOf, collect, openClient } from '../support/client.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { aGift } from '../support/orders.ts';
import { startService } from '../support/service.ts';

const service = await startService();

test('all pages are read, each once', async () => {
  const { giftwire, addPeople, outcome, submit } = await openClient(service);
  await addPeople(Array.from({ length: 7 }, (_, nth) => ({ email: `p${nth}@example.com`, department: 'Sales' })));
  const names = (await collect(giftwire.members.all({ department: 'Sales', size: 3 }))).map(({ email }) => email);
  assert.deepEqual(
    names,
    Array.from({ length: 7 }, (_, nth) => `p${nth}@example.com`),
  );
  assert.deepEqual(await collect(giftwire.members.all({ department: 'None' })), []);
  const { requestId, certificates } = await outcome(await submit(Array.from({ length: 150 }, () => aGift())));
  assert.deepEqual(await collect(giftwire.orders.certificates(requestId)), certificates);
});

test('a stream gives every event once, waits for the next one and ends with its signal', async () => {
  const { giftwire, gift } = await openClient(service);
  await gift({ email: 'ada@example.com' });
  const controller = new AbortController();
  const seen: GiftwireEvent[] = [];
  const following = (async () => {
    for await (const event of giftwire.events.stream({ types: ['order.completed'], signal: controller.signal }))
      seen.push(event);
  })();
  await eventually(async () => seen.length === 1);
  await gift({ email: 'ada@example.com' });
  await eventually(async () => seen.length === 2);
  controller.abort();
  await following;
  assert.deepEqual(
    seen.map(({ type }) => type),
    ['order.completed', 'order.completed'],
  );
});

test('a stream throws where asking again does not help', async () => {
  const { giftwire, clientOf } = await openClient(service);
  await assert.rejects(collect(giftwire.events.stream({ after: 99 })), {
    status: 400,
    fields: [{ path: 'after' }].map((one) => ({
      ...one,
      problem: 'is beyond the latest event of this workspace, which is 0',
    })),
  });
  await assert.rejects(collect(clientOf({ token: 'gw_test_wrong' }).events.stream()), {
    status: 401,
    type: 'security_error',
  });
});

test('a stream and a wait survive a restart of the service, and miss nothing', async () => {
  const database = await createTestDatabase();
  const settings = { database, tokenKey: 'k'.repeat(32) };
  const before = await startService(settings);
  const { giftwire, gift } = await openClient(before);
  await gift({ email: 'ada@example.com' });
  const numbers: number[] = [];
  const controller = new AbortController();
  const following = (async () => {
    for await (const { number } of giftwire.events.stream({ signal: controller.signal })) numbers.push(number);
  })();
  await eventually(async () => numbers.length > 0);
  await before.stop();
  const waiting = giftwire.orders
    .create(anOrderOf('ada@example.com'))
    .then(({ requestId }) => giftwire.orders.waitFor(requestId));
  const after = await startService({ ...settings, port: Number(new URL(before.url).port) });
  assert.equal((await waiting).state, 'COMPLETED');
  const { latest } = await giftwire.events.list({ size: 1 });
  await eventually(async () => numbers.at(-1) === latest);
  assert.deepEqual(
    numbers,
    Array.from({ length: latest }, (_, nth) => nth + 1),
  );
  controller.abort();
  await following;
  await after.stop();
});

test('a wait ends with the order, with its signal and with its time', async () => {
  const idle = await startService({ role: 'api' });
  const { giftwire } = await openClient(idle);
  const { requestId } = await giftwire.orders.create(anOrderOf('ada@example.com'));
  await assert.rejects(giftwire.orders.waitFor(requestId, { timeoutMs: 300 }), {
    name: 'OrderError',
    type: 'still_pending',
  });
  const signal = AbortSignal.timeout(200);
  await assert.rejects(giftwire.orders.waitFor(requestId, { signal }), { name: 'TimeoutError' });
  await assert.rejects(giftwire.orders.waitFor('019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f'), { status: 404 });
  await idle.database.query('delete from pending_orders where request_id = $1', [requestId]);
  await idle.database.query(
    `insert into orders (workspace_id, request_id, gift_count, failure)
     select workspace_id, request_id, 0, 'cursed' from order_requests where request_id = $1`,
    [requestId],
  );
  await assert.rejects(
    giftwire.orders.waitFor(requestId),
    (error) => error instanceof GiftwireError && error.type === 'order_failed',
  );
});
