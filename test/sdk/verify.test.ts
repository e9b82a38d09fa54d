import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GiftwireEvent, verifyWebhook } from '@giftwire/sdk';
import { Webhook as Signer } from 'standardwebhooks';
import { openClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';

const secret = `whsec_${Buffer.from('s'.repeat(32)).toString('base64')}`;
const other = `whsec_${Buffer.from('o'.repeat(32)).toString('base64')}`;
const body = JSON.stringify({ id: 'evt_1_1', number: 1, type: 'member.added', data: { id: 7 }, note: 'Zoë ♥' });
const minutes = (count: number) => new Date(Date.now() + count * 60_000);

/** The headers of a webhook as the reference implementation signs it. */
function signed(by: string[] = [secret], at = new Date(), text = body): Record<string, string> {
  return {
    'webhook-id': 'evt_1_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': by.map((one) => new Signer(one).sign('evt_1_1', at, text)).join(' '),
  };
}

const invalid = { name: 'SignatureError', type: 'invalid_signature' };

test('what the reference implementation signs is verified, as text and as bytes, with any form of headers', async () => {
  const headers = signed();
  const forms = [headers, new Headers(headers), { ...headers, 'Content-Type': 'x', 'Set-Cookie': ['a', 'b'] }];
  const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  for (const form of [...forms, upper]) assert.deepEqual(await verifyWebhook(body, form, secret), JSON.parse(body));
  const bytes = Buffer.from(body);
  for (const raw of [bytes, new Uint8Array(bytes).buffer, new Uint8Array(bytes)])
    assert.deepEqual(await verifyWebhook(raw, headers, secret), JSON.parse(body));
});

test('of several signatures one has to fit, whatever the others are', async () => {
  const at = new Date();
  const headers = signed([other, secret], at);
  assert.deepEqual(await verifyWebhook(body, headers, secret), JSON.parse(body));
  assert.deepEqual(await verifyWebhook(body, headers, other), JSON.parse(body));
  const odd = { ...headers, 'webhook-signature': `v1a,AAAA v1,%%% v1 ${signed([secret], at)['webhook-signature']}` };
  assert.deepEqual(await verifyWebhook(body, odd, secret), JSON.parse(body));
});

test('another secret, another body, another id and another time are refused', async () => {
  const headers = signed();
  await assert.rejects(verifyWebhook(body, signed([other]), secret), invalid);
  await assert.rejects(verifyWebhook(body.replace('7', '8'), headers, secret), invalid);
  await assert.rejects(verifyWebhook(body, { ...headers, 'webhook-id': 'evt_1_2' }, secret), invalid);
  const later = String(Number(headers['webhook-timestamp']) + 1);
  await assert.rejects(verifyWebhook(body, { ...headers, 'webhook-timestamp': later }, secret), invalid);
  const [version, signature = ''] = (headers['webhook-signature'] as string).split(',');
  for (const wrong of [`v2,${signature}`, `${version},`, `${version},${signature.slice(0, -4)}`, '%', signature])
    await assert.rejects(verifyWebhook(body, { ...headers, 'webhook-signature': wrong }, secret), invalid, wrong);
});

test('a webhook is taken for five minutes before and after its time', async () => {
  for (const at of [minutes(-4.9), minutes(4.9)])
    assert.deepEqual(await verifyWebhook(body, signed([secret], at), secret), JSON.parse(body));
  for (const at of [minutes(-5.1), minutes(5.1)])
    await assert.rejects(verifyWebhook(body, signed([secret], at), secret), { ...invalid, message: /five minutes/ });
  for (const timestamp of ['', 'soon', '1e9', '-5', 'NaN'])
    await assert.rejects(verifyWebhook(body, { ...signed(), 'webhook-timestamp': timestamp }, secret), invalid);
});

test('a header that is missing is named, and a secret that is none is a mistake of the program', async () => {
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    await assert.rejects(verifyWebhook(body, { ...signed(), [name]: undefined }, secret), {
      ...invalid,
      message: `The webhook has no header ${name}.`,
    });
  for (const none of ['', 'whsec_', 'whsec_%%%']) await assert.rejects(verifyWebhook(body, signed(), none), TypeError);
});

test('what the service posts is verified, before and after a rotation', async () => {
  const service = await startService();
  const { giftwire, gift } = await openClient(service);
  const receiver = await startReceiver();
  const { id, secret: first } = await giftwire.webhooks.create({ url: receiver.url, types: ['order.completed'] });
  await gift({ email: 'ada@example.com' });
  await eventually(async () => receiver.received.length === 1);
  const { secret: second } = await giftwire.webhooks.rotate(id);
  await gift({ email: 'ada@example.com' });
  await eventually(async () => receiver.received.length === 2);
  const [before, after] = receiver.received as [Received, Received];
  const verified: GiftwireEvent = await giftwire.webhooks.verify(before.body, before.headers, first);
  assert.deepEqual(verified, before.event);
  for (const one of [first, second])
    assert.deepEqual(await giftwire.webhooks.verify(after.body, after.headers, one), after.event);
  await assert.rejects(giftwire.webhooks.verify(before.body, before.headers, second), invalid);
});
