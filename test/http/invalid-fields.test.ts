import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsAtFault } from '../../sdk/src/fields.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { type Call, startService } from '../support/service.ts';
import { refusal } from '../support/workspace.ts';

const service = await startService();

async function fieldsOf(path: string, call: Call = {}): Promise<string | null> {
  const { headers } = await service.call(path, call);
  return headers.get('X-Invalid-Fields');
}

const order = (body: unknown, headers = {}) => ({ method: 'POST', body, headers });

test('an error about fields names their paths in a header, of all parts of the request', async () => {
  const wrong = { orderItems: [{ message: 'Hi', amount: 0, recipient: { email: 'nobody' } }] };
  const named = await fieldsOf('/api/v1/orders', order(wrong, { 'X-Customer-Request-Id': 'x'.repeat(300) }));
  const paths = ['currency', 'orderItems[0].amount', 'orderItems[0].recipient.email', 'X-Customer-Request-Id'];
  assert.deepEqual(named?.split(', ').sort(), paths.sort());
  assert.equal(await fieldsOf('/api/v1/members?page=-1&size=0'), 'page, size');
  assert.equal(await fieldsOf('/api/v1/orders', { ...order(wrong), workspace: 'x' }), 'X-Workspace-id');
});

test('limits that no schema knows name their fields too, in words of no schema', async () => {
  const change = (body: object) => ({ method: 'PATCH', body });
  const changes = [
    { kind: 'emails', days: 400 },
    { kind: 'emails', days: 1 },
  ];
  assert.equal(await fieldsOf('/api/v1/settings/retention', change({ changes })), 'changes[1].days');
  const { body } = await service.call<{ id: number }>('/api/v1/members', order({ email: 'ada@example.com' }));
  assert.equal(await fieldsOf(`/api/v1/members/${body.id}/merge`, order({ into: body.id })), 'into');
  const { body: webhook } = await service.call<{ id: number }>(
    '/api/v1/webhooks',
    order({ url: 'https://93.184.215.14/hooks' }),
  );
  assert.equal(await fieldsOf(`/api/v1/webhooks/${webhook.id}/replay`, order({})), 'eventId, from');
  const answer = await service.call<{ message: string }>('/api/v1/settings/employees', change({ audience: {} }));
  assert.equal(
    answer.body.message,
    'The input could be invalid: audience.include is required; audience.exclude is required',
  );
});

const json = { 'Content-Type': 'application/json' };

test('a header has no path where no field is concerned', async () => {
  for (const [path, call] of [
    ['/api/v1/orders', order('{', json)],
    ['/api/v1/orders', order([])],
    ['/api/v1/members/999999', {}],
    ['/api/v1/orders', { ...order({}), token: null }],
  ] as const)
    assert.equal(await fieldsOf(path, call), null, path);
});

test('the differences to the first request with an Idempotency-Key are such fields', async () => {
  const send = (amount: number) => order(anOrder({ orderItems: [aGift({ amount })] }), { 'Idempotency-Key': 'one' });
  await service.call('/api/v1/orders', send(25));
  const answer = await service.call('/api/v1/orders', send(26));
  refusal(answer, 422);
  assert.equal(answer.headers.get('X-Invalid-Fields'), 'orderItems[0].amount');
});

test('paths that a header cannot hold are encoded, and clients read them back', async () => {
  const names = ['naïve, "quoted"\r\nX-Evil: 1', '\ud800', '%2c', '日本'];
  const body = { description: 'x', ...Object.fromEntries(names.map((name) => [name, 1])) };
  const answer = await service.call<{ message: string }>('/api/v1/reasons', order(body));
  assert.equal(answer.status, 400);
  assert.equal(answer.headers.get('X-Evil'), null);
  const header = answer.headers.get('X-Invalid-Fields');
  assert.match(header as string, /^[\x21-\x7e]+(, [\x21-\x7e]+)*$/);
  assert.deepEqual(
    fieldsAtFault(header, answer.body.message).map(({ path }) => path),
    names.map((name) => name.toWellFormed()),
  );
});

test('at most a hundred paths are named', async () => {
  const orderItems = Array.from({ length: 300 }, () => ({
    message: 'Hi',
    amount: 0,
    recipient: { email: 'ada@example.com' },
  }));
  const named = await fieldsOf('/api/v1/orders', order({ currency: 'CAD', orderItems }));
  assert.equal(named?.split(', ').length, 100);
});

test('the SDK gives each field what the message says about it, semicolons included', () => {
  const message = 'The input could be invalid: types has x; there are a, b; page must be from 0 to 9; size is required';
  assert.deepEqual(fieldsAtFault('types, page, size', message), [
    { path: 'types', problem: 'has x; there are a, b' },
    { path: 'page', problem: 'must be from 0 to 9' },
    { path: 'size', problem: 'is required' },
  ]);
  assert.deepEqual(fieldsAtFault(null, message), []);
});
