import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { OrderRequestStatus } from '../../src/ground/contract/order.ts';
import { recount } from '../support/derived.ts';
import { eventually, whileBusy } from '../support/eventually.ts';
import fc from '../support/fast-check.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { head, sendRaw } from '../support/raw.ts';
import { type Answer, startService, type TestService } from '../support/service.ts';

const tokenKey = 'a key that both services have in common';
const service = await startService({ tokenKey });
const neighbour = await startService({ tokenKey, databaseUrl: service.database.url });

const submit = (key: string, order: unknown = anOrder(), headers: Record<string, string> = {}) =>
  service.create(order, { 'Idempotency-Key': key, ...headers });

function submitOn(node: TestService, key: string, body: unknown): Promise<Answer<OrderRequestStatus>> {
  const { token, workspaceId: workspace } = service;
  const call = { method: 'POST', token, workspace, body, headers: { 'Idempotency-Key': key } };
  return whileBusy(() => node.call('/api/v1/orders', call));
}

const isReplay = ({ headers }: Answer<unknown>) => headers.get('idempotent-replayed') === 'true';

function assertReplay(answer: Answer<OrderRequestStatus>, requestId: string): void {
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  assert.equal(answer.headers.get('idempotent-replayed'), 'true');
  assert.equal(answer.body.requestId, requestId);
}

function messageOf({ status, body }: Answer<unknown>, expected: number): string {
  const problem = body as Record<string, unknown>;
  assert.equal(status, expected, JSON.stringify(body));
  assert.deepEqual(Object.keys(problem), ['status', 'message', 'type']);
  assert.equal(problem.status, expected);
  assert.equal(problem.type, 'invalid_field');
  return problem.message as string;
}

async function ordersWith(keys: string[]): Promise<{ key: string; requestId: string; body: { currency: string } }[]> {
  return service.database.query(
    `select idempotency_key as key, request_id as "requestId", body from order_requests where idempotency_key = any($1)`,
    [keys],
  );
}

function shuffled<T>(values: T[]): T[] {
  return fc.sample(fc.shuffledSubarray(values, { minLength: values.length }), 1)[0] as T[];
}

test("the same key and body replay the order's current record", async () => {
  const key = randomUUID();
  const first = await submit(key, anOrder(), { 'X-Customer-Request-Id': 'first' });
  assert.equal(first.status, 201);
  assert.equal(first.headers.get('idempotent-replayed'), null);
  const completed = await service.finished(first.body.requestId);
  assert.equal(completed.requestStatus, 'COMPLETED');
  const again = await submit(key, anOrder(), { 'X-Customer-Request-Id': 'second' });
  assertReplay(again, first.body.requestId);
  assert.deepEqual(again.body, completed);
  assert.deepEqual(Object.keys(again.body), Object.keys(first.body));
  assert.equal((await ordersWith([key])).length, 1);
});

test('a replay of a pending order is pending', async () => {
  const waiting = await startService({ role: 'api' });
  const first = await waiting.create(anOrder(), { 'Idempotency-Key': 'pending' });
  const again = await waiting.create(anOrder(), { 'Idempotency-Key': 'pending' });
  assertReplay(again, first.body.requestId);
  assert.deepEqual(again.body, first.body);
});

test('formatting and unknown fields do not make another body', async () => {
  const key = randomUUID();
  const { requestId } = (await submit(key)).body;
  const spellings = [
    JSON.stringify(anOrder(), null, 4),
    JSON.stringify(anOrder()).replace('25', '25.00'),
    JSON.stringify(anOrder()).replace('25', '2.5e1'),
    JSON.stringify(anOrder()).replace('Thank', '\\u0054hank'),
    `\uFEFF\n${JSON.stringify(anOrder())} `,
    {
      orderItems: [{ recipient: { email: 'ada@example.com' }, amount: 25, message: 'Thank you!' }],
      language: 'EN_CA',
      currency: 'CAD',
    },
    anOrder({ colour: 'red', orderItems: [aGift({ note: 1, recipient: { email: 'ada@example.com', iban: 'x' } })] }),
    anOrder({ orderItems: [aGift({ message: ' Thank you!\n' })] }),
    anOrder({ orderItems: [aGift({ recipient: { email: 'ada@example.com', firstName: null, employeeNumber: ' ' } })] }),
  ];
  for (const spelling of spellings) assertReplay(await submit(key, spelling), requestId);
});

