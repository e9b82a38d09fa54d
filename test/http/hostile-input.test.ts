import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import { test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import bigList from 'big-list-of-naughty-strings/blns.json' with { type: 'json' };
import { maxBodyBytes } from '../../src/doors/http/areas/api/orders.ts';
import { plainText } from '../../src/ground/values/text.ts';
import { assertHarmless, assertRefused, openConnection } from '../support/harmless.ts';
import { naughtyStrings } from '../support/naughty-strings.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { head, type RawAnswer, sendRaw } from '../support/raw.ts';
import { createRoutesOnly } from '../support/routes-only.ts';
import { startService } from '../support/service.ts';

const service = await startService({ logLevel: 'warn' });
const orders = '/api/v1/orders';
const id = randomUUID();
const authorization = `Authorization: Bearer ${service.token}`;
const workspace = `X-Workspace-id: ${service.workspaceId}`;
const json = 'Content-Type: application/json';
const body = JSON.stringify(anOrder());
const inHeaders = naughtyStrings.filter((text) => !/[\r\n]/.test(text));

function post(text: string | Uint8Array, ...headers: string[]): Promise<RawAnswer> {
  const bytes = Buffer.from(text);
  const start = head('POST', orders, authorization, workspace, json, ...headers, `Content-Length: ${bytes.length}`);
  return sendRaw(service.url, start, bytes);
}

const get = (path: string, ...headers: string[]) =>
  sendRaw(service.url, head('GET', path, authorization, workspace, ...headers));

const countOrders = async () => (await service.database.query('select count(*) as count from order_requests'))[0];

test('every naughty text comes back unchanged as a message', async () => {
  const order = await service.fulfilled(anOrder({ orderItems: naughtyStrings.map((message) => aGift({ message })) }));
  assert.deepEqual(
    order.certificates.map(({ message }) => message),
    naughtyStrings,
  );
});

test('every text of the big list comes back unchanged after trimming, or is refused', async () => {
  const isBlank = (text: string) => text.trim() === '';
  const [blank, texts] = [bigList.filter(isBlank), bigList.filter((text) => !isBlank(text))];
  assert.ok(texts.length > 400);
  const order = await service.fulfilled(anOrder({ orderItems: texts.map((message) => aGift({ message })) }));
  assert.deepEqual(
    order.certificates.map(({ message }) => message),
    texts.map((text) => text.trim()),
  );
  for (const message of blank)
    assert.equal((await service.create(anOrder({ orderItems: [aGift({ message })] }))).status, 400);
});

test('every naughty text may be a name and an employee number, and finds its person again', async () => {
  const people = naughtyStrings.map((text) => ({ firstName: text, lastName: text, employeeNumber: text }));
  await service.fulfilled(anOrder({ orderItems: people.map((recipient) => aGift({ recipient })) }));
  for (const text of naughtyStrings) {
    const path = `/api/v1/reports/members/last-recognized?employeeNumber=${encodeURIComponent(text)}`;
    const { status, body: page } = await service.call<{ teamMembers: { teamMember: Record<string, string> }[] }>(path);
    assert.equal(status, 200, JSON.stringify(text));
    const names = page.teamMembers.map(({ teamMember }) => [teamMember.firstName, teamMember.lastName]);
    assert.ok(
      names.some(([first, last]) => first === plainText(text) && last === plainText(text)),
      `${JSON.stringify(text)} has found ${JSON.stringify(names)}`,
    );
  }
});

test('every naughty text in a header is echoed exactly and makes a retry safe, or is refused', async () => {
  let echoed = 0;
  for (const text of inHeaders) {
    const bytes = Buffer.from(text).toString('latin1');
    const request = (name: string) =>
      Buffer.from(
        head('POST', orders, authorization, workspace, json, `${name}: ${bytes}`, `Content-Length: ${body.length}`) +
          body,
        'latin1',
      );
    const what = JSON.stringify(text);
    const referred = await sendRaw(service.url, request('X-Customer-Request-Id'));
    const [first, again] = [
      await sendRaw(service.url, request('Idempotency-Key')),
      await sendRaw(service.url, request('Idempotency-Key')),
    ];
    assert.deepEqual([first.status, again.status], [referred.status, referred.status], what);
    if (referred.status !== 201) {
      assert.match(assertRefused(referred, what), /^X-Customer-Request-Id must be printable|not well-formed HTTP/);
      continue;
    }
    echoed++;
    assert.equal(JSON.parse(referred.text).customerRequestId, text);
    assert.equal(JSON.parse(first.text).requestId, JSON.parse(again.text).requestId, what);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
  }
  assert.ok(echoed > inHeaders.length - 10, `only ${echoed} of ${inHeaders.length} were taken`);
});

test('no text in a query does harm, as a name or as a value', async () => {
  const filters = ['costCentre', 'currency', 'department', 'location', 'manager'];
  for (const text of [...naughtyStrings, 'a\0b', '\ud800', 'x'.repeat(5_000)]) {
    const value = encodeURIComponent(text.toWellFormed());
    const query = [`${value}=${value}`, ...filters.map((name) => `${name}=${value}`)].join('&');
    assertHarmless(await get(`/api/v1/reports/members/last-recognized?${query}`), query);
  }
  for (const query of ['%', '%zz=%zz', 'manager=%ed%a0%80', 'manager=%ff', '&&=&=', '?page=0', 'page[size]=1', '='])
    assertHarmless(await get(`/api/v1/reports/members/last-recognized?${query}`), query);
});

test('a number that is not a valid amount is a 400 that names it', async () => {
  for (const literal of [
    '-0',
    '0',
    '0.001',
    '1e-7',
    '1e400',
    '-1e400',
    '9007199254740993',
    '"5"',
    'null',
    'true',
    '[5]',
  ]) {
    const order = body.replace('"amount":25', `"amount":${literal}`);
    assert.match(assertRefused(await post(order), literal), /^orderItems\[0\]\.amount must/);
  }
});

test('an invalid page or size is a 400 that names it, on every paged route', async () => {
  for (const path of [`${orders}/${id}`, '/api/v1/reports/teams/activity', '/api/v1/reports/members/last-recognized'])
    for (const name of ['page', 'size'])
      for (const value of [
        '-1',
        '1e21',
        '9007199254740992',
        '0x10',
        '1.0',
        '',
        '%00',
        '%D9%A1',
        '1%0a',
        '1&size=1&page=1',
      ])
        assert.match(assertRefused(await get(`${path}?${name}=${value}`), `${path} ${value}`), new RegExp(name));
});

test('keys named __proto__ or constructor have no effect', async () => {
  const whole = `{"__proto__":${body},"constructor":{"prototype":{"polluted":1}}}`;
  assert.match(assertRefused(await post(whole), whole), /orderItems is required.*currency is required/);
  const recipient = '{"__proto__":{"email":"ada@example.com","polluted":1}}';
  const hidden = body.replace('{"email":"ada@example.com"}', recipient);
  assert.match(assertRefused(await post(hidden), hidden), /recipient must have an email or an employeeNumber/);
  for (const query of ['__proto__[polluted]=1', '__proto__=polluted', 'constructor.prototype.polluted=1'])
    assert.equal((await get(`/api/v1/reports/teams/activity?${query}`)).status, 200, query);
  assert.deepEqual(Object.keys(Object.prototype), []);
  assert.equal('polluted' in {}, false);
});

test('a body of exactly the size limit is read, and one byte more is a 413', async () => {
  const full = Buffer.alloc(maxBodyBytes, ' ');
  full.write(body);
  assert.equal((await post(full)).status, 201);
  const announced = `Content-Length: ${maxBodyBytes + 1}`;
  const answer = await sendRaw(service.url, head('POST', orders, authorization, workspace, json, announced));
  assertRefused(answer, 'one byte more');
  assert.equal(answer.status, 413);
});

test('compressed bodies are never decompressed, so none can explode', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  for (const [encoding, bytes] of [
    ['gzip', bomb],
    ['x-gzip', bomb],
    ['br', brotliCompressSync(body)],
    ['deflate', deflateSync(body)],
    ['identity, gzip', bomb],
    ['nonsense', body],
  ] as const) {
    const answer = await post(bytes, `Content-Encoding: ${encoding}`);
    assertRefused(answer, encoding);
    assert.equal(answer.status, 415, encoding);
  }
  for (const encoding of ['identity', 'IDENTITY'])
    assert.equal((await post(body, `Content-Encoding: ${encoding}`)).status, 201, encoding);
});

