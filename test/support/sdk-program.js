// A program as people would write it, in plain JavaScript: test/sdk/runtimes.slow.test.ts runs it on every runtime that it finds.
import assert from 'node:assert/strict';
import process from 'node:process';
import { Giftwire, GiftwireError } from '@giftwire/sdk';

const { url, lossyUrl, token, workspace, webhook } = JSON.parse(process.env.SDK_PROGRAM);
const giftwire = new Giftwire({ url, token, workspace });
const order = {
  currency: 'CAD',
  orderItems: [{ message: 'Thank you, Zoë ♥', amount: 25.5, recipient: { email: 'zoe@example.com' } }],
};

const lossy = new Giftwire({ url: lossyUrl, token, workspace });
const created = await lossy.orders.create(order, { customerRequestId: 'für Zoë ♥' });
assert.equal(created.customerRequestId, 'für Zoë ♥');
const { certificates } = await giftwire.orders.waitFor(created.requestId, { signal: AbortSignal.timeout(60_000) });
assert.deepEqual(
  certificates.map(({ amount, message }) => [amount, message]),
  [[25.5, 'Thank you, Zoë ♥']],
);

const found = [];
for await (const { email } of giftwire.members.all({ search: 'paged', size: 2 })) found.push(email);
assert.equal(found.length, 5);

const controller = new AbortController();
const totals = [];
for await (const event of giftwire.events.stream({ types: ['order.completed'], signal: controller.signal })) {
  totals.push(event.data.total);
  if (event.data.requestId === created.requestId) controller.abort();
}
assert.equal(totals.at(-1), 25.5);

// A stream that waits for an event is aborted too.
const { latest } = await giftwire.events.list({ size: 1 });
for await (const _event of giftwire.events.stream({ after: latest, signal: AbortSignal.timeout(300) })) break;

const refused = await giftwire.orders.create({ ...order, currency: 'XXX' }).catch((error) => error);
assert.ok(refused instanceof GiftwireError);
assert.deepEqual([refused.status, refused.type, refused.fields[0]?.path], [400, 'invalid_field', 'currency']);
assert.match(refused.requestId, /./);
const gone = await new Giftwire({ url: 'http://127.0.0.1:1', workspace, retries: 0 }).reasons
  .list()
  .catch((error) => error);
assert.deepEqual([gone.type, gone.status], ['no_answer', null]);
await assert.rejects(giftwire.reasons.list({ signal: AbortSignal.abort(new Error('enough')) }), { message: 'enough' });

const csv = await new Response(await giftwire.reports.teamActivityCsv()).text();
assert.match(csv, /^status,type,/);
const event = await giftwire.webhooks.verify(webhook.body, new Headers(webhook.headers), webhook.secret);
assert.equal(event.id, 'evt_1_1');
await assert.rejects(giftwire.webhooks.verify(`${webhook.body} `, webhook.headers, webhook.secret), {
  type: 'invalid_signature',
});
console.log('everything holds');
