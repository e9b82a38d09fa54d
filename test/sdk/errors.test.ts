import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Giftwire, GiftwireError, type GiftwireOptions, type OrderRequest } from '@giftwire/sdk';
import { anOrderOf, openClient } from '../support/client.ts';
import { answering, refusing, startScriptedServer } from '../support/scripted-server.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { giftwire, clientOf, token } = await openClient(service);

async function errorOf(call: Promise<unknown>): Promise<GiftwireError> {
  const error = await call.then(
    () => assert.fail('it was not refused'),
    (one) => one,
  );
  assert.ok(error instanceof GiftwireError, String(error));
  return error;
}

test('an error has status, type, message, request id and the fields at fault', async () => {
  const wrong = {
    orderItems: [{ message: 'Hi', amount: 0, recipient: { email: 'nobody' } }],
  } as unknown as OrderRequest;
  const error = await errorOf(giftwire.orders.create(wrong));
  assert.deepEqual([error.name, error.status, error.type], ['InvalidRequestError', 400, 'invalid_field']);
  assert.deepEqual(
    [...error.fields].sort((one, other) => one.path.localeCompare(other.path)),
    [
      { path: 'currency', problem: 'is required' },
      { path: 'orderItems[0].amount', problem: 'must be from 1 to 10000' },
      { path: 'orderItems[0].recipient.email', problem: 'must be an e-mail address' },
    ],
  );
  const logged = service.logLines().find(({ reqId }) => reqId === error.requestId);
  assert.equal(logged?.status, 400);
});

test('fields of queries, headers and of a key that was used before', async () => {
  const page = await errorOf(giftwire.members.list({ page: -1, size: 0 }));
  assert.deepEqual(
    page.fields.map(({ path }) => path),
    ['page', 'size'],
  );
  const types = await errorOf(giftwire.events.list({ types: ['gift.lost' as 'gift.sent'] }));
  assert.deepEqual(
    types.fields.map(({ path }) => path),
    ['types'],
  );
  assert.match(types.fields[0]?.problem as string, /^has gift\.lost, which is no type; there are order\.completed/);
  const header = await errorOf(giftwire.orders.create(anOrderOf('ada@example.com'), { customerRequestId: 'x\u0085' }));
  assert.deepEqual(header.fields, [{ path: 'X-Customer-Request-Id', problem: 'must be printable characters' }]);
  const workspace = await errorOf(clientOf({ workspace: 0 }).reasons.list());
  assert.deepEqual(workspace.fields, [{ path: 'X-Workspace-id', problem: 'must be a positive whole number' }]);
  const key = { idempotencyKey: 'payroll' };
  await giftwire.orders.create(anOrderOf('ada@example.com', 25), key);
  const repeated = await errorOf(giftwire.orders.create({ ...anOrderOf('ada@example.com', 26), currency: 'USD' }, key));
  assert.deepEqual([repeated.status, repeated.idempotencyKey], [422, 'payroll']);
  assert.deepEqual(
    repeated.fields.map(({ path }) => path),
    ['currency', 'orderItems[0].amount'],
  );
});

test('an error that is about no field has none', async () => {
  const missing = await errorOf(giftwire.members.retrieve(999_999));
  assert.deepEqual([missing.status, missing.type, missing.fields], [404, 'invalid_field', []]);
  const stranger = await errorOf(clientOf({ token: 'gw_test_wrong' }).reasons.list());
  assert.deepEqual([stranger.status, stranger.type, stranger.fields], [401, 'security_error', []]);
});

test('without a token none is sent, and a fetch of one’s own sees every call', async () => {
  const seen: Record<string, string>[] = [];
  const browser = clientOf({
    token: undefined,
    fetch: (url, init) => {
      seen.push(init.headers as Record<string, string>);
      return fetch(url, { ...init, headers: { ...(init.headers as object), Cookie: 'session=1' } });
    },
  });
  assert.equal((await errorOf(browser.reasons.list())).status, 401);
  assert.equal(seen[0]?.Authorization, undefined);
});

test('what no header can carry is a TypeError that names it and not its value, and nothing is sent', async () => {
  let sent = 0;
  const client = (options: Partial<GiftwireOptions> = {}) =>
    clientOf({
      fetch: (url, init) => {
        sent++;
        return fetch(url, init);
      },
      ...options,
    });
  const order = anOrderOf('ada@example.com');
  const refused = (name: string, call: Promise<unknown>) =>
    assert.rejects(call, { name: 'TypeError', message: `${name} has a character that no header can carry.` });
  for (const odd of ['sec\nret', 'sec\u0000ret', 'sec\u0001ret', 'secret\u007f']) {
    await refused('token', client({ token: odd }).reasons.list());
    await refused('idempotencyKey', client().orders.create(order, { idempotencyKey: odd }));
    await refused('customerRequestId', client().orders.create(order, { customerRequestId: odd }));
  }
  await refused('token', client({ token: 'gw_test_…' }).reasons.list());
  assert.throws(() => client({ workspace: '…' }), { name: 'TypeError', message: /^workspace must be the id/ });
  const endless: Record<string, unknown> = {};
  endless.currency = endless;
  await assert.rejects(client().orders.create(endless as unknown as OrderRequest), TypeError);
  assert.equal(sent, 0);
  const utf8 = { idempotencyKey: 'Zoë … ♥', customerRequestId: 'Zoë … ♥' };
  assert.equal((await client({ token: `${token}\n` }).orders.create(order, utf8)).replayed, false);
  assert.equal(sent, 1);
});

test('what is no answer of Giftwire is said so', async () => {
  const { url } = await startScriptedServer(
    answering(200, '<html>'),
    answering(301, '', { Location: 'https://gifts.example.com/api' }),
    answering(418, 'tea'),
    refusing(400, 'The key is one; or two: choose one.'),
  );
  const { reasons } = new Giftwire({ url: `${url}//`, workspace: 1 });
  assert.match((await errorOf(reasons.list())).message, /something else than JSON: is it the address of Giftwire\?$/);
  const moved = await errorOf(reasons.list());
  assert.match(moved.message, /redirects to https:\/\/gifts\.example\.com\/api: give that address as url\.$/);
  const tea = await errorOf(reasons.list());
  assert.deepEqual([tea.status, tea.type, tea.requestId], [418, 'invalid_field', null]);
  assert.deepEqual((await errorOf(reasons.list())).fields, []);
  for (const wrong of ['', 'gifts.example.com', '/api'])
    assert.throws(() => new Giftwire({ url: wrong, workspace: 1 }), TypeError);
});
