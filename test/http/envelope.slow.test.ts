import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { scopes } from '../../src/company/access/scopes.ts';
import { createToken } from '../../src/company/access/tokens.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { createWorkspace } from '../../src/company/workspaces/workspaces.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { anOrder } from '../support/orders.ts';
import { startProxy } from '../support/proxy.ts';
import { head, sendRaw } from '../support/raw.ts';
import { type Call, startService } from '../support/service.ts';

const service = await startService();
const orders = '/api/v1/orders';
const id = randomUUID();
const credentials = [`Authorization: Bearer ${service.token}`, `X-Workspace-id: ${service.workspaceId}`];
const json = 'Content-Type: application/json';
const allowed = {
  [orders]: 'GET, HEAD, POST',
  [`${orders}/${id}`]: 'GET, HEAD',
  [`${orders}/status/${id}`]: 'GET, HEAD',
  '/api/v1/reports/teams/activity': 'GET, HEAD',
  '/api/v1/reports/members/last-recognized': 'GET, HEAD',
};
// Before the first test, so that each can be run alone.
const { node, proxy, calls, closeDatabase } = await startBehindProxy();

interface Sent {
  status: number;
  headers: Headers;
  text: string;
}

async function send(path: string, { method = 'POST', token, headers, body }: Call = {}): Promise<Sent> {
  const response = await fetch(service.url + path, {
    method,
    headers: {
      Authorization: `Bearer ${token ?? service.token}`,
      'X-Workspace-id': String(service.workspaceId),
      ...headers,
    },
    ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const sendJson = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
  send(orders, { body: Buffer.from(body), headers: { 'Content-Type': 'application/json', ...headers } });

function assertProblem(sent: Sent, ...statuses: number[]): string {
  const { status, headers, text } = sent;
  assert.ok(statuses.includes(status), `${status} ${text}`);
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  const problem = JSON.parse(text) as Record<string, unknown>;
  assert.deepEqual(Object.keys(problem), ['status', 'message', 'type'], text);
  assert.equal(problem.status, status);
  const security = [401, 403, 429].includes(status);
  assert.equal(problem.type, security ? 'security_error' : status >= 500 ? 'server_error' : 'invalid_field');
  assert.doesNotMatch(text, /\bat .*:\d+|node_modules|\.ts\b|select |insert |relation|FST_|HPE_|ECONN|gw_test_/i);
  return problem.message as string;
}

test('a body that is not JSON is a 400', async () => {
  const utf16 = Buffer.from(`\uFEFF${JSON.stringify(anOrder())}`, 'utf16le');
  const bodies = ['{', '{"a":1}}', "{'a':1}", '{"a":NaN}', '{"a":01}', 'undefined', '{"a":"\n"}', '{,}', '[1,]', '\0'];
  for (const body of [...bodies, utf16, utf16.subarray(2), Buffer.from(utf16).swap16()])
    assertProblem(await sendJson(body), 400);
});

test('an empty body is a 400, with and without a media type', async () => {
  for (const body of ['', ' ', '\r\n\t', '\uFEFF']) assertProblem(await sendJson(body), 400);
  assertProblem(await send(orders, {}), 400, 415);
  assertProblem(await send(orders, { headers: { 'Content-Type': 'application/json' } }), 400);
});

test('a byte order mark before JSON does no harm', async () => {
  assert.equal((await sendJson(`\uFEFF${JSON.stringify(anOrder())}`)).status, 201);
});

test('bytes that are not UTF-8 are a 400 and never replaced', async () => {
  const [before = '', behind = ''] = JSON.stringify(anOrder()).split('Thank');
  for (const bytes of [
    [0xff],
    [0xc3, 0x28],
    [0xe2, 0x82],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0xc0, 0x80],
  ]) {
    const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(behind)]);
    assert.match(assertProblem(await sendJson(body), 400), /UTF-8/);
  }
});

test('JSON of any depth is read or refused, and nothing breaks', async () => {
  const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000);
  const nests = [deep('[', ']'), `${deep('{"a":', '}').replace(':}', ':1}')}`, '['.repeat(100_000)];
  for (const nest of nests) {
    assertProblem(await sendJson(nest), 400);
    // A long number selects another path in the parser.
    assertProblem(await sendJson(`[1.23456789012345678,${nest}]`), 400);
    assertProblem(await sendJson(`{"currency":"CAD","orderItems":[{"message":${nest},"amount":${nest}}]}`), 400);
  }
});

test('a body of another or no media type is a 415', async () => {
  const body = JSON.stringify(anOrder());
  for (const type of [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/vnd.api+json',
    'application/jsonx',
    'text/json',
    'json',
    '*/*',
    ';',
  ])
    assertProblem(await send(orders, { body: Buffer.from(body), headers: { 'Content-Type': type } }), 415);
  assertProblem(await send(orders, { body: Buffer.from(body) }), 415);
});

