import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { keepRouteTable } from '../src/http/route-table.ts';
import { createRoutesOnly } from './support/routes-only.ts';
import { startService } from './support/service.ts';

const app = await createRoutesOnly();
const service = await startService();
const { paths } = (await service.call('/openapi.json')).body as {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
};

const routes = app.routeTable
  .filter(({ method, url }) => method !== 'HEAD' && !url.startsWith('/docs'))
  .map(({ method, url, access }) => `${method} ${url} ${access}`);
const scoped = app.routeTable.filter(({ access, method }) => access !== 'public' && method !== 'HEAD');

test('these are all the routes, and what each asks of its caller', () => {
  assert.deepEqual(routes, [
    'GET /health/live public',
    'GET /health/ready public',
    'GET /metrics public',
    'GET / public',
    'GET /openapi.json public',
    'POST /api/v1/orders orders:write',
    'GET /api/v1/orders/status/:requestId orders:read',
    'GET /api/v1/orders/:requestId orders:read',
    'GET /api/v1/reports/teams/activity reports:read',
    'GET /api/v1/reports/members/last-recognized reports:read',
  ]);
});

test('a route that does not say who may use it cannot be registered', () => {
  const other = Fastify();
  keepRouteTable(other);
  assert.throws(() => other.get('/api/v1/open', async () => 'hello'), /does not say who may use it/);
});

test('every route of the interface refuses a stranger', async () => {
  for (const { method, url } of scoped) {
    const { status, body } = await service.call(url.replace(':requestId', crypto.randomUUID()), {
      method,
      token: null,
    });
    assert.equal(status, 401, `${method} ${url}`);
    assert.equal(body.type, 'security_error');
  }
});

test('every route of the interface is in the OpenAPI document with all the statuses it answers with', () => {
  for (const { method, url } of scoped) {
    const operation = paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    assert.ok(operation, `${method} ${url} is not documented`);
    const expected = ['400', '401', '403', '406', '429', '500', '503'];
    if (method === 'POST') expected.push('201', '413', '415', '422');
    else expected.push('200');
    if (url.includes(':requestId')) expected.push('404');
    assert.deepEqual(Object.keys(operation.responses).sort(), expected.sort(), operation.operationId);
  }
});
