import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { OrderRecord } from '../../src/ground/contract/order.ts';
import { dumpTables } from '../support/dump.ts';
import fc from '../support/fast-check.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { runs } from '../support/runs.ts';
import { startService, type TestService } from '../support/service.ts';

const tokenKey = 'a key that tokens of gifts derive from';
const service = await startService({ tokenKey });

const statusPath = (requestId: string) => `/api/v1/orders/status/${requestId}`;
const findPath = (requestId: string, query = '') => `/api/v1/orders/${requestId}${query}`;
const find = (requestId: string, query = '', on: TestService = service) =>
  on.call<OrderRecord>(findPath(requestId, query));

const certificateKeys = [
  'id',
  'currency',
  'senderName',
  'recipientUser',
  'amount',
  'message',
  'longToken',
  'shortToken',
];

async function refused(path: string): Promise<string> {
  const { status, body } = await service.call(path);
  assert.equal(status, 400, `${path} ${JSON.stringify(body)}`);
  assert.deepEqual(Object.keys(body), ['status', 'message', 'type']);
  assert.equal(body.type, 'invalid_field');
  return String(body.message);
}

test('a pending order has no id, no certificates and totals of 0', async () => {
  const waiting = await startService({ role: 'api', tokenKey });
  const { requestId } = (await waiting.create(anOrder(), { 'X-Customer-Request-Id': 'mine' })).body;
  const pending = {
    requestId,
    requestStatus: 'ACCEPTED',
    orderStep: 'PENDING',
    orderId: null,
    customerRequestId: 'mine',
  };
  const status = await waiting.call(statusPath(requestId));
  assert.equal(status.status, 200);
  assert.deepEqual(status.body, pending);
  for (const [query, page, size] of [
    ['', 0, 20],
    ['?page=3&size=7', 3, 7],
  ] as const) {
    const found = await find(requestId, query, waiting);
    assert.equal(found.status, 200);
    assert.deepEqual(found.body, {
      page,
      size,
      totalElements: 0,
      totalPages: 0,
      id: null,
      requestId,
      state: 'PENDING',
      status: 'INCOMPLETE',
      certificates: [],
    });
  }
  await startService({ role: 'worker', tokenKey, databaseUrl: waiting.database.url });
  const finished = await waiting.finished(requestId);
  assert.deepEqual(finished, {
    ...pending,
    requestStatus: 'COMPLETED',
    orderStep: 'COMPLETED',
    orderId: finished.orderId,
  });
  assert.ok(Number.isSafeInteger(finished.orderId));
});

test('a completed order has one certificate for each gift, with exactly the fields of the interface', async () => {
  const order = anOrder({
    orderItems: [
      aGift({ message: 'one', amount: 10.5 }),
      aGift({ message: 'two', amount: 20.05, recipient: { employeeNumber: 'E7', firstName: 'Grace' } }),
      aGift({ message: 'three', amount: 10_000, recipient: { email: 'ADA@Example.com', employeeNumber: 'E7' } }),
    ],
  });
  const { requestId } = (await service.create(order)).body;
  const { orderId } = await service.finished(requestId);
  const { status, body } = await find(requestId);
  assert.equal(status, 200);
  const { certificates, ...rest } = body;
  assert.deepEqual(rest, {
    page: 0,
    size: 20,
    totalElements: 3,
    totalPages: 1,
    id: orderId,
    requestId,
    state: 'COMPLETED',
    status: 'COMPLETE',
  });
  for (const certificate of certificates) {
    assert.deepEqual(Object.keys(certificate), certificateKeys);
    assert.ok(Number.isSafeInteger(certificate.id));
    assert.equal(certificate.currency, 'CAD');
    assert.equal(certificate.senderName, 'Payroll');
  }
  assert.deepEqual(
    certificates.map(({ message, amount }) => [message, amount]),
    [
      ['one', 10.5],
      ['two', 20.05],
      ['three', 10_000],
    ],
  );
  const members = await service.database.query<{ id: number; email: string | null; number: string | null }>(
    'select id, email, employee_number as number from members where workspace_id = $1 and not is_integration',
    [service.workspaceId],
  );
  const ada = members.find(({ email }) => email?.toLowerCase() === 'ada@example.com');
  const grace = members.find(({ number }) => number === 'E7');
  assert.deepEqual(
    certificates.map(({ recipientUser }) => recipientUser),
    [ada?.id, grace?.id, ada?.id],
  );
});

