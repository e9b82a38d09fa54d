import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function refused(order: unknown): Promise<string> {
  const { status, body } = await service.create(order);
  const problem = body as unknown as Record<string, unknown>;
  assert.equal(status, 400, JSON.stringify(problem));
  assert.deepEqual(Object.keys(problem), ['status', 'message', 'type']);
  assert.equal(problem.status, 400);
  assert.equal(problem.type, 'invalid_field');
  return problem.message as string;
}

async function accepted(order: unknown): Promise<void> {
  const { status, body } = await service.create(order);
  assert.equal(status, 201, JSON.stringify(body));
}

test('an order is accepted with exactly the five fields of the status record', async () => {
  const { status, body, headers } = await service.create(anOrder());
  assert.equal(status, 201);
  assert.match(body.requestId, uuid);
  const { requestId } = body;
  assert.deepEqual(body, {
    requestId,
    requestStatus: 'ACCEPTED',
    orderStep: 'PENDING',
    orderId: null,
    customerRequestId: null,
  });
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(headers.get('idempotent-replayed'), null);
});

test('the customer reference is echoed and need not be unique', async () => {
  for (let time = 0; time < 2; time++) {
    const { body } = await service.create(anOrder(), { 'X-Customer-Request-Id': 'payroll 2026/11' });
    assert.equal(body.customerRequestId, 'payroll 2026/11');
    assert.equal((await service.finished(body.requestId)).customerRequestId, 'payroll 2026/11');
  }
});

test('a customer reference is 1 to 255 printable characters', async () => {
  const longest = 'r'.repeat(255);
  assert.equal((await service.create(anOrder(), { 'X-Customer-Request-Id': longest })).body.customerRequestId, longest);
  for (const reference of ['', 'r'.repeat(256), 'tab\there']) {
    const { status, body } = await service.create(anOrder(), { 'X-Customer-Request-Id': reference });
    assert.equal(status, 400, JSON.stringify(reference));
    assert.match((body as unknown as { message: string }).message, /^X-Customer-Request-Id must/);
  }
});

test('a reference beyond ASCII is echoed correctly, sent as UTF-8 or as Latin-1', async () => {
  const utf8 = Buffer.from('réf 1').toString('latin1');
  for (const sent of [utf8, 'réf 1']) {
    const { body } = await service.create(anOrder(), { 'X-Customer-Request-Id': sent });
    assert.equal(body.customerRequestId, 'réf 1');
  }
});

test('every invalid field is named by its path, not just the first', async () => {
  const message = await refused({
    orderItems: [
      aGift(),
      { amount: '5', recipient: { firstName: 7 } },
      aGift({ recipient: { email: 'nobody' } }),
      aGift({ amount: 0.5, message: '' }),
      aGift({ recipient: null }),
      'gift',
    ],
    language: 'english',
  });
  const named = message.split('; ').map((part) => part.split(' ')[0]);
  assert.deepEqual(
    new Set(named),
    new Set([
      'currency',
      'language',
      'orderItems[1].message',
      'orderItems[1].amount',
      'orderItems[1].recipient',
      'orderItems[1].recipient.firstName',
      'orderItems[2].recipient.email',
      'orderItems[3].amount',
      'orderItems[3].message',
      'orderItems[4].recipient',
      'orderItems[5]',
    ]),
  );
});

test('required are orderItems, currency, and in each gift message, amount and recipient', async () => {
  assert.equal(await refused({}), 'orderItems is required; currency is required');
  assert.equal(
    await refused({ currency: 'CAD', orderItems: [{}] }),
    'orderItems[0].message is required; orderItems[0].amount is required; orderItems[0].recipient is required',
  );
  await accepted({ currency: 'CAD', orderItems: [aGift()] });
});

test('null counts as absent where a field is optional, and nowhere else', async () => {
  await accepted(
    anOrder({
      language: null,
      orderItems: [
        aGift({ recipient: { email: 'a@example.com', employeeNumber: null, firstName: null, lastName: null } }),
      ],
    }),
  );
  for (const field of ['currency', 'orderItems'])
    assert.match(await refused(anOrder({ [field]: null })), new RegExp(`^${field} `));
  for (const field of ['message', 'amount', 'recipient'])
    assert.match(
      await refused(anOrder({ orderItems: [aGift({ [field]: null })] })),
      new RegExp(`orderItems\\[0\\].${field} `),
    );
});

test('types are exact', async () => {
  for (const amount of ['5', true, [5], { value: 5 }]) await refused(anOrder({ orderItems: [aGift({ amount })] }));
  for (const message of [5, true, ['x'], {}]) await refused(anOrder({ orderItems: [aGift({ message })] }));
  for (const employeeNumber of [5, 0, false, ['5']])
    assert.match(
      await refused(anOrder({ orderItems: [aGift({ recipient: { employeeNumber } })] })),
      /employeeNumber must be a string/,
    );
  for (const orderItems of [aGift(), 'x', {}, 0]) await refused(anOrder({ orderItems }));
  for (const currency of [['CAD'], 5, {}]) await refused(anOrder({ currency }));
  for (const body of [[], 'text', 5, true, null])
    assert.match(await refused(JSON.stringify(body)), /^The body must be a JSON object/);
});

