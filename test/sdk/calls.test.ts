import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AuthenticationError,
  ChangedError,
  ConflictError,
  ConnectionError,
  Giftwire,
  GiftwireError,
  type GiftwireOptions,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  responseOf,
  ServerError,
} from '@giftwire/sdk';
import { anOrderOf, openClient } from '../support/client.ts';
import { refusing, startScriptedServer } from '../support/scripted-server.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const {
  giftwire,
  clientOf,
  id: workspaceId,
} = await openClient(service, {
  opening: { people: [{ email: 'ada@example.com' }] },
});

test('each kind of error has a class of its own, and all are GiftwireErrors', async () => {
  const thrown = async (call: Promise<unknown>) => call.then(() => null).catch((error) => error);
  const { token } = await service.addToken({ workspaces: [workspaceId], scopes: ['orders:read'] });
  const cases = [
    [() => giftwire.members.list({ size: 0 }), InvalidRequestError],
    [() => clientOf({ token: 'gw_test_wrong' }).reasons.list(), AuthenticationError],
    [() => clientOf({ token }).reasons.list(), PermissionError],
    [() => giftwire.members.retrieve(999_999), NotFoundError],
    [() => giftwire.members.create({ email: 'ada@example.com' }), ConflictError],
    [() => giftwire.settings.update({ brandName: 'x' }, { ifMatch: '"another"' }), ChangedError],
    [() => clientOf({ url: 'http://127.0.0.1:9', retries: 0 }).reasons.list(), ConnectionError],
  ] as const;
  for (const [call, ErrorClass] of cases) {
    const error = await thrown(call());
    assert.ok(error instanceof ErrorClass && error instanceof GiftwireError, `${ErrorClass.name}: ${error}`);
    assert.equal(error.name, ErrorClass.name);
    assert.equal(error.response?.status ?? null, error.status);
  }
});

test('a rate limit says how long to wait', async () => {
  const server = await startScriptedServer(refusing(429, 'Wait.', { 'Retry-After': '7' }), refusing(500, 'x'));
  const client = new Giftwire({ url: server.url, workspace: 1, token: 'x', retries: 0 });
  const limited = await client.reasons.list().catch((error) => error);
  assert.ok(limited instanceof RateLimitError);
  assert.equal(limited.retryAfterMs, 7_000);
  assert.ok((await client.reasons.list().catch((error) => error)) instanceof ServerError);
});

test('a call has its own time limit, retries, key and signal', async () => {
  const server = await startScriptedServer(refusing(503, 'Busy.', { 'Retry-After': '0' }));
  const client = new Giftwire({ url: server.url, workspace: 1, token: 'x', retries: 3 });
  await assert.rejects(client.reasons.list({ retries: 0 }), ServerError);
  assert.equal(server.asked.length, 1);
  await assert.rejects(client.reasons.list({ retries: 1 }), ServerError);
  assert.equal(server.asked.length, 3);
  await assert.rejects(client.webhooks.enable(1, { idempotencyKey: 'mine', retries: 0 }), ServerError);
  assert.equal(server.asked.at(-1)?.headers['idempotency-key'], 'mine');
  await assert.rejects(client.reasons.list({ signal: AbortSignal.abort(new Error('enough')) }), /enough/);
  const silent = clientOf({ retries: 0, fetch: (_url, { signal }) => untilAborted(signal as AbortSignal) });
  await assert.rejects(silent.reasons.list({ timeoutMs: 20 }), /none came within 0.02 seconds/);
});

function untilAborted(signal: AbortSignal): Promise<Response> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

test('a result knows the response that it came with, whose etag guards a change', async () => {
  const settings = await giftwire.settings.retrieve();
  const response = responseOf(settings);
  assert.equal(response?.status, 200);
  assert.match(response?.requestId ?? '', /./);
  const etag = response?.etag as string;
  const saved = await giftwire.settings.update({ brandName: 'One' }, { ifMatch: etag });
  assert.notEqual(responseOf(saved)?.etag, etag);
  await assert.rejects(giftwire.settings.update({ brandName: 'Two' }, { ifMatch: etag }), ChangedError);
  const reasons = await giftwire.reasons.list();
  const [reason] = reasons;
  const ofList = responseOf(reasons)?.etag as string;
  await giftwire.reasons.update(reason?.id as number, { description: 'One' }, { ifMatch: ofList });
  const later = giftwire.reasons.update(reason?.id as number, { description: 'Two' }, { ifMatch: ofList });
  await assert.rejects(later, ChangedError);
  assert.equal((await giftwire.settings.retrieve()).brandName, 'One');
  const order = await giftwire.orders.create(anOrderOf('ada@example.com'));
  assert.equal(responseOf(order)?.status, 201);
  assert.equal(responseOf({}), undefined);
});

test('hooks see every attempt, response and retry, and what they throw ends the call', async () => {
  const server = await startScriptedServer(refusing(503, 'Busy.', { 'Retry-After': '0' }), refusing(404, 'Gone.'));
  const seen: unknown[] = [];
  const client = new Giftwire({
    url: server.url,
    workspace: 1,
    token: 'x',
    hooks: {
      onRequest: ({ method, url, attempt }) => seen.push(['request', method, new URL(url).pathname, attempt]),
      onResponse: ({ status, attempt }) => seen.push(['response', status, attempt]),
      onRetry: ({ error, delayMs }) => seen.push(['retry', error.status, delayMs]),
    },
  });
  await assert.rejects(client.members.retrieve(7), NotFoundError);
  assert.deepEqual(seen, [
    ['request', 'GET', '/api/v1/members/7', 1],
    ['response', 503, 1],
    ['retry', 503, 0],
    ['request', 'GET', '/api/v1/members/7', 2],
    ['response', 404, 2],
  ]);
  const strict = clientOf({
    hooks: {
      onRequest: () => {
        throw new RangeError('not now');
      },
    },
  });
  await assert.rejects(strict.reasons.list(), RangeError);
});

test('wrong arguments of the constructor are named at once', () => {
  const open = (options: object) => () => new Giftwire({ url: 'https://x.test', workspace: 1, ...options } as never);
  const wrong: [object, RegExp][] = [
    [{ url: 'gifts.example.com' }, /^TypeError: url must be the address of Giftwire/],
    [{ workspace: 'mine' }, /^TypeError: workspace must be the id of a workspace/],
    [{ token: '' }, /^TypeError: token must be an API token.*environment variable/],
    [{ timeoutMs: '5' }, /^TypeError: timeoutMs must be a number of milliseconds/],
    [{ retries: -1 }, /^TypeError: retries must be a whole number/],
    [{ fetch: {} }, /^TypeError: fetch must be a function/],
    [{ timeout: 5 }, /^TypeError: Giftwire has no option timeout: there are url, workspace/],
  ];
  for (const [options, message] of wrong) assert.throws(open(options), message);
  assert.throws(() => new Giftwire({ workspace: 1 } as GiftwireOptions), /url is missing/);
  assert.throws(() => new Giftwire(undefined as never), /needs an object of options/);
  assert.ok(open({ token: undefined, retries: Number.POSITIVE_INFINITY })());
});

test('former names of methods do the same', async () => {
  const reason = await giftwire.reasons.add({ description: 'Patience' });
  assert.equal((await giftwire.reasons.change(reason.id, { description: 'Care' })).description, 'Care');
  await giftwire.reasons.retire(reason.id);
  assert.deepEqual(await giftwire.settings.get(), await giftwire.settings.retrieve());
});