test('a failed order has no id and no certificates, and does not affect others', async () => {
  const { database } = service;
  await database.query(`
    create function refuse_gift() returns trigger language plpgsql as $$
    begin
      if new.message = 'bound to fail' then raise exception 'canary-reason'; end if;
      return new;
    end $$`);
  await database.query(
    'create trigger refuse_gift before insert on certificates for each row execute function refuse_gift()',
  );
  const doomed = anOrder({ orderItems: [aGift(), aGift({ message: 'bound to fail' })] });
  const created = await Promise.all([anOrder(), doomed, anOrder(), doomed, anOrder()].map((o) => service.create(o)));
  const ids = created.map(({ body }) => body.requestId);
  const statuses = await Promise.all(ids.map(service.finished));
  assert.deepEqual(
    statuses.map(({ requestStatus }) => requestStatus),
    ['COMPLETED', 'FAILED', 'COMPLETED', 'FAILED', 'COMPLETED'],
  );
  const requestId = ids[1] as string;
  const failed = {
    requestId,
    requestStatus: 'FAILED',
    orderStep: 'FAILED',
    orderId: null,
    customerRequestId: null,
  };
  assert.deepEqual(statuses[1], failed);
  assert.deepEqual((await find(requestId)).body, {
    page: 0,
    size: 20,
    totalElements: 0,
    totalPages: 0,
    id: null,
    requestId,
    state: 'FAILED',
    status: 'FAILED',
    certificates: [],
  });
  const [reason] = await database.query<{ failure: string }>('select failure from orders where request_id = $1', [
    requestId,
  ]);
  assert.match(reason?.failure ?? '', /canary-reason/);
  await database.query('drop trigger refuse_gift on certificates');
  assert.deepEqual((await service.call(statusPath(requestId))).body, failed);
});

test('page and size are plain decimal integers within their bounds, else a 400 that names the parameter', async () => {
  const { requestId } = await service.fulfilled(anOrder());
  const wrong = [
    '-1',
    '-0',
    '1.5',
    '1.0',
    '1e3',
    '%2B1',
    '+1',
    '%201',
    '1%20',
    '',
    'abc',
    '0x1',
    'NaN',
    'null',
    'true',
  ];
  wrong.push('1_000', '1,000', '%EF%BC%91', '1%00', '%zz', '%ff', '9'.repeat(20), '9'.repeat(400), "1'", '[1]', '1;2');
  for (const name of ['page', 'size']) {
    for (const value of wrong) assert.match(await refused(findPath(requestId, `?${name}=${value}`)), new RegExp(name));
    assert.match(await refused(findPath(requestId, `?${name}`)), new RegExp(name));
    assert.match(await refused(findPath(requestId, `?${name}=1&${name}=1`)), new RegExp(name));
    assert.match(await refused(findPath(requestId, `?${name}=1&${name}=`)), new RegExp(name));
  }
  for (const size of ['0', '00', '1001', '10000'])
    assert.match(await refused(findPath(requestId, `?size=${size}`)), /size/);
  const both = await refused(findPath(requestId, '?page=x&size=0'));
  assert.match(both, /\bpage\b.*\bsize\b/);
  for (const query of ['?page=0', '?size=1', '?size=1000', '?page=0&size=20', '?other=x&page[]=x&Page=x'])
    assert.equal((await find(requestId, query)).status, 200, query);
});

test('a page past the end is empty, with exact totals', async () => {
  const { requestId, id } = await service.fulfilled(anOrder({ orderItems: Array(5).fill(aGift()) }));
  for (const page of [3, 4, 1_000, 2_147_483_648, 999_999_999_999, Number.MAX_SAFE_INTEGER])
    for (const size of [2, 1_000]) {
      const { status, body } = await find(requestId, `?page=${page}&size=${size}`);
      assert.equal(status, 200);
      const totalPages = Math.ceil(5 / size);
      const rest = { id, requestId, state: 'COMPLETED', status: 'COMPLETE' };
      assert.deepEqual(body, { page, size, totalElements: 5, totalPages, ...rest, certificates: [] });
    }
});

test('walking any page size yields every certificate once, in the order of the gifts', async () => {
  const gifts = Array.from({ length: 37 }, (_, nth) => aGift({ message: `gift ${nth}`, amount: nth + 1.01 }));
  const whole = await service.fulfilled(anOrder({ orderItems: gifts }));
  assert.deepEqual(
    whole.certificates.map(({ message, amount }) => ({ message, amount })),
    gifts.map(({ message, amount }) => ({ message, amount })),
  );
  const sizes = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 1_000 }));
  await fc.assert(
    fc.asyncProperty(sizes, async (size) => {
      const pages = await Promise.all(
        Array.from({ length: Math.ceil(37 / size) }, (_, page) => find(whole.requestId, `?page=${page}&size=${size}`)),
      );
      for (const [page, { body }] of pages.entries()) {
        const { certificates, ...rest } = body;
        assert.deepEqual(rest, {
          page,
          size,
          totalElements: 37,
          totalPages: pages.length,
          id: whole.id,
          requestId: whole.requestId,
          state: 'COMPLETED',
          status: 'COMPLETE',
        });
        assert.equal(certificates.length, Math.min(size, 37 - page * size));
      }
      assert.deepEqual(
        pages.flatMap(({ body }) => body.certificates),
        whole.certificates,
      );
    }),
    { numRuns: runs(40), examples: [[1], [36], [37], [38], [1_000]] },
  );
});