test('a header that is doubled, empty, huge or beyond ASCII does no harm', async () => {
  const start = `POST ${orders} HTTP/1.1\r\n`;
  const usual = new Map([
    ['Host', 'localhost'],
    ['Connection', 'close'],
    ['Authorization', `Bearer ${service.token}`],
    ['X-Workspace-id', String(service.workspaceId)],
    ['Content-Type', 'application/json'],
    ['Content-Length', String(body.length)],
    ['Accept', '*/*'],
    ['X-Customer-Request-Id', 'mine'],
    ['Idempotency-Key', 'mine'],
    ['Content-Encoding', 'identity'],
    ['User-Agent', 'test'],
    ['Cookie', 'a=b'],
  ]);
  for (const [name, value] of usual)
    for (const odd of [
      `${value}\r\n${name}: ${value}`,
      `${value}\r\n${name}: other`,
      '',
      'x'.repeat(15_000),
      '\xff\xe9',
      ',',
    ]) {
      const headers = [...usual].map(([one, text]) => `${one}: ${one === name ? odd : text}`).join('\r\n');
      // A connection that is not asked to be closed is closed by a second, unreadable request.
      const request = Buffer.from(`${start}${headers}\r\n\r\n${body}\r\nend\r\n\r\n`, 'latin1');
      assertHarmless(await sendRaw(service.url, request).then(firstOf), `${name}: ${odd.slice(0, 40)}`);
    }
});

/** Of several answers on one connection the first. */
function firstOf(answer: RawAnswer): RawAnswer {
  const length = answer.headers.get('content-length');
  return length === null ? answer : { ...answer, text: Buffer.from(answer.text).toString().slice(0, Number(length)) };
}