test('the JSON media type may be written in any case and with a charset', async () => {
  for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"'])
    assert.equal((await sendJson(JSON.stringify(anOrder()), { 'Content-Type': type })).status, 201, type);
});

test('a compressed body is refused, not misread', async () => {
  const compressed = gzipSync(JSON.stringify(anOrder()));
  assertProblem(await sendJson(compressed, { 'Content-Encoding': 'gzip' }), 400, 415);
});

test('a body above the limit is a 413, announced or not', async () => {
  const announced = head('POST', orders, ...credentials, json, `Content-Length: ${17 * 1024 * 1024}`);
  assertProblem(await sendRaw(service.url, announced), 413);
  const endless = head('POST', orders, ...credentials, json, 'Transfer-Encoding: chunked');
  const chunk = `${(1024 * 1024).toString(16)}\r\n${' '.repeat(1024 * 1024)}\r\n`;
  assertProblem(await sendRaw(service.url, endless, ...Array<string>(17).fill(chunk)), 413);
});

test('an unknown address is a 404', async () => {
  const paths = ['/api', '/api/', '/api/v1', '/api/v2/orders', '/api/v1/order', `${orders}/status/${id}/x`, '/api//v1'];
  for (const path of [...paths, '/api/v1/reports', '/api/v1/reports/teams', '/api/%00', '/api/v1/%2e%2e/orders/x'])
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS'])
      assertProblem(await send(path, { method, token: 'nobody' }), 404);
});

test('every other method is a 405 with the supported methods in Allow', async () => {
  for (const [path, allow] of Object.entries(allowed)) {
    for (const method of METHODS.filter((name) => name !== 'CONNECT' && !allow.split(', ').includes(name))) {
      const answer = await sendRaw(service.url, head(method, `${path}?page=x`, 'Content-Length: 0'));
      assert.equal(answer.headers.get('allow'), allow, `${method} ${path}`);
      if (method === 'HEAD') assert.deepEqual([answer.status, answer.text], [405, '']);
      else assert.ok(assertProblem(answer, 405).includes(allow));
    }
  }
});

test('HEAD is GET without a body', async () => {
  const { requestId } = (await service.create(anOrder())).body;
  await service.finished(requestId);
  for (const path of [`${orders}/${requestId}`, `${orders}/status/${requestId}`, `${orders}/${id}`, `${orders}/x`]) {
    const [get, without] = [await send(path, { method: 'GET' }), await send(path, { method: 'HEAD' })];
    assert.equal(without.status, get.status);
    assert.equal(without.text, '');
    assert.equal(without.headers.get('content-length'), get.headers.get('content-length'));
  }
});

test('a path with a malformed escape is a 400', async () => {
  for (const malformed of ['%', '%z', '%zz', '%f', '%ff', '%c3%28', '%e2%82', '%u0041'])
    for (const path of [`${orders}/${malformed}`, `${orders}/status/${malformed}`, `/api/v1/reports/${malformed}`])
      assertProblem(await sendRaw(service.url, head('GET', path, ...credentials)), 400);
  for (const path of ['%00', '%2F', '%0d%0aX:1', '..%2f..', '%F0%9F%8E%81', 'a b', "'", '<script>'])
    assertProblem(await send(`${orders}/${path}`, { method: 'GET' }), 400);
});

test('headers or an address beyond 16 KiB are a 431', async () => {
  const long = 'x'.repeat(17 * 1024);
  for (const request of [
    head('GET', orders, `X-Long: ${long}`),
    head('GET', orders, ...Array<string>(400).fill(`X-Many: ${'x'.repeat(50)}`)),
    head('GET', `${orders}/${long}`),
    head('GET', `${orders}?${long}`),
  ])
    assertProblem(await sendRaw(service.url, request), 414, 431);
});

test('malformed HTTP is a 400', async () => {
  const post = (...headers: string[]) => head('POST', orders, ...credentials, json, ...headers);
  for (const request of [
    'nonsense\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
    `GET ${orders} HTTP/9.9\r\nHost: x\r\n\r\n`,
    `FOO ${orders} HTTP/1.1\r\nHost: x\r\n\r\n`,
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    head('GET', orders, 'No colon'),
    head('GET', orders, 'Sp ace: x'),
    head('GET', orders, 'X-Nul: a\0b'),
    `${post('Content-Length: 2', 'Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`,
    `${post('Content-Length: 2', 'Content-Length: 3')}{}`,
    `${post('Content-Length: -1')}{}`,
    `${post('Content-Length: two')}{}`,
    `${post('Transfer-Encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n`,
    `${post('Transfer-Encoding: gzip, x')}{}`,
  ])
    assertProblem(await sendRaw(service.url, request), 400);
});

test('a request without a Host is a 400', async () => {
  assertProblem(await sendRaw(service.url, `GET ${orders} HTTP/1.1\r\nConnection: close\r\n\r\n`), 400);
});