test('amounts come back exactly as they were sent, in every number of decimals', async () => {
  for (const [currency, step] of [
    ['CAD', 100],
    ['JPY', 1],
    ['KWD', 1_000],
  ] as const) {
    const units = fc.array(fc.integer({ min: step, max: 10_000 * step }), { minLength: 1, maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(units, async (values) => {
        const amounts = values.map((value) => value / step);
        const order = anOrder({ currency, orderItems: amounts.map((amount) => aGift({ amount })) });
        assert.deepEqual(
          (await service.fulfilled(order)).certificates.map(({ amount }) => amount),
          amounts,
        );
      }),
      { numRuns: runs(4) },
    );
  }
});

test('upper case is the same UUID, and the answer is in lower case', async () => {
  const { requestId } = await service.fulfilled(anOrder());
  for (const path of [statusPath, findPath]) {
    const { status, body } = await service.call(path(requestId.toUpperCase()));
    assert.equal(status, 200);
    assert.deepEqual(body, (await service.call(path(requestId))).body);
  }
});

test('a requestId that is no UUID is a 400 which says that the input could be invalid', async () => {
  const { requestId } = await service.fulfilled(anOrder());
  for (const text of [
    'abc',
    '1',
    'null',
    'undefined',
    requestId.slice(1),
    `${requestId}0`,
    requestId.replaceAll('-', ''),
    requestId.replace('-', ''),
    `${requestId.slice(0, -1)}g`,
    `{${requestId}}`,
    `%7B${requestId}%7D`,
    `urn:uuid:${requestId}`,
    `urn%3Auuid%3A${requestId}`,
    `URN:UUID:${requestId}`,
    `%20${requestId}`,
    `${requestId}%20`,
    `${requestId}%0A`,
    `${requestId}%00`,
    `${requestId},${requestId}`,
    `${requestId}'%20or%20'1'='1`,
    '%F0%9F%8E%81',
    'x'.repeat(5_000),
  ])
    for (const path of [statusPath(text), findPath(text)])
      assert.match(await refused(path), /input could be invalid/i, path);
});

test('an invalid page or size also says that the input could be invalid', async () => {
  for (const query of ['?page=-1', '?size=0', '?size=x'])
    assert.match(await refused(findPath(randomUUID(), query)), /input could be invalid/i);
});

test('an order request that does not exist is a 404, whatever kind of UUID it is', async () => {
  const nil = '00000000-0000-0000-0000-000000000000';
  const odd = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  for (const requestId of [randomUUID(), nil, odd, randomUUID().toUpperCase()])
    for (const path of [statusPath(requestId), findPath(requestId), findPath(requestId, '?page=5&size=3')]) {
      const { status, body } = await service.call(path);
      assert.equal(status, 404);
      assert.deepEqual(Object.keys(body), ['status', 'message', 'type']);
      assert.deepEqual([body.status, body.type], [404, 'invalid_field']);
    }
});

test('gift tokens are URL-safe or typeable, unique, the same on every read, and never stored', async () => {
  const { requestId, certificates } = await service.fulfilled(anOrder({ orderItems: Array(1_000).fill(aGift()) }));
  assert.equal(certificates.length, 1_000);
  for (const { longToken, shortToken } of certificates) {
    assert.match(longToken, /^[\w.~-]{22,}$/);
    assert.match(shortToken, /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
  }
  for (const field of ['id', 'longToken', 'shortToken'] as const)
    assert.equal(new Set(certificates.map((certificate) => certificate[field])).size, 1_000);
  assert.deepEqual((await find(requestId, '?size=1000')).body.certificates, certificates);

  const node = await startService({ tokenKey, databaseUrl: service.database.url });
  const { token, workspaceId: workspace } = service;
  const elsewhere = await node.call<OrderRecord>(findPath(requestId, '?size=1000'), { token, workspace });
  assert.deepEqual(elsewhere.body.certificates, certificates);

  const kept = `${await dumpTables(service.database)}\n${JSON.stringify(service.logLines())}`.toUpperCase();
  assert.ok(kept.includes(requestId.toUpperCase()));
  assert.ok(!kept.includes(tokenKey.toUpperCase()));
  for (const { longToken, shortToken } of certificates.slice(0, 100)) {
    const secretBytes = Buffer.from(longToken, 'base64url').subarray(-16);
    const parts = [longToken, longToken.slice(-12), shortToken, shortToken.replaceAll('-', ''), shortToken.slice(0, 9)];
    for (const part of [...parts, secretBytes.toString('hex')]) assert.ok(!kept.includes(part.toUpperCase()));
  }
});
