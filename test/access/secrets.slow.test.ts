import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { makeSecret } from '../../src/company/access/token-secret.ts';
import { dumpTables } from '../support/dump.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { head, type RawAnswer, sendRaw } from '../support/raw.ts';
import { createRoutesOnly } from '../support/routes-only.ts';
import { startService, type TestService } from '../support/service.ts';

const tokenKey = 'canary key that no gift may ever tell';
const service = await startService({ tokenKey, logLevel: 'trace' });
const orders = '/api/v1/orders';
const activity = '/api/v1/reports/teams/activity';
const authorization = `Authorization: Bearer ${service.token}`;
const workspace = `X-Workspace-id: ${service.workspaceId}`;
const open = { token: null, workspace: null };
const escaped = (text: string) => [...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('');

/** Everything the service has written to its log and its metrics. */
async function toldBy({ logLines, call }: TestService): Promise<{ log: string; metrics: string }> {
  const log = logLines().map((line) => JSON.stringify(line));
  assert.ok(log.length > 0);
  return { log: log.join('\n'), metrics: (await call<string>('/metrics', open)).body };
}

/** A secret in every encoding in which it could still be read. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const plain = [secret, secret.replaceAll('-', ''), encodeURIComponent(secret), bytes.toString('hex')];
  return [...plain, bytes.toString('base64').replace(/=+$/, ''), secret.replaceAll('_', '%5F')];
}

function assertAbsent(secret: string, texts: Record<string, string>): void {
  // A path may be logged as sent, so a percent-encoded secret would be revealed too.
  for (const [where, text] of Object.entries(texts))
    for (const told of [
      text,
      text.replace(/%([2-7][0-9a-f])/gi, (_, code) => String.fromCharCode(Number(`0x${code}`))),
    ])
      for (const form of formsOf(secret)) assert.ok(!told.includes(form), `${form} is in the ${where}`);
}

/** Requests that carry a secret where one may end up by mistake or on purpose, and where nothing is stored. */
function* leaks(secret: string): Generator<string> {
  const get = (path: string, ...headers: string[]) => head('GET', path, ...headers);
  for (const form of [
    `Bearer ${secret}`,
    `bearer   ${secret}`,
    secret,
    `Token ${secret}`,
    `Bearer "${secret}"`,
    `Bearer ${secret} ${secret}`,
    `Basic ${Buffer.from(secret).toString('base64')}`,
  ])
    yield get(`${orders}/${randomUUID()}`, `Authorization: ${form}`, workspace);
  for (const form of [secret, escaped(secret), secret.replaceAll('_', '%5F'), `${secret}%00`, `${secret}%zz`])
    for (const path of [
      `${orders}/${form}`,
      `${orders}/status/${form}`,
      `/${form}`,
      `/docs/static/${form}`,
      `/api/${form}/orders`,
      `${activity}?page=${form}&${form}=${form}`,
      `http://${secret}@localhost/${form}`,
    ])
      yield get(path, authorization, workspace);
  for (const name of [
    'X-Workspace-id',
    'Accept',
    'Cookie',
    'User-Agent',
    'Referer',
    'X-Request-Id',
    'X-Forwarded-For',
    'Traceparent',
    'Expect',
    'Idempotency-Key',
  ])
    yield get(activity, authorization, `${name}: ${secret}`);
  const post = (body: string, ...headers: string[]) =>
    head('POST', orders, authorization, workspace, ...headers, `Content-Length: ${Buffer.byteLength(body)}`) + body;
  const json = 'Content-Type: application/json';
  for (const body of [
    secret,
    `{"orderItems":[{"message":"${secret}`,
    JSON.stringify(anOrder({ currency: secret, [secret]: secret })),
    JSON.stringify(anOrder({ orderItems: [aGift({ amount: secret, [secret]: 1, recipient: { email: secret } })] })),
    JSON.stringify(anOrder({ language: secret })),
    JSON.stringify(anOrder({ [secret]: secret })),
  ])
    yield post(body, json);
  yield post('{}', `Content-Type: ${secret}`);
  yield post('{}', json, `Content-Encoding: ${secret}`);
  yield post('{}', json, `X-Customer-Request-Id: ${secret}`, `Idempotency-Key: ${secret}`);
  yield `GET /${secret} HTTP/9.9\r\nHost: x\r\n\r\n`;
  yield `${secret} / HTTP/1.1\r\nHost: x\r\n\r\n`;
  yield get(activity, `X-Long: ${secret.repeat(800)}`);
}

test('API tokens and gift tokens are never stored, logged or sent back', async () => {
  const [gift] = (await service.fulfilled(anOrder())).certificates;
  assert.ok(gift);
  const secrets = [service.token, makeSecret('test'), makeSecret('production'), gift.longToken, gift.shortToken];
  for (const secret of secrets)
    for (const request of leaks(secret)) {
      const { status, headers, text }: RawAnswer = await sendRaw(service.url, request);
      assert.ok(status < 500, `${request}: ${status}`);
      const answer = { answer: text, headers: JSON.stringify([...headers]) };
      assertAbsent(secret, answer);
    }
  const told = { ...(await toldBy(service)), database: await dumpTables(service.database) };
  assert.match(told.log, /answered/);
  assert.match(told.metrics, /giftwire_http_request_duration_seconds_count/);
  assert.match(told.database, /Payroll/);
  for (const secret of secrets) assertAbsent(secret, told);
});

test('the gift token key is never stored in the database, logged or sent', async () => {
  const ready = JSON.stringify((await service.call('/health/ready', open)).body);
  const document = JSON.stringify((await service.call('/openapi.json', open)).body);
  assertAbsent(tokenKey, { ...(await toldBy(service)), database: await dumpTables(service.database), ready, document });
});

const canaries = {
  message: 'canary-message',
  name: 'canary-name',
  email: 'canary-email@example.com',
  number: 'canary-number',
  key: 'canary-idempotency-key',
  reference: 'canary-customer-reference',
};
const ownHeaders = { 'Idempotency-Key': canaries.key, 'X-Customer-Request-Id': canaries.reference };
const { message, name, email, number } = canaries;
const personal = (changes: Record<string, unknown> = {}) =>
  anOrder({
    orderItems: [aGift({ message, recipient: { email, firstName: name, employeeNumber: number }, ...changes })],
  });

async function assertNoCanaryTold(): Promise<void> {
  const told = await toldBy(service);
  for (const canary of Object.values(canaries)) assertAbsent(canary, told);
}

test('messages and recipients of orders are never logged', async () => {
  assert.equal((await service.create(personal(), ownHeaders)).status, 201);
  const mismatch = await service.create(personal({ amount: 26 }), ownHeaders);
  assert.equal(mismatch.status, 422);
  const refusal = await service.create(personal({ amount: 0 }), ownHeaders);
  assert.equal(refusal.status, 400);
  for (const { body } of [mismatch, refusal])
    for (const canary of Object.values(canaries)) assertAbsent(canary, { answer: JSON.stringify(body) });
  await service.call(`/api/v1/reports/members/last-recognized?employeeNumber=${number}&manager=${email}`);
  await assertNoCanaryTold();
});

test('messages and recipients are not logged when the database rejects a row and quotes it', async () => {
  const { database } = service;
  await database.query(`alter table order_requests add constraint refused check (currency <> 'MXN')`);
  await database.query('alter table certificates add constraint refused check (amount <> 77)');
  const unheard = { 'Idempotency-Key': `${canaries.key}-2`, 'X-Customer-Request-Id': canaries.reference };
  const failure = await service.create({ ...personal(), currency: 'MXN' }, unheard);
  assert.equal(failure.status, 500);
  const { requestId } = (await service.create(personal({ amount: 77 }))).body;
  assert.equal((await service.finished(requestId)).requestStatus, 'FAILED');
  await database.query('alter table order_requests drop constraint refused');
  await database.query('alter table certificates drop constraint refused');
  const texts = service.logLines().map(({ msg }) => msg);
  assert.ok(texts.includes('answered 500') && texts.includes('An order has failed.'));
  await assertNoCanaryTold();
});

/** An answer of each kind that the service gives. */
async function answersOfEachKind(): Promise<{ what: string; headers: Headers; isApi: boolean }[]> {
  const { requestId } = await service.fulfilled(anOrder());
  const { routeTable } = await createRoutesOnly();
  const addresses = routeTable
    .filter(({ url, method }) => !/\*|index\.html$/.test(url) && method !== 'HEAD')
    .map(({ url, method }) => ({ method, path: url.replace(':requestId', requestId) }));
  const calls = addresses.flatMap(({ method, path }) => [
    { path, method, ...(method === 'POST' && { body: anOrder() }) },
    { path, method, token: 'nobody' },
    { path, method, workspace: null },
    { path, method, workspace: 999_999 },
    { path, method, headers: { Accept: 'text/html' }, ...(method === 'POST' && { body: {} }) },
    { path: `${path}?page=x`, method, ...(method === 'POST' && { body: '{' }) },
    { path, method: 'DELETE' },
    { path: `${path}/nothing/here`, method },
    { path: path.replace(requestId, randomUUID()), method },
    { path: path.replace(requestId, 'no-uuid'), method },
  ]);
  const answers: Awaited<ReturnType<typeof answersOfEachKind>> = [];
  // Some are the same for each method of an address, or for an address without an id.
  const different = new Map(calls.map((call) => [JSON.stringify(call), call])).values();
  for (const { path, ...call } of different) {
    const { status, headers } = await service.call(path, call);
    answers.push({ what: `${call.method} ${path} ${status}`, headers, isApi: path.startsWith('/api/v1') });
  }
  return answers;
}

test('no answer may be sniffed, names the server software, or is cached where it is an API answer', async () => {
  const answers = await answersOfEachKind();
  for (const status of [200, 201, 400, 401, 403, 404, 405, 406])
    assert.ok(
      answers.some(({ what, isApi }) => isApi && what.endsWith(` ${status}`)),
      `no ${status} among the answers`,
    );
  for (const { what, headers, isApi } of answers) {
    assert.equal(headers.get('x-content-type-options'), 'nosniff', what);
    for (const telling of ['server', 'x-powered-by', 'via']) assert.equal(headers.get(telling), null, what);
    if (isApi) assert.equal(headers.get('cache-control'), 'no-store', what);
  }
});

test('the reference page runs only its own scripts, cannot be framed, and sends no full referrer', async () => {
  const { status, headers } = await fetch(`${service.url}/docs`);
  assert.equal(status, 200);
  const policy = headers.get('content-security-policy') ?? '';
  const directives = new Map(policy.split(';').map((one) => one.trim().split(/ (.*)/s, 2) as [string, string]));
  const scripts = directives.get('script-src') ?? directives.get('default-src') ?? '*';
  assert.doesNotMatch(scripts, /unsafe|\*|https?:|data:|blob:/);
  for (const name of ['default-src', 'base-uri', 'frame-ancestors'])
    assert.match(directives.get(name) ?? '*', /^'(none|self)'$/, name);
  assert.match(headers.get('referrer-policy') ?? '', /^(no-referrer|same-origin|strict-origin)$/);
});
