import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderRecord } from '../../src/ground/contract/order.ts';
import { assertFailed, type Json, runJson } from '../support/commands.ts';
import type { Env, Outcome } from '../support/commands-in-turn.ts';
import { createTestDatabase } from '../support/database.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;
const env = { DATABASE_URL: database.url, PORT: new URL(service.url).port };
const client = {
  GIFTWIRE_URL: `${service.url}/`,
  GIFTWIRE_TOKEN: service.token,
  GIFTWIRE_WORKSPACE: String(service.workspaceId),
};
const json = <T = Json>(args: string[], more: Env = env) => runJson<T>(args, more);

/** Makes fulfilment fail for every gift with this message. */
async function poison(message: string): Promise<void> {
  await database.pool.query(`
    create function refuse_poison() returns trigger language plpgsql as
      $$ begin raise exception 'this gift is cursed'; end $$;
    create trigger poison before insert on certificates
       for each row when (new.message = '${message}') execute function refuse_poison()`);
}

test('an order is shown in every state, a failed one with its reason, and never a gift token', async () => {
  await poison('poison');
  const done = await service.fulfilled(
    anOrder({ orderItems: [aGift(), aGift({ recipient: { employeeNumber: '77' } })] }),
  );
  const { body: bad } = await service.create(anOrder({ orderItems: [aGift({ message: 'poison' })] }), {
    'X-Customer-Request-Id': 'run 7',
  });
  assert.equal((await service.finished(bad.requestId)).requestStatus, 'FAILED');
  const pending = '0190a3c2-0000-7000-8000-000000000001';
  const copy = await createTestDatabase();
  await copy.query('insert into accounts values (1, $1)', ['A']);
  await copy.query(`insert into workspaces (id, account_id, name, language) values (1, 1, 'A', 'EN_CA')`);
  await copy.query(
    `insert into order_requests (workspace_id, request_id, token_id, sender_id, sender_name, currency, language, body)
     values (1, $1, 1, 1, 'A', 'CAD', 'EN_CA', $2)`,
    [pending, JSON.stringify(anOrder())],
  );
  const show = (requestId: string, where = env) => json(['order', 'show', requestId], where);
  const [completed, failure, waiting, readable, unknown] = await Promise.all([
    show(done.requestId.toUpperCase()),
    show(bad.requestId),
    show(pending, { ...env, DATABASE_URL: copy.url }),
    giftwire(['order', 'show', bad.requestId], env),
    giftwire(['order', 'show', pending], env),
  ]);
  assert.equal(completed.requestStatus, 'COMPLETED');
  assert.equal(completed.orderId, done.id);
  assert.equal(completed.failure, null);
  assert.deepEqual(
    (completed.gifts as Json[]).map(({ certificateId, recipient }) => [certificateId, recipient]),
    [
      [done.certificates[0]?.id, 'ada@example.com'],
      [done.certificates[1]?.id, '77'],
    ],
  );
  assert.ok(!JSON.stringify(completed).includes(done.certificates[0]?.longToken as string));
  assert.deepEqual(
    [failure.requestStatus, failure.orderStep, failure.orderId, failure.customerRequestId, failure.failure],
    ['FAILED', 'FAILED', null, 'run 7', 'this gift is cursed'],
  );
  assert.deepEqual(
    [waiting.requestStatus, waiting.orderStep, waiting.orderId, waiting.finishedAt, waiting.failure],
    ['ACCEPTED', 'PENDING', null, null, null],
  );
  assert.match(readable.stdout, /FAILED[\s\S]*this gift is cursed/);
  assertFailed(unknown, /no order request/);
});

test('a gift is sent from the command line and its certificate shown', async () => {
  const gift = ['send', '--amount', '25.50', '--message', 'Well done, “Zoë”!'];
  const [record, readable, numbered] = await Promise.all([
    json<OrderRecord>([...gift, '--to', 'zoe@example.com', '--reference', 'cli 1'], client),
    giftwire([...gift, '--to', 'zoe@example.com', '--currency', 'USD', '--idempotency-key', 'once'], client),
    json<OrderRecord>([...gift, '--employee-number', '0042'], client),
  ]);
  const [certificate] = record.certificates;
  assert.equal(record.status, 'COMPLETE');
  assert.equal(certificate?.amount, 25.5);
  assert.equal(certificate?.message, 'Well done, “Zoë”!');
  assert.equal(certificate?.senderName, 'Payroll');
  assert.match(readable.stdout, /25\.5 USD/);
  assert.match(readable.stdout, /long token +[\w-]{40,}\nshort token +(\w{4}-){3}\w{4}\n/);
  assert.notEqual(numbered.certificates[0]?.recipientUser, certificate?.recipientUser);
  const again = [...gift, '--to', 'zoe@example.com', '--currency', 'USD', '--idempotency-key', 'once'];
  const certificateOf = ({ stdout }: Outcome) => stdout.slice(stdout.indexOf('request '));
  assert.equal(certificateOf(await giftwire(again, client)), certificateOf(readable));
});

test('a gift that cannot be sent says why in one line, with exit code 1', async () => {
  const gift = ['send', '--to', 'zoe@example.com', '--amount', '5', '--message'];
  const [stranger, tokenless, copied, nobody, tooMuch, cursed, odd] = await Promise.all([
    giftwire([...gift, 'Hi'], { ...client, GIFTWIRE_TOKEN: 'gw_test_wrong' }),
    giftwire([...gift, 'Hi'], { ...client, GIFTWIRE_TOKEN: '' }),
    giftwire([...gift, 'Hi'], { ...client, GIFTWIRE_TOKEN: 'gw_test_…' }),
    giftwire([...gift, 'Hi'], { ...client, GIFTWIRE_URL: 'http://127.0.0.1:1' }),
    giftwire([...gift, 'Hi', '--amount', '10001'], client),
    giftwire([...gift, 'poison'], client),
    giftwire([...gift, 'Hi', '--reference', 'for Zoë ♥'], client),
  ]);
  assertFailed(stranger, /^401: /);
  assertFailed(tokenless, /GIFTWIRE_TOKEN/);
  assertFailed(copied, /^GIFTWIRE_TOKEN has a character that no token has: set it to the whole token\.$/m);
  assertFailed(nobody, /no answer from http:\/\/127\.0\.0\.1:1/);
  assertFailed(tooMuch, /^400: orderItems\[0\]\.amount/);
  assertFailed(cursed, /has failed: npx giftwire order show [0-9a-f-]{36} says why/);
  assert.ok(odd.code === 0 || /reference/i.test(odd.stderr), `a reference beyond Latin-1: ${odd.stderr}`);
});
