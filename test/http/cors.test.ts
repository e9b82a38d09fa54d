import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseOrigins } from '../../src/ground/config/texts.ts';
import { readDocument } from '../support/openapi.ts';
import { startService } from '../support/service.ts';

const origin = 'https://intranet.example.com';
const service = await startService({ corsOrigins: [origin] });
const closed = await startService();

function preflight(url: string, from: string, path = '/api/v1/orders'): Promise<Response> {
  const headers = {
    Origin: from,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization',
  };
  return fetch(`${url}${path}`, { method: 'OPTIONS', headers });
}

const allowed = (response: Response | { headers: Headers }) => response.headers.get('Access-Control-Allow-Origin');

test('a page of a listed origin may call the API with every header that it takes', async () => {
  const response = await preflight(service.url, origin);
  assert.equal(response.status, 204);
  assert.equal(allowed(response), origin);
  assert.equal(response.headers.get('Vary'), 'Origin');
  assert.equal(response.headers.get('Access-Control-Allow-Credentials'), null);
  const methods = response.headers.get('Access-Control-Allow-Methods')?.split(', ');
  const headers = response.headers.get('Access-Control-Allow-Headers')?.split(', ');
  const { paths, components } = await readDocument();
  for (const [path, operations] of Object.entries<Record<string, { parameters?: object[] }>>(paths)) {
    if (!path.startsWith('/api/')) continue;
    for (const [method, { parameters = [] }] of Object.entries(operations)) {
      assert.ok(methods?.includes(method.toUpperCase()), method);
      for (const parameter of parameters as { $ref?: string; in: string; name: string }[]) {
        const named = parameter.$ref ? components.parameters[parameter.$ref.split('/').at(-1) as string] : parameter;
        if (named.in === 'header') assert.ok(headers?.includes(named.name), named.name);
      }
    }
  }
});

test('a page of a listed origin reads responses, errors and the headers that the document describes', async () => {
  const good = await service.call('/api/v1/reasons', { headers: { Origin: origin } });
  assert.deepEqual([good.status, allowed(good)], [200, origin]);
  const exposed = good.headers.get('Access-Control-Expose-Headers')?.split(', ') ?? [];
  const described = JSON.stringify(await readDocument()).matchAll(/"headers":\{(.*?)\}\}/g);
  for (const [, headers = ''] of described)
    for (const [, name = ''] of headers.matchAll(/"([A-Z][\w-]+)":\{/g)) assert.ok(exposed.includes(name), name);
  for (const [path, call, status] of [
    ['/api/v1/reasons', { token: null }, 401],
    ['/api/v1/nothing', {}, 404],
    ['/api/v1/reasons', { method: 'PUT' }, 405],
    ['/api/v1/members?page=x', {}, 400],
  ] as const) {
    const bad = await service.call(path, { ...call, headers: { Origin: origin } });
    assert.deepEqual([bad.status, allowed(bad)], [status, origin], path);
  }
});

test('pages of other origins, and other parts of the service, get no permission', async () => {
  for (const other of ['https://evil.example', `${origin}.evil.example`, 'http://intranet.example.com', 'null'])
    assert.equal(allowed(await preflight(service.url, other)), null, other);
  for (const path of ['/session/link', '/scim/v2/Users', '/g', '/', '/apis'])
    assert.equal(allowed(await preflight(service.url, origin, path)), null, path);
  const unlisted = await service.call('/api/v1/reasons', { headers: { Origin: 'https://evil.example' } });
  assert.deepEqual([unlisted.status, allowed(unlisted), unlisted.headers.get('Vary')], [200, null, 'Origin']);
});

test('without the setting no page of another origin gets permission', async () => {
  const response = await preflight(closed.url, origin);
  assert.deepEqual([response.status, allowed(response)], [405, null]);
  assert.equal((await closed.call('/api/v1/reasons', { headers: { Origin: origin } })).headers.get('Vary'), null);
});

test('an origin is written as browsers send it', () => {
  assert.deepEqual(parseOrigins(`${origin}, http://localhost:5173`, 'X'), [origin, 'http://localhost:5173']);
  for (const wrong of [
    '*',
    `${origin}/`,
    `${origin}/app`,
    'intranet.example.com',
    'https://Intranet.example.com',
    'null',
    'https://x:443',
  ])
    assert.throws(() => parseOrigins(wrong, 'X'), /which is no origin such as https:/, wrong);
});