test('the same key with another body is a 422 that names the fields that differ', async () => {
  const key = randomUUID();
  const gifts = [aGift(), aGift({ amount: 30, recipient: { employeeNumber: '7', firstName: 'Ada' } })];
  const { requestId } = (await submit(key, anOrder({ orderItems: gifts }))).body;
  const change = (index: number, changes: Record<string, unknown>) =>
    anOrder({ orderItems: gifts.map((gift, at) => (at === index ? { ...gift, ...changes } : gift)) });
  const cases: [unknown, string[]][] = [
    [anOrder({ orderItems: gifts, currency: 'USD' }), ['currency']],
    [anOrder({ orderItems: gifts, language: 'FR_CA' }), ['language']],
    [anOrder({ orderItems: gifts, language: null }), ['language']],
    [change(0, { amount: 25.01 }), ['orderItems[0].amount']],
    [change(1, { message: 'Thank You!' }), ['orderItems[1].message']],
    [change(0, { recipient: { email: 'bob@example.com' } }), ['orderItems[0].recipient.email']],
    [change(1, { recipient: { employeeNumber: '7' } }), ['orderItems[1].recipient.firstName']],
    [
      change(1, { recipient: { email: 'x@example.com', firstName: 'Ada' } }),
      ['orderItems[1].recipient.email', 'orderItems[1].recipient.employeeNumber'],
    ],
    [anOrder({ orderItems: [gifts[0]] }), ['orderItems']],
    [anOrder({ orderItems: [...gifts, aGift()] }), ['orderItems']],
    [
      anOrder({ currency: 'USD', orderItems: gifts.map((gift) => ({ ...gift, amount: 26 })) }),
      ['currency', 'orderItems[0].amount', 'orderItems[1].amount'],
    ],
  ];
  for (const [order, fields] of cases) {
    const message = messageOf(await submit(key, order), 422);
    const named = message.match(/\b(currency|language|orderItems(\[\d+\][.\w]*)?)/g);
    assert.deepEqual(named?.sort(), fields);
  }
  assertReplay(await submit(key, anOrder({ orderItems: gifts })), requestId);
  assert.equal((await ordersWith([key])).length, 1);
});

test('an invalid body is a 400 and does not use its key', async () => {
  const key = randomUUID();
  assert.match(messageOf(await submit(key, anOrder({ currency: 'nothing' })), 400), /^currency /);
  assert.equal(isReplay(await submit(key)), false);
  assert.match(messageOf(await submit(key, anOrder({ currency: 'nothing' })), 400), /^currency /);
});

test('an accepted order replays even when its employee number is no longer known', async () => {
  const workspace = await service.addWorkspace({ refusesUnknownEmployeeNumbers: true });
  const { token } = await service.addToken({ workspaces: [workspace] });
  const ask = (path: string, call = {}) => service.call<OrderRequestStatus>(path, { token, workspace, ...call });
  const order = (recipient: unknown, headers = {}) =>
    ask('/api/v1/orders', { method: 'POST', body: anOrder({ orderItems: [aGift({ recipient })] }), headers });
  assert.equal((await order({ email: 'ada@example.com', employeeNumber: '7' })).status, 201);
  const headers = { 'Idempotency-Key': randomUUID() };
  const { requestId } = (await order({ employeeNumber: '7' }, headers)).body;
  await eventually(
    () => ask(`/api/v1/orders/status/${requestId}`),
    ({ body }) => body.requestStatus === 'COMPLETED',
  );
  await service.database.query('update members set employee_number = null where workspace_id = $1', [workspace]);
  await recount(service.database, workspace);
  assert.match(messageOf(await order({ employeeNumber: '7' }), 400), /is not known in this workspace/);
  assertReplay(await order({ employeeNumber: '7' }, headers), requestId);
});

test('idempotency keys belong to the workspace, not to the token', async () => {
  const key = randomUUID();
  const { requestId } = (await submit(key)).body;
  const elsewhere = await service.addWorkspace();
  const { token } = await service.addToken({ workspaces: [service.workspaceId, elsewhere] });
  const headers = { 'Idempotency-Key': key };
  const call = { method: 'POST', token, headers, body: anOrder() };
  assertReplay(await service.call('/api/v1/orders', call), requestId);
  const other = await service.call('/api/v1/orders', { ...call, workspace: elsewhere });
  assert.equal(other.status, 201);
  assert.equal(isReplay(other), false);
  assert.notEqual(other.body.requestId, requestId);
});

