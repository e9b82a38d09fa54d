import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Giftwire, GiftwireError, type GiftwireOptions } from '@giftwire/sdk';
import { anOrderOf, openClient } from '../support/client.ts';
import { startLossyProxy } from '../support/lossy-proxy.ts';
import { type Act, answering, hangUp, refusing, startScriptedServer, stayQuiet } from '../support/scripted-server.ts';
import { startService } from '../support/service.ts';

const accepted = answering(201, { requestId: 'r', requestStatus: 'ACCEPTED' });
const busy = refusing(503, 'Busy.', { 'Retry-After': '0' });
const reasons = answering(200, { reasons: [] });

async function connect(script: Act[], options: Partial<GiftwireOptions> = {}) {
  const server = await startScriptedServer(...script);
  return { ...server, giftwire: new Giftwire({ url: server.url, token: 't', workspace: 1, ...options }) };
}

test('an order keeps its key over lost connections, 429, 500, 502 and 503', async () => {
  const script = [
    hangUp,
    refusing(429, 'Slow.', { 'Retry-After': '0' }),
    refusing(500, 'Oh.'),
    answering(502, '<html>'),
    busy,
    accepted,
  ];
  const { giftwire, asked } = await connect(script, { retries: 5 });
  assert.equal((await giftwire.orders.create(anOrderOf('ada@example.com'))).requestId, 'r');
  assert.equal(asked.length, 6);
  assert.match(asked[0]?.headers['idempotency-key'] as string, /^[0-9a-f]{32}$/);
  assert.equal(new Set(asked.map(({ headers }) => headers['idempotency-key'])).size, 1);
  assert.equal(new Set(asked.map(({ body }) => body)).size, 1);
});

test('two orders have two keys, unless the caller has one', async () => {
  const { giftwire, asked } = await connect([accepted]);
  await giftwire.orders.create(anOrderOf('ada@example.com'));
  await giftwire.orders.create(anOrderOf('ada@example.com'));
  await giftwire.orders.create(anOrderOf('ada@example.com'), { idempotencyKey: 'payroll ♥' });
  const keys = asked.map(({ headers }) => headers['idempotency-key'] as string);
  assert.equal(new Set(keys).size, 3);
  assert.equal(Buffer.from(keys[2] as string, 'latin1').toString(), 'payroll ♥');
});

test('a refusal is not repeated', async () => {
  for (const status of [400, 401, 402, 403, 404, 409, 410, 413, 422]) {
    const { giftwire, asked } = await connect([refusing(status, 'No.'), accepted]);
    await assert.rejects(giftwire.orders.create(anOrderOf('ada@example.com')), { status, message: 'No.' });
    assert.equal(asked.length, 1);
  }
});

test('500 is repeated with a key alone', async () => {
  const { giftwire, asked } = await connect([refusing(500, 'Oh.'), reasons]);
  await assert.rejects(giftwire.reasons.list(), { status: 500, type: 'server_error' });
  assert.equal(asked.length, 1);
});

test('what would be done twice is not sent twice, unless the service has refused it before doing anything', async () => {
  for (const act of [hangUp, busy]) {
    const { giftwire, asked } = await connect([act, answering(201, {})]);
    await assert.rejects(giftwire.webhooks.create({ url: 'https://example.com' }), GiftwireError);
    await assert.rejects(
      connectAgain(act).then((again) => again.giftwire.webhooks.rotate(1)),
      GiftwireError,
    );
    assert.equal(asked.length, 1);
  }
  const { giftwire, asked } = await connect([
    refusing(429, 'Slow.', { 'Retry-After': '0' }),
    answering(201, { id: 1 }),
  ]);
  assert.equal((await giftwire.webhooks.create({ url: 'https://example.com' })).id, 1);
  assert.equal(asked.length, 2);
});

const connectAgain = (act: Act) => connect([act, answering(200, {})]);

test('a delete whose answer was lost is done', async () => {
  const { giftwire, asked } = await connect([hangUp, refusing(404, 'There is none.')]);
  await giftwire.webhooks.delete(1);
  assert.equal(asked.length, 2);
  const { giftwire: other } = await connect([refusing(404, 'There is none.')]);
  await assert.rejects(other.webhooks.delete(1), { status: 404 });
});

test('Retry-After is waited for, as seconds and as a date', async (t) => {
  const now = Date.parse('2026-03-01T10:00:00Z');
  t.mock.timers.enable({ apis: ['Date'], now });
  t.mock.method(Math, 'random', () => 0);
  const { setTimeout: set } = globalThis;
  const pauses: number[] = [];
  // A pause of nearly a minute is noted, and over at once.
  t.mock.method(globalThis, 'setTimeout', (work: (...given: unknown[]) => void, ms: number, ...given: unknown[]) => {
    if (ms < 50_000 || ms >= 60_000) return set(work, ms, ...given);
    pauses.push(ms);
    return set(work, 0, ...given);
  });
  for (const value of ['55', new Date(now + 57_000).toUTCString()]) {
    const { giftwire } = await connect([refusing(503, 'Busy.', { 'Retry-After': value }), reasons]);
    assert.deepEqual(await giftwire.reasons.list(), []);
  }
  assert.deepEqual(pauses, [55_000, 57_000]);
});

test('after the last attempt the error says what there was, with the key to go on', async () => {
  const { giftwire, url, asked } = await connect([hangUp], { retries: 1 });
  const error = await giftwire.orders.create(anOrderOf('ada@example.com')).catch((one) => one);
  assert.ok(error instanceof GiftwireError);
  assert.deepEqual([error.type, error.status, error.requestId], ['no_answer', null, null]);
  assert.ok(error.message.startsWith(`There is no answer from ${url}: `), error.message);
  assert.equal(asked.length, 2);
  assert.equal(error.idempotencyKey, asked[0]?.headers['idempotency-key']);
});

test('an attempt has a time-out, and the next one may be answered', async () => {
  const { giftwire, asked } = await connect([stayQuiet, reasons], { timeoutMs: 100 });
  assert.deepEqual(await giftwire.reasons.list(), []);
  assert.equal(asked.length, 2);
  const { giftwire: never } = await connect([stayQuiet], { timeoutMs: 50, retries: 0 });
  await assert.rejects(never.reasons.list(), { type: 'no_answer', message: /within 0\.05 seconds/ });
});

test('a signal ends a call while it waits for an answer and between attempts', async () => {
  for (const act of [stayQuiet, refusing(503, 'Busy.', { 'Retry-After': '50' })]) {
    const { giftwire } = await connect([act]);
    const why = new Error('enough');
    const controller = new AbortController();
    const call = giftwire.reasons.list({ signal: controller.signal });
    setTimeout(() => controller.abort(why), 200);
    await assert.rejects(call, why);
    await assert.rejects(giftwire.reasons.list({ signal: controller.signal }), why);
  }
});

test('an answer that is lost after the commit yields one order', async () => {
  const service = await startService();
  const { clientOf, giftwire, id } = await openClient(service);
  const proxy = await startLossyProxy(service.url, 2);
  const { requestId, replayed } = await clientOf({ url: proxy.url }).orders.create(anOrderOf('ada@example.com'));
  assert.deepEqual([proxy.lost(), replayed], [2, false]);
  assert.equal((await giftwire.orders.waitFor(requestId)).certificates.length, 1);
  const [{ count } = { count: 0 }] = await service.database.query<{ count: number }>(
    'select count(*)::int as count from order_requests where workspace_id = $1',
    [id],
  );
  assert.equal(count, 1);
});
