import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderValidation } from '../../src/ground/contract/order-validation.ts';
import { nearestName } from '../../src/ground/values/nearest.ts';
import { whileBusy } from '../support/eventually.ts';
import { operationsOf, readDocument, resolve } from '../support/openapi.ts';
import { bodyOf, readIds, requestOf } from '../support/requests.ts';
import { startService } from '../support/service.ts';
import { signIn } from '../support/sign-in.ts';

const workspace = 1;
const service = await startService({ demo: true, mailServer: 'outbox' });
const owner = await signIn(service, { workspace });
const document = await readDocument();
const ids = await readIds(service.database, workspace);

/** Orders ignore unknown fields, as the interface's clients expect. SCIM has its own rules (RFC 7644, 3.3). */
const ignoring = ['createOrder', 'validateOrder'];
const withBody = [...operationsOf(document).values()].filter(
  (operation) => bodyOf(document, operation)?.type === 'application/json',
);

test('every JSON body except an order rejects unknown fields, names them and the nearest known field', async () => {
  const wrong: string[] = [];
  const strict = withBody.filter(({ operationId }) => !ignoring.includes(operationId));
  assert.ok(strict.length >= 30);
  for (const operation of strict) {
    const { schema, example = {} } = bodyOf(document, operation) ?? {};
    const [field = ''] = Object.keys(resolve(document, schema).properties ?? {});
    const body = { ...example, [`${field}x`]: 1, '§': { deep: true } };
    const { method, path, headers, body: bytes } = requestOf(document, operation, ids, { body });
    const call = { method, headers, body: bytes };
    const { status, body: answer } = await whileBusy(() => owner.call<{ message: string }>(path, call));
    const named = `${field}x is not a field of this request: did you mean ${field}?`;
    const says = answer.message?.includes(named) && answer.message.includes('§ is not a field of this request: ');
    if (status !== 400 || !says) wrong.push(`${operation.operationId}: ${status} ${JSON.stringify(answer)}`);
  }
  assert.deepEqual(wrong, []);
});

test('the document says of every JSON body except an order that it has no other fields', () => {
  const open = withBody.filter(
    (operation) => resolve(document, bodyOf(document, operation)?.schema).additionalProperties !== false,
  );
  assert.deepEqual(
    open.map(({ operationId }) => operationId),
    ignoring,
  );
});

const gift = { message: 'Thank you!', amount: 25, recipient: { email: 'ada@example.com' } };

test('unknown fields inside of an object are rejected with their path', async () => {
  const body = { message: 'Thank you!', recipient: { email: 'ada@example.com', frist_name: 'Ada' } };
  const { status, body: answer } = await owner.call('/api/v1/shoutouts', { method: 'POST', body });
  assert.equal(status, 400);
  assert.equal(answer.message, 'recipient.frist_name is not a field of this request: did you mean firstName?');
});

test('the message names 20 unknown fields at most, and the beginning of a long one', async () => {
  const body = {
    [`a${'b'.repeat(10_000)}`]: 1,
    ...Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`q${at}`, at])),
  };
  const { status, body: answer } = await owner.call('/api/v1/reasons', { method: 'POST', body });
  assert.equal(status, 400);
  const message = String(answer.message);
  assert.equal(message.match(/is not a field/g)?.length, 20);
  assert.ok(message.includes(`a${'b'.repeat(63)}… is not a field of this request`));
});

test('an order ignores unknown fields, and validate lists each of them once, at its first place', async () => {
  const order = {
    currency: 'CAD',
    orderItems: [
      gift,
      { ...gift, deliver_at: 1 },
      { ...gift, deliver_at: 2, recipient: { ...gift.recipient, nick: 'A' } },
    ],
    langauge: 'EN_CA',
    __proto: 1,
  };
  const tried = await owner.call<OrderValidation>('/api/v1/orders/validate', { method: 'POST', body: order });
  assert.equal(tried.status, 200);
  assert.equal(tried.body.valid, true);
  const listed = ['langauge', '__proto', 'orderItems[1].deliver_at', 'orderItems[2].recipient.nick'];
  assert.deepEqual(tried.body.ignored.toSorted(), listed.toSorted());
  const created = await owner.call('/api/v1/orders', { method: 'POST', body: order });
  assert.equal(created.status, 201);
});

test('validate lists unknown fields of an order that is not valid too, and none of one that has none', async () => {
  const validate = async (body: object) =>
    (await owner.call<OrderValidation>('/api/v1/orders/validate', { method: 'POST', body })).body;
  const wrong = await validate({ currency: 'XXX', orderItems: [gift], curency: 'CAD' });
  assert.equal(wrong.valid, false);
  assert.deepEqual(wrong.ignored, ['curency']);
  assert.deepEqual((await validate({ currency: 'CAD', orderItems: [gift] })).ignored, []);
});

test('the nearest name has most in common; case, hyphens and underscores do not count', () => {
  const known = ['email', 'employeeNumber', 'firstName', 'leftOn'];
  for (const [written, meant] of [
    ['emial', 'email'],
    ['e-mail', 'email'],
    ['employee_number', 'employeeNumber'],
    ['EMPLOYEENUMBER', 'employeeNumber'],
    ['fristName', 'firstName'],
    ['left_at', 'leftOn'],
    ['salary', null],
    ['', null],
  ] as const)
    assert.equal(nearestName(written, known), meant, written);
});