test('an order has one to a thousand gifts', async () => {
  assert.match(await refused(anOrder({ orderItems: [] })), /^orderItems must have 1 to 1000 gifts$/);
  assert.match(
    await refused(anOrder({ orderItems: Array(1001).fill(aGift()) })),
    /^orderItems must have 1 to 1000 gifts$/,
  );
  assert.equal(await refused(anOrder({ orderItems: Array(50_000).fill(0) })), 'orderItems must have 1 to 1000 gifts');
  await accepted(anOrder({ orderItems: Array(1000).fill(aGift()) }));
});

test('the largest order there can be fits into the body limit', async () => {
  const text = (length: number) => '\u{1f381}'.repeat(length);
  const gift = aGift({
    message: text(1000),
    recipient: {
      firstName: text(100),
      lastName: text(100),
      employeeNumber: text(64),
      email: `${'e'.repeat(242)}@example.com`,
    },
  });
  const escaped = JSON.stringify(gift).replace(/[\ud800-\udfff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
  const order = JSON.stringify(anOrder({ orderItems: [] }));
  await accepted(order.replace('[]', () => `[${Array(1000).fill(escaped)}]`));
});

test('amounts lie from 1 to 10,000 with at most the minor digits of the currency', async () => {
  const amountIn = (currency: string, amount: unknown) => anOrder({ currency, orderItems: [aGift({ amount })] });
  for (const amount of [1, 10_000, 25.5, 0.1 + 24.9, 9_999.99]) await accepted(amountIn('CAD', amount));
  for (const amount of [0.99, 10_000.01, 0, -5, 25.001, 1.005]) await refused(amountIn('CAD', amount));
  await accepted(amountIn('JPY', 500));
  assert.match(await refused(amountIn('JPY', 500.5)), /orderItems\[0\].amount must be a whole number in JPY/);
  await accepted(amountIn('KWD', 1.125));
  await refused(amountIn('KWD', 1.1255));
});

test('an amount is stored as written, never as the nearest double', async () => {
  const withAmount = (literal: string) =>
    JSON.stringify(anOrder({ orderItems: [aGift({ amount: 'HERE' })] })).replace('"HERE"', literal);
  for (const literal of ['25.00', '2.5e1', '25.00000000000000000000', '1E3', '2500e-2'])
    await accepted(withAmount(literal));
  for (const literal of [
    '25.0000000000000000001',
    '1.00000000000000000001',
    '10000.00000000000000001',
    '1e400',
    '1e-7',
    '9007199254740993',
  ])
    assert.match(await refused(withAmount(literal)), /orderItems\[0\].amount/);
  const order = await service.fulfilled(
    anOrder({ orderItems: [aGift({ amount: 1234.56 }), aGift({ amount: 0.07 + 1 })] }),
  );
  assert.deepEqual(
    order.certificates.map(({ amount }) => amount),
    [1234.56, 1.07],
  );
});

test('a message has 1 to 1,000 characters, counted as code points after trimming', async () => {
  const said = (message: string) => anOrder({ orderItems: [aGift({ message })] });
  await accepted(said('\u{1f389}'.repeat(1000)));
  await accepted(said(`  ${'x'.repeat(1000)}\n`));
  assert.match(
    await refused(said('\u{1f389}'.repeat(1001))),
    /orderItems\[0\].message must have at most 1000 characters/,
  );
  assert.match(await refused(said(' \t\n')), /orderItems\[0\].message must not be empty/);
  const order = await service.fulfilled(said('  naïve \u{1f468}‍\u{1f469}‍\u{1f467} ‮txet\u0001 \n'));
  assert.equal(order.certificates[0]?.message, 'naïve \u{1f468}‍\u{1f469}‍\u{1f467} ‮txet\u0001');
});

test('text that PostgreSQL cannot hold exactly is refused, naming the field', async () => {
  const broken = ['a\u0000b', 'a\ud800b', '\udfff'];
  for (const text of broken) {
    assert.match(await refused(anOrder({ orderItems: [aGift({ message: text })] })), /orderItems\[0\].message/);
    for (const field of ['firstName', 'lastName', 'employeeNumber', 'email'])
      assert.match(
        await refused(anOrder({ orderItems: [aGift({ recipient: { employeeNumber: '1', [field]: text } })] })),
        new RegExp(`orderItems\\[0\\].recipient.${field} `),
      );
  }
});

test('a recipient carries an e-mail address or an employee number; blank counts as absent', async () => {
  const to = (recipient: unknown) => anOrder({ orderItems: [aGift(), aGift({ recipient })] });
  for (const recipient of [
    {},
    { firstName: 'Ada' },
    { email: '' },
    { email: ' ', employeeNumber: '\t' },
    { email: null },
  ])
    assert.equal(await refused(to(recipient)), 'orderItems[1].recipient must have an email or an employeeNumber');
  await accepted(to({ email: ' ', employeeNumber: '7' }));
  await accepted(to({ employeeNumber: 'x'.repeat(64) }));
  await refused(to({ employeeNumber: 'x'.repeat(65) }));
  for (const email of [
    'ada',
    'ada@',
    '@example.com',
    'a b@example.com',
    ' ada@example.com',
    `${'e'.repeat(250)}@x.io`,
    'a@b@c.io',
  ])
    assert.match(await refused(to({ email, employeeNumber: '7' })), /orderItems\[1\].recipient.email must/);
  await refused(to({ email: 'a@example.com', firstName: 'x'.repeat(101) }));
  await accepted(to({ email: 'a@example.com', firstName: '\u{1f381}'.repeat(100) }));
});

test('currencies are current ISO 4217 codes, and languages and regions exist', async () => {
  for (const currency of ['CAD', 'USD', 'EUR', 'MXN', 'XCG', 'SLE', 'VED', 'ZWG', 'XOF'])
    await accepted(anOrder({ currency }));
  const ended = ['DEM', 'HRK', 'SLL', 'ANG', 'BGN', 'CUC', 'ZWL', 'MRO', 'VEF', 'BYR'];
  const noMoney = ['XXX', 'XTS', 'XAU', 'XDR', 'XSU', 'XBA'];
  for (const currency of ['cad', 'ZZZ', 'CA', '', 'CADX', ...ended, ...noMoney])
    assert.match(await refused(anOrder({ currency })), /^currency must/);
  for (const language of ['EN_CA', 'FR_CA', 'ES_MX', 'EN_US', 'DE_CH']) await accepted(anOrder({ language }));
  for (const language of ['en_ca', 'EN-CA', 'EN', 'XX_CA', 'EN_XX', 'EN_ZZ', 'EN_UK', '', 'EN_CA '])
    assert.match(await refused(anOrder({ language })), /^language must/);
});

test('unknown fields are ignored and never stored', async () => {
  const order = `{"colour":"canary-red","__proto__":{"currency":"JPY"},"constructor":{"a":1},"currency":"CAD",
    "orderItems":[{"message":"m","amount":5,"note":"canary-note","recipient":{"email":"u@example.com","iban":"canary-iban"}}]}`;
  const { status, body } = await service.create(order);
  assert.equal(status, 201);
  const rows = await service.database.query<{ body: unknown }>(
    'select body from order_requests where request_id = $1',
    [body.requestId],
  );
  assert.deepEqual(rows[0]?.body, {
    currency: 'CAD',
    orderItems: [{ message: 'm', amount: 5, recipient: { email: 'u@example.com' } }],
  });
});

test('a value of megabytes is refused like any other, and delays nobody', async () => {
  const digits = `1${'0'.repeat(4_000_000)}1`;
  await accepted(JSON.stringify(anOrder()).replace('{', `{"unknown":${digits},`));
  const amount = JSON.stringify(anOrder({ orderItems: [aGift({ amount: 'HERE' })] })).replace('"HERE"', digits);
  assert.match(await refused(amount), /orderItems\[0\].amount/);
  const email = 'a.'.repeat(4_000_000);
  assert.match(await refused(anOrder({ orderItems: [aGift({ recipient: { email } })] })), /recipient.email must/);
});

test('a refused order changes nothing', async () => {
  const counts = () =>
    service.database.query('select (select count(*) from order_requests) as r, (select count(*) from members) as m');
  // Orders of the tests before may still be under way.
  await eventually(
    () => service.database.query('select from pending_orders'),
    (rows) => rows.length === 0,
  );
  const before = await counts();
  await refused(anOrder({ orderItems: [aGift({ recipient: { email: 'new@example.com' } }), aGift({ amount: 0 })] }));
  assert.deepEqual(await counts(), before);
});

test('an operator can narrow the currencies', async () => {
  const narrow = await startService({ currencies: ['CAD', 'USD'] });
  assert.equal((await narrow.create(anOrder({ currency: 'USD' }))).status, 201);
  assert.equal((await narrow.create(anOrder({ currency: 'EUR' }))).status, 400);
});

test('a workspace can refuse unknown employee numbers', async () => {
  const workspaceId = await service.addWorkspace({ refusesUnknownEmployeeNumbers: true });
  const { token } = await service.addToken({ workspaces: [workspaceId] });
  const order = anOrder({
    orderItems: [
      aGift({ recipient: { employeeNumber: '404' } }),
      aGift({ recipient: { email: 'new@example.com', employeeNumber: '505' } }),
      aGift({ recipient: { employeeNumber: '405' } }),
    ],
  });
  const send = (body: unknown) =>
    service.call('/api/v1/orders', { method: 'POST', token, workspace: workspaceId, body });
  const { status, body } = await send(order);
  assert.equal(status, 400);
  assert.equal(
    body.message,
    'orderItems[0].recipient.employeeNumber is not known in this workspace; orderItems[2].recipient.employeeNumber is not known in this workspace',
  );
  assert.equal((await send(anOrder({ orderItems: [order.orderItems[1]] }))).status, 201);
  assert.equal((await send(anOrder({ orderItems: [aGift({ recipient: { email: 'a@example.com' } })] }))).status, 201);
});