test('a key has 1 to 255 characters and is compared exactly', async () => {
  const inUtf8 = (text: string) => Buffer.from(text).toString('latin1');
  const stem = randomUUID();
  const keys = [`${stem}a`, `${stem}A`, `${stem}á`, `${stem}a b`, `${stem}%61`, `${stem}'";--`, `${stem}🎁`];
  keys.push(stem.padEnd(255, 'k'), stem.padEnd(254, 'k'), stem + '🎁'.repeat(255 - stem.length), stem[0] as string);
  for (const key of keys) {
    const first = await submit(inUtf8(key));
    assert.equal(first.status, 201, key);
    assert.equal(isReplay(first), false, key);
    assertReplay(await submit(inUtf8(key)), first.body.requestId);
  }
  for (const key of ['', ' ', 'k'.repeat(256), inUtf8('🎁'.repeat(256))])
    assert.match(messageOf(await submit(key), 400), /Idempotency-Key/i);
});

test('two Idempotency-Key headers are refused, even if they are equal', async () => {
  const body = JSON.stringify(anOrder());
  for (const [one, other] of [
    ['k1', 'k2'],
    ['k1', 'k1'],
    ['k1', ''],
  ]) {
    const request = head(
      'POST',
      '/api/v1/orders',
      `Authorization: Bearer ${service.token}`,
      `X-Workspace-id: ${service.workspaceId}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      `Idempotency-Key: ${one}`,
      `Idempotency-Key: ${other}`,
    );
    const { status, headers, text } = await sendRaw(service.url, request, body);
    assert.match(messageOf({ status, headers, body: JSON.parse(text) }, 400), /Idempotency-Key/i);
  }
  assert.deepEqual(await ordersWith(['k1', 'k2', 'k1, k2', 'k1, k1', 'k1, ']), []);
});

test('without a key two equal orders are two orders', async () => {
  const [one, other] = [await service.create(anOrder()), await service.create(anOrder())];
  assert.notEqual(one.body.requestId, other.body.requestId);
  assert.deepEqual([one, other].map(isReplay), [false, false]);
});

test('two hundred concurrent equal submissions make one order', async () => {
  const key = randomUUID();
  const nodes = [service, neighbour];
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, nth) => submitOn(nodes[nth % 2] as TestService, key, anOrder())),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  assert.equal(new Set(answers.map(({ body }) => body.requestId)).size, 1);
  assert.equal(answers.filter((answer) => !isReplay(answer)).length, 1);
  const [stored, ...more] = await ordersWith([key]);
  assert.equal(stored?.requestId, answers[0]?.body.requestId);
  assert.deepEqual(more, []);
});

test('of two bodies with one key the first is accepted, and the other gets a 422', async () => {
  for (let round = 0; round < 5; round++) {
    const key = randomUUID();
    const currencies = shuffled(Array.from({ length: 40 }, (_, nth) => (nth % 2 ? 'CAD' : 'USD')));
    const answers = await Promise.all(
      currencies.map(async (currency, nth) => ({
        currency,
        ...(await submitOn(nth % 3 ? service : neighbour, key, anOrder({ currency }))),
      })),
    );
    const stored = await ordersWith([key]);
    assert.equal(stored.length, 1);
    for (const answer of answers) {
      if (answer.currency === stored[0]?.body.currency) assert.equal(answer.body.requestId, stored[0].requestId);
      else assert.match(messageOf(answer, 422), /\bcurrency\b/);
    }
    assert.equal(answers.filter((answer) => answer.status === 201 && !isReplay(answer)).length, 1);
  }
});

test('many keys at once in any order on two nodes make one order each, without a deadlock', async () => {
  const keys = Array.from({ length: 40 }, () => randomUUID());
  const submissions = [
    ...keys.map((key) => ({ key, node: service })),
    ...keys.toReversed().map((key) => ({ key, node: neighbour })),
    ...shuffled([...keys, ...keys]).map((key, nth) => ({ key, node: nth % 2 ? service : neighbour })),
  ];
  const answers = await Promise.all(
    submissions.map(async ({ key, node }) => ({ key, ...(await submitOn(node, key, anOrder())) })),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  assert.equal(answers.filter((answer) => !isReplay(answer)).length, keys.length);
  const stored = new Map((await ordersWith(keys)).map(({ key, requestId }) => [key, requestId]));
  assert.equal(stored.size, keys.length);
  for (const { key, body } of answers) assert.equal(body.requestId, stored.get(key));
  await eventually(
    () => service.database.query('select from pending_orders'),
    (pending) => pending.length === 0,
  );
  for (const requestId of stored.values()) assert.equal((await service.finished(requestId)).requestStatus, 'COMPLETED');
  const [issued] = await service.database.query<{ count: number }>(
    'select count(*) from certificates where request_id = any($1)',
    [[...stored.values()]],
  );
  assert.equal(issued?.count, keys.length);
  const log = [...service.logLines(), ...neighbour.logLines()].map((line) => JSON.stringify(line)).join('\n');
  assert.doesNotMatch(log, /deadlock/);
});