test('of two Authorization headers the first counts, so a valid one after an invalid one is a 401', async () => {
  const path = '/api/v1/reports/teams/activity';
  const bad = 'Authorization: Bearer nobody';
  const answer = await sendRaw(service.url, head('GET', path, bad, authorization, workspace));
  assertRefused(answer, 'bad before good');
  assert.equal(answer.status, 401);
});

test('no spelling of a path leads to files or around the routes', async () => {
  const up = ['..', '%2e%2e', '.%2e', '..%2f..', '..%5c..', '..%252f..', '..;', '%c0%ae%c0%ae', '\\..\\..'];
  const around = up.flatMap((step) => [
    `${orders}/${step}/reports/teams/activity`,
    `/docs/static/${step}/${step}/${step}/package.json`,
    `/docs/static/${step}/index.html`,
    `/docs/${step}/metrics`,
  ]);
  for (const path of [
    ...around,
    '//api/v1/reports/teams/activity',
    '/api//v1/reports/teams/activity',
    '/API/V1/REPORTS/TEAMS/ACTIVITY',
    '/api/v1/reports%2fteams/activity',
    '/api/v1/reports/teams/activity%00',
    '/api/v1/reports/teams/activity;a=b',
    '/docs/static//etc/passwd',
    '/docs/static/%00',
    '/g/asset/%ed',
    '/g/logo/%ff?lang=fr',
    '/docs/%ed',
    '/session/%ed',
    '/docs/static/%2fetc%2fpasswd',
    `${orders}/${id}/..`,
    `${orders}/status//${id}`,
    '//',
    'http://[::1/x',
  ])
    assertRefused(await get(path), path);
  for (const path of ['*', '/?', '?', 'http://example.com', '/docs/static/?../../package.json'])
    assertHarmless(await get(path), path);
});

test('a public address refuses every method that it does not support', async () => {
  const { routeTable } = await createRoutesOnly();
  const open = routeTable.filter(({ access, url }) => access === 'public' && !url.includes('*'));
  const methodsOf = Map.groupBy(open, ({ url }) => url.replace(/(?<=.)\/$/, ''));
  assert.ok(methodsOf.size >= 5);
  for (const [url, taken] of methodsOf)
    for (const method of METHODS.filter((name) => name !== 'CONNECT' && taken.every((one) => one.method !== name))) {
      const answer = await sendRaw(service.url, head(method, url, 'Content-Length: 0'));
      assertRefused(answer, `${method} ${url}`);
      assert.equal(answer.status, 405, `${method} ${url}`);
    }
});

test('a request with an ambiguous length is refused, and what follows is not taken for a request', async () => {
  const before = await countOrders();
  const smuggled = head('POST', orders, authorization, workspace, json, `Content-Length: ${body.length}`) + body;
  for (const framing of [
    'Content-Length: 5\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: chunked\r\nContent-Length: 5',
    'Transfer-Encoding : chunked',
    'Transfer-Encoding: xchunked',
    'Transfer-Encoding: chunked, identity',
    'Transfer-Encoding: \x0bchunked',
    'X: y\nTransfer-Encoding: chunked',
    'Content-Length: 5\r\nContent-Length: 0',
    'Content-Length: 5, 5',
    'Content-Length: +5',
    'Content-Length: 0x5',
    'Content-Length:\r\n 5',
  ]) {
    const request = `POST ${orders} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n${workspace}\r\n${json}\r\n${framing}\r\n\r\n`;
    const answer = await sendRaw(service.url, `${request}0\r\n\r\n${smuggled}`);
    assertRefused(answer, framing);
  }
  assert.deepEqual(await countOrders(), before);
});

test('a body on a GET, an upgrade, a CONNECT and a method override change nothing', async () => {
  const path = '/api/v1/reports/teams/activity';
  for (const headers of [
    ['Upgrade: websocket', 'Sec-WebSocket-Key: x', 'Sec-WebSocket-Version: 13'],
    ['Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'],
    ['X-HTTP-Method-Override: DELETE', 'X-Original-URL: /metrics', 'X-Rewrite-URL: /metrics'],
    ['Range: bytes=0-0', 'If-None-Match: *', 'If-Modified-Since: x'],
  ])
    assert.match((await get(path, ...headers)).text, /^\{"page":0/, headers[0]);
  const read = head('GET', path, authorization, workspace, json, 'Content-Length: 1');
  assert.equal((await sendRaw(service.url, read, '{')).status, 200);
  const tunnel = await openConnection(service.url, 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\n\r\n');
  const said = await tunnel.toArray();
  assert.doesNotMatch(Buffer.concat(said).toString(), /^HTTP\/1\.1 [25]/);
});

test('after all of this the service is alive and has answered no 500', async () => {
  assert.equal((await service.call('/health/ready')).status, 200);
  assert.equal((await service.create(anOrder())).status, 201);
  // A warning may be about a disk that stalls.
  assert.deepEqual(
    service.logLines().filter(({ level }) => Number(level) >= 50),
    [],
  );
});
