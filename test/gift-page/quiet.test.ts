import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quietToken, readQuietToken } from '../../src/giving/gifts/quiet.ts';
import { eventually } from '../support/eventually.ts';
import { createGifts, keys, titleOf, tokenKey } from '../support/gift-page.ts';
import { startService } from '../support/service.ts';

const service = await startService({ mailServer: 'outbox', tokenKey });
const gifts = createGifts(service);

async function remindable() {
  const certificate = await gifts.order();
  const gift = await gifts.read(certificate);
  const states = () => gifts.reminders(certificate);
  await eventually(async () => (await states()).includes('SCHEDULED'));
  return { certificate, gift, states, address: `${service.url}/g/quiet/${quietToken(keys, gift)}` };
}

test('opening the address asks, and the button stops the reminders', async () => {
  const { address, states } = await remindable();
  const asked = await fetch(address);
  assert.equal(asked.status, 200);
  assert.equal(titleOf({ text: await asked.text() }), 'Stop reminders?');
  assert.deepEqual(await states(), ['SCHEDULED']);
  const stopped = await fetch(address, { method: 'POST', body: new URLSearchParams() });
  assert.equal(titleOf({ text: await stopped.text() }), 'Reminders stopped');
  assert.deepEqual(await states(), ['CANCELLED']);
});

test('a mailbox may stop them with one click, as RFC 8058 has it', async () => {
  const form = new FormData();
  form.set('List-Unsubscribe', 'One-Click');
  for (const body of [new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }), form, undefined]) {
    const { address, states } = await remindable();
    const headers = { Origin: 'https://mail.example', 'Sec-Fetch-Site': 'cross-site' };
    const { status } = await fetch(address, { method: 'POST', headers, ...(body && { body }) });
    assert.equal(status, 200);
    assert.deepEqual(await states(), ['CANCELLED']);
  }
});

test('the gift can still be claimed, and nothing but reminders can be done with this token', async () => {
  const { gift, certificate, address } = await remindable();
  await fetch(address, { method: 'POST' });
  const token = quietToken(keys, gift);
  assert.equal((await gifts.post('/g/claim', { token })).status, 404);
  assert.equal((await gifts.post('/g/claim', { token: certificate.longToken })).status, 200);
});

test('a token that is wrong, or of an earlier edition, stops nothing', async () => {
  const { gift, certificate, states } = await remindable();
  const token = quietToken(keys, gift);
  assert.deepEqual(readQuietToken(keys, token), {
    workspaceId: gift.workspaceId,
    id: gift.id,
    keyVersion: gift.keyVersion,
    edition: 0,
  });
  const wrong = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`;
  const tooLarge = Buffer.from(token, 'base64url').fill(0xff, 10, 18).toString('base64url');
  for (const other of [wrong, token.slice(1), `${token}A`, certificate.longToken, 'x', tooLarge]) {
    assert.equal(readQuietToken(keys, other), null);
    for (const method of ['GET', 'POST'])
      assert.equal((await fetch(`${service.url}/g/quiet/${other}`, { method })).status, 404, `${method} ${other}`);
  }
  await gifts.reissue(certificate);
  assert.equal((await fetch(`${service.url}/g/quiet/${token}`, { method: 'POST' })).status, 404);
  assert.deepEqual(await states(), ['SCHEDULED']);
});
