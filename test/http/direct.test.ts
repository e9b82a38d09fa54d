import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { type Call, startService } from '../support/service.ts';

const service = await startService();
const orders = '/api/v1/orders';
const status = `${orders}/status`;
const { body: known } = await service.create(anOrder());
await service.finished(known.requestId);
const reader = await service.addToken({ scopes: ['orders:read'] });
const paced = await service.addToken({ rateLimitPerMinute: 1_000 });
// Known from now on, so that nothing but the limit keeps it from the direct way.
await service.call(`${status}/${known.requestId}`, { token: paced.token });
const elsewhere = await service.addWorkspace();

/** How many requests Fastify has passed to a handler. */
let handled = 0;
subscribe('tracing:fastify.request.handler:start', () => handled++);

/** No client sends it, and it means the same as what all send. */
const unusual = { Accept: '*/*, application/json' };

async function ask(path: string, call: Call) {
  const before = handled;
  const { status, headers, body } = await service.call(path, call);
  return { status, body, headers: Object.fromEntries(headers), isHandled: handled > before };
}

/** The answer to a plain request, and to the same with another Accept, which goes the whole way. */
async function askBoth(path: string, call: Call = {}) {
  const plain = await ask(path, call);
  const whole = await ask(path, { ...call, headers: { ...call.headers, ...unusual } });
  return { plain, whole };
}

/** Headers that differ between any two answers. */
function withoutOwn({ date, 'x-request-id': id, ...headers }: Record<string, string>) {
  assert.ok(date && id);
  return headers;
}

test('a plain request is answered without Fastify, as Fastify answers it', async () => {
  const keyed = { 'X-Customer-Request-Id': 'payroll-42' };
  const requests: [string, Call][] = [
    [orders, { method: 'POST', body: anOrder() }],
    [orders, { method: 'POST', body: anOrder({ language: null, note: 'ignored' }), headers: keyed }],
    [`${status}/${known.requestId}`, {}],
    [`${status}/${known.requestId.toUpperCase()}`, {}],
  ];
  for (const [path, call] of requests) {
    const { plain, whole } = await askBoth(path, call);
    assert.deepEqual([plain.isHandled, whole.isHandled], [false, true], path);
    assert.equal(plain.status, whole.status);
    assert.deepEqual(withoutOwn(plain.headers), withoutOwn(whole.headers));
    assert.deepEqual({ ...plain.body, requestId: '' }, { ...whole.body, requestId: '' });
  }
});

test('a repeated submission is recognized on both ways', async () => {
  const headers = { 'Idempotency-Key': randomUUID() };
  const first = await ask(orders, { method: 'POST', body: anOrder(), headers });
  const { plain, whole } = await askBoth(orders, { method: 'POST', body: anOrder(), headers });
  for (const { status, body, headers } of [plain, whole]) {
    assert.equal(status, 201);
    assert.equal(body.requestId, first.body.requestId);
    assert.equal(headers['idempotent-replayed'], 'true');
  }
  const other = await askBoth(orders, { method: 'POST', body: anOrder({ currency: 'USD' }), headers });
  assert.equal(other.plain.status, 422);
  assert.deepEqual(other.plain.body, other.whole.body);
});

test('what is wrong with a request is said in the same words on both ways', async () => {
  const order = (changes: Record<string, unknown> = {}) => ({ method: 'POST', body: anOrder(changes) });
  const json = { 'Content-Type': 'application/json' };
  const text = (body: string | Buffer): Call => ({ method: 'POST', body, headers: json });
  const requests: [number, string, Call][] = [
    [401, orders, { ...order(), token: 'gw_test_wrong' }],
    [401, `${status}/${known.requestId}`, { token: null }],
    [400, orders, { ...order(), workspace: null }],
    [400, orders, { ...order(), workspace: '0' }],
    [403, orders, { ...order(), workspace: elsewhere }],
    [403, orders, { ...order(), token: reader.token }],
    [400, orders, order({ currency: undefined, orderItems: [aGift({ amount: '5' })] })],
    [400, orders, { ...order({ currency: 'XXX' }), headers: { 'Idempotency-Key': '' } }],
    [400, orders, { ...order(), headers: { 'Idempotency-Key': 'x'.repeat(256) } }],
    [400, orders, text('{"currency":"CAD","currency":"CAD"}')],
    [400, orders, text('{')],
    [400, orders, text('')],
    [400, orders, text(Buffer.from([0x22, 0xff, 0x22]))],
    [415, orders, { method: 'POST', body: 'x', headers: { 'Content-Type': 'text/plain' } }],
    // The body itself would be a good order.
    [415, orders, { ...order(), headers: { 'Content-Encoding': 'gzip' } }],
    [404, `${status}/${randomUUID()}`, {}],
    [404, `${status}/${known.requestId}`, { workspace: elsewhere, token: await tokenFor(elsewhere) }],
    [400, `${status}/not-a-uuid`, {}],
    [404, `${status}/${known.requestId}/more`, {}],
  ];
  for (const [expected, path, call] of requests) {
    const { plain, whole } = await askBoth(path, call);
    assert.equal(plain.status, expected, JSON.stringify(plain.body));
    assert.equal(whole.status, expected);
    assert.deepEqual(plain.body, whole.body);
  }
});

async function tokenFor(workspaceId: number): Promise<string> {
  return (await service.addToken({ workspaces: [workspaceId] })).token;
}

test('a request that needs a decision goes the whole way', async () => {
  const body = anOrder();
  const requests: [string, Call][] = [
    [orders, { method: 'POST', body, token: paced.token }],
    [orders, { method: 'POST', body, headers: { 'X-Customer-Request-Id': 'a, b' } }],
    [orders, { method: 'POST', body, headers: { 'Content-Encoding': 'identity' } }],
    [orders, { method: 'POST', body, headers: { 'X-Customer-Request-Id': 'caf\u00e9' } }],
    [orders, { method: 'POST', body: anOrder({ orderItems: Array(500).fill(aGift({ message: 'x'.repeat(200) })) }) }],
    [`${status}/${known.requestId}?x=1`, {}],
    [`${status}/%30${known.requestId.slice(1)}`, {}],
    [`${status}/${known.requestId}`, { workspace: `0${service.workspaceId}` }],
  ];
  for (const [path, call] of requests) {
    const { status, isHandled, body } = await ask(path, call);
    assert.ok(status < 300, JSON.stringify(body));
    assert.ok(isHandled, path);
  }
});

test('both ways are logged and counted alike', async () => {
  const count = async () => {
    const { 1: counted = '0' } =
      /duration_seconds_count\{method="GET",route="\/api\/v1\/orders\/status\/:requestId",status="200"\} (\d+)/.exec(
        await (await fetch(`${service.url}/metrics`)).text(),
      ) ?? [];
    return Number(counted);
  };
  const before = await count();
  const { plain, whole } = await askBoth(`${status}/${known.requestId}`);
  await eventually(count, (now) => now === before + 2);
  const lineOf = ({ headers }: typeof plain) =>
    eventually(async () => service.logLines().find(({ reqId }) => reqId === headers['x-request-id']));
  const [direct, usual] = [await lineOf(plain), await lineOf(whole)];
  const own = { time: 0, reqId: '', ms: 0 };
  assert.deepEqual({ ...direct, ...own }, { ...usual, ...own });
});
