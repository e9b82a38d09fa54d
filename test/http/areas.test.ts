import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import type { Area } from '../../src/doors/http/area.ts';
import { createServer } from '../../src/doors/http/server.ts';
import { Failure } from '../../src/ground/errors.ts';
import { createMetrics } from '../../src/ground/metrics.ts';
import { startService } from '../support/service.ts';

/** An area that the kernel has never seen, with a rule of its own for everything that an area can declare. */
const page: Area = {
  prefix: '/page',
  authenticate: (request, _reply, done) =>
    done(request.headers.cookie === 'in' ? undefined : new Failure('unauthenticated', 'Sign in.')),
  errors: {
    contentType: 'text/html; charset=utf-8',
    write: (status, { message }) => ({ body: `<h1>${status}</h1>${message}` }),
  },
  headers: { 'Content-Security-Policy': "default-src 'self'" },
  tidyAddress: (url) => (url.startsWith('/page/old/') ? url.replace('/old/', '/new/') : url),
  guide: '/page/guide',
  async plugin(app) {
    app.addContentTypeParser('text/plain', { parseAs: 'string' }, async (_request: unknown, body: string) => body);
    app.post('/new/:id', { config: { access: 'orders:read' } }, async ({ body }) => body);
  },
};
const other: Area = {
  prefix: '',
  authenticate: 'public',
  async plugin(app) {
    app.get('/open', async () => 'open');
    app.post('/open', async () => 'open');
  },
};

const addresses = new Map<FastifyInstance, string>();

async function serve(...areas: Area[]) {
  const metrics = createMetrics();
  const server = await createServer({ log: pino({ level: 'silent' }), metrics, areas });
  addresses.set(server, await server.listen({ host: '127.0.0.1', port: 0 }));
  return server;
}

const app = await serve(page, other);
const service = await startService();
after(() => app.close());

interface Sent {
  method?: string;
  url: string;
  headers?: Record<string, string>;
  payload?: string;
}

/** Over a real connection: the kernel writes headers that all answers have in common where Node writes its own. */
async function send(to: FastifyInstance, sent: string | Sent) {
  const { url, method = 'GET', headers = {}, payload } = typeof sent === 'string' ? ({ url: sent } as Sent) : sent;
  const answer = await fetch(`${addresses.get(to)}${url}`, { method, headers, ...(payload && { body: payload }) });
  const body = await answer.text();
  return { statusCode: answer.status, body, headers: Object.fromEntries(answer.headers), json: () => JSON.parse(body) };
}

const cookie = { cookie: 'in', 'content-type': 'text/plain' };

test("an area's rules hold for its routes and for no other area's", async () => {
  const own = await send(app, { method: 'POST', url: '/page/new/1', headers: cookie, payload: 'hello' });
  assert.deepEqual([own.statusCode, own.body], [200, 'hello']);
  assert.equal(own.headers['content-security-policy'], "default-src 'self'");
  assert.equal(own.headers['x-content-type-options'], 'nosniff');

  const stranger = await send(app, { method: 'POST', url: '/page/new/1', payload: 'hello' });
  assert.deepEqual([stranger.statusCode, stranger.body], [401, '<h1>401</h1>Sign in.']);
  assert.equal(stranger.headers['content-type'], 'text/html; charset=utf-8');

  const open = await send(app, '/open');
  assert.deepEqual([open.statusCode, open.body], [200, 'open']);
  assert.match(String(open.headers['content-security-policy']), /default-src 'none'/);
  const refused = await send(app, { method: 'POST', url: '/open', headers: cookie, payload: 'hello' });
  assert.deepEqual(Object.keys(refused.json()), ['status', 'message', 'type']);
  assert.equal(refused.statusCode, 415);
});

test('an area rewrites its addresses before they are routed', async () => {
  const { statusCode } = await send(app, { method: 'POST', url: '/page/old/1', headers: cookie, payload: 'hello' });
  assert.equal(statusCode, 200);
});

test("an unknown or malformed address is answered in its area's error form, with or without a token", async () => {
  for (const [url, status] of [
    ['/page', 404],
    ['/page/', 404],
    ['/page/none?x=1', 404],
    ['/PAGE/none', 404],
    ['/%70age/none', 404],
    ['/page/new/1', 405],
    ['/page/new/%zz', 400],
  ] as const) {
    const { statusCode, body } = await send(app, url);
    assert.equal(statusCode, status, url);
    assert.ok(body.startsWith(`<h1>${status}</h1>`), `${url}: ${body}`);
  }
  for (const url of ['/pages', '/none/page', '/']) assert.equal((await send(app, url)).json().status, 404, url);
});

test('an unknown address is told where to read what there is', async () => {
  assert.match((await send(app, '/none')).json().message, /see \/page\/guide/);
  const alone = await serve(other);
  assert.equal((await send(alone, '/none')).json().message, 'This path does not exist.');
  await alone.close();
});

test('a route with a scope cannot be registered in an area without authentication', async () => {
  const unguarded: Area = {
    ...other,
    async plugin(scope) {
      scope.get('/secret', { config: { access: 'orders:read' } }, async () => 'secret');
    },
  };
  await assert.rejects(serve(unguarded), /asks for the scope orders:read, but its area does not authenticate/);
});

test('below /scim every error is a SCIM error, also of addresses that are not routed', async () => {
  for (const [path, status] of [
    ['/scim', 404],
    ['/scim/v2', 404],
    ['/scim/v2/Nothing', 404],
    ['/scim/v2/Users/%zz', 400],
    ['/scim/v2/Users', 401],
    ['/%73cim/v2/Users', 401],
  ] as const) {
    const answer = await fetch(service.url + path);
    assert.equal(answer.status, status, path);
    assert.equal(answer.headers.get('content-type'), 'application/scim+json; charset=utf-8', path);
    assert.equal(((await answer.json()) as { status: string }).status, String(status));
  }
});
