import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebhookWithSecret } from '../../src/ground/contract/webhook.ts';
import { startCollector } from '../support/collector.ts';
import { eventually } from '../support/eventually.ts';
import { anOrder } from '../support/orders.ts';
import { giftwireProcess, makeDataDir, serve } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const callerSpan = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${callerSpan}-01`;

test("a caller's trace continues in the service, in the fulfilment of its order and at the webhook, and the log names it", async () => {
  const collector = await startCollector();
  const receiver = await startReceiver();
  const service = await serve({
    GIFTWIRE_DATA_DIR: await makeDataDir(),
    GIFTWIRE_WEBHOOK_NETWORKS: '127.0.0.0/8',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'gifts-of-acme',
  });
  const { token } = service.ready as { token: string };
  const headers = { Authorization: `Bearer ${token}`, 'X-Workspace-id': '1', 'Content-Type': 'application/json' };
  const post = (path: string, body: unknown, more = {}) =>
    fetch(service.url + path, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const webhook = await post('/api/v1/webhooks', { url: receiver.url, types: ['order.completed'] });
  assert.equal(webhook.status, 201);
  assert.ok(((await webhook.json()) as WebhookWithSecret).secret);

  const order = anOrder();
  assert.equal((await post('/api/v1/orders', order, { traceparent })).status, 201);
  const [received] = await eventually(async () => receiver.received.length > 0 && receiver.received);
  const [, sentTrace, sentSpan] = String(received?.headers.traceparent).split('-');
  assert.equal(sentTrace, traceId);

  // A visitor's page does not continue the trace that it sends.
  await fetch(`${service.url}/sign-in`, { headers: { traceparent } });
  await service.end('SIGTERM');

  const named = (name: string) => collector.spans.filter((one) => one.name === name && one.traceId === traceId);
  const [request] = named('POST /api/v1/orders');
  assert.equal(request?.parentSpanId, callerSpan);
  // An event can be posted more than once.
  for (const name of ['fulfil order', 'POST']) {
    assert.ok(named(name).length > 0, name);
    for (const { parentSpanId } of named(name)) assert.equal(parentSpanId, request.spanId, name);
  }
  assert.ok(named('POST').some(({ spanId }) => spanId === sentSpan));
  const statements = collector.spans.filter(({ parentSpanId }) => parentSpanId === request.spanId);
  assert.ok(statements.length > 2, JSON.stringify(statements));
  const visits = collector.spans.filter(({ name }) => name === 'GET /sign-in');
  assert.equal(visits.length, 1);
  assert.notEqual(visits[0]?.traceId, traceId);

  assert.match(collector.text(), /gifts-of-acme/);
  const [gift] = order.orderItems;
  for (const secret of [token, gift?.recipient.email, gift?.message])
    assert.ok(secret && !collector.text().includes(secret), 'traces have no secret and nothing personal');
  const line = service
    .output()
    .split('\n')
    .find((one) => one.includes('"path":"/api/v1/orders"'));
  assert.match(line ?? '', new RegExp(`"reqId":"[^"]+","traceId":"${traceId}"`));
});

test('without an endpoint nothing is traced; a setting that is not understood stops the start', async () => {
  const dataDir = await makeDataDir();
  const service = await serve({ GIFTWIRE_DATA_DIR: dataDir, OTEL_SERVICE_NAME: 'gifts' });
  await fetch(`${service.url}/api/v1/orders`, { headers: { traceparent } });
  await service.end('SIGTERM');
  assert.ok(!service.output().includes('traceId'));
  const endpoint = { GIFTWIRE_DATA_DIR: dataDir, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  for (const [name, value] of Object.entries({
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_TRACES_SAMPLER: 'sometimes',
    OTEL_TRACES_EXPORTER: 'zipkin',
  })) {
    const { code, stderr } = await giftwireProcess(['serve'], { PORT: '0', ...endpoint, [name]: value });
    assert.notEqual(code, 0);
    assert.match(stderr, new RegExp(`${name} must be`));
  }
});