test('an unsupported Expect header is refused', async () => {
  assertProblem(await sendRaw(service.url, head('POST', orders, ...credentials, 'Expect: wonders')), 400, 417);
});

test('the answers are the same however an address is written', async () => {
  const path = '/api/v1/reports/teams/activity';
  for (const written of [
    `http://localhost${path}`,
    '/api/v1/%72eports/teams/activity',
    '/%61pi/v1/reports/teams/activity',
  ]) {
    assert.equal((await sendRaw(service.url, head('GET', written, ...credentials))).status, 200);
    assertProblem(await sendRaw(service.url, head('GET', written, ...credentials, 'Accept: text/html')), 406);
    const other = await sendRaw(service.url, head('DELETE', written, ...credentials));
    assertProblem(other, 405);
    assert.equal(other.headers.get('allow'), 'GET, HEAD');
  }
});

test('an Accept header that excludes every available type is a 406, on every operation', async () => {
  for (const [path, allow] of Object.entries(allowed))
    for (const Accept of [
      'text/html',
      'application/xml',
      'application/json;q=0',
      'application/json;q=0, text/csv;q=0, */*',
      'image/*',
    ])
      assertProblem(await send(path, { method: allow === 'POST' ? 'POST' : 'GET', headers: { Accept } }), 406);
  const counted = await service.database.query('select count(*) from order_requests');
  await sendJson(JSON.stringify(anOrder()), { Accept: 'text/html' });
  assert.deepEqual(await service.database.query('select count(*) from order_requests'), counted);
});

test('an Accept header that allows JSON is served', async () => {
  for (const Accept of [
    '*/*',
    'application/*',
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8, text/plain;q=0.5',
    'text/html, application/xhtml+xml, */*;q=0.1',
    'text/html;q=0, application/json;q=0.001',
    '',
  ])
    assert.equal(
      (await send('/api/v1/reports/teams/activity', { method: 'GET', headers: { Accept } })).status,
      200,
      JSON.stringify(Accept),
    );
});

test('an internal error is a 500 that does not reveal its cause', async () => {
  await service.database.query('alter table order_requests rename to hidden');
  try {
    for (const path of [`${orders}/${id}`, `${orders}/status/${id}`])
      assertProblem(await send(path, { method: 'GET' }), 500);
    assertProblem(await sendJson(JSON.stringify(anOrder())), 500);
  } finally {
    await service.database.query('alter table hidden rename to order_requests');
  }
  assert.equal((await sendJson(JSON.stringify(anOrder()))).status, 201);
});

async function startBehindProxy() {
  const database = await createTestDatabase();
  const proxy = await startProxy(database.url);
  const node = await startService({ databaseUrl: proxy.url });
  const { workspace, token } = await database.transaction(async (tx) => {
    const { id } = await createWorkspace(tx, theService, {
      name: 'A',
      language: 'EN_CA',
      refusesUnknownEmployeeNumbers: false,
    });
    const rights = { name: null, scopes, workspaces: [id], lastsMs: null, rateLimitPerMinute: null };
    return { workspace: id, token: (await createToken(tx, theService, 'test', rights)).token };
  });
  const calls = Object.entries(allowed).map(([path, allow]) => async () => {
    const call = allow === 'POST' ? { method: 'POST', body: anOrder() } : {};
    const { status, headers, body } = await node.call(path, { ...call, token, workspace });
    return { status, headers, text: JSON.stringify(body) };
  });
  const closeDatabase = async (closed: boolean) => {
    const { query } = service.database;
    await query(`alter database ${database.name} allow_connections ${!closed}`);
    if (closed)
      await query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database.name]);
  };
  return { node, proxy, calls, closeDatabase };
}

for (const [manner, goAway, comeBack] of [
  ['refuses connections', () => proxy.become('refuses'), () => proxy.become('serves')],
  ['hangs', () => proxy.become('hangs'), () => proxy.become('serves')],
  ['is closed by its operator', () => closeDatabase(true), () => closeDatabase(false)],
] as const)
  test(`while the database ${manner}, the answer is a 503 with Retry-After, and 2xx once it is back`, async () => {
    const allServed = () => Promise.all(calls.map((call) => eventually(call, ({ status }) => status < 500)));
    await allServed();
    await goAway();
    try {
      // Once while the service still knows the token, once when it has to ask.
      for (let time = 0; time < 2; time++)
        for (const answer of await Promise.all(calls.map((call) => call()))) {
          assertProblem(answer, 503);
          assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
        }
      assert.equal((await node.call('/health/live')).status, 200);
      await eventually(
        () => node.call('/health/ready'),
        ({ status }) => status === 503,
      );
    } finally {
      await comeBack();
    }
    await allServed();
    await eventually(
      () => node.call('/health/ready'),
      ({ status }) => status === 200,
    );
  });

test('after all of this the service is alive', async () => {
  assert.equal((await service.call('/health/live')).status, 200);
  assert.equal((await service.call('/health/ready')).status, 200);
});
