import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimCode } from '../../src/giving/gifts/codes.ts';
import { quietToken } from '../../src/giving/gifts/quiet.ts';
import { dumpTables } from '../support/dump.ts';
import { createGifts, keys, tokenKey } from '../support/gift-page.ts';
import { startService } from '../support/service.ts';

const service = await startService({ mailServer: 'outbox', tokenKey, logLevel: 'trace' });
const gifts = createGifts(service);

test('no token of a gift is in a log, a metric, an event, a table or an answer to somebody who does not have it', async () => {
  await gifts.set('code_above = 20');
  const certificate = await gifts.order();
  const gift = await gifts.read(certificate);
  const { longToken: token, shortToken: code } = certificate;
  const quiet = quietToken(keys, gift);
  const answers: string[] = [];
  const noteAnswer = async (path: string, init: RequestInit = {}) =>
    answers.push(await (await fetch(service.url + path, init)).text());

  await gifts.post('/g/look', { token });
  await gifts.post('/g', { code });
  await gifts.post('/g/claim', { token });
  await gifts.post('/g/claim', { token, digits: claimCode(keys, gift, 1) });
  await gifts.post('/g/thanks', { token, thanks: 'Thank you' });
  await fetch(`${service.url}/g/quiet/${quiet}`);
  await fetch(`${service.url}/g/quiet/${quiet}`, { method: 'POST' });
  // Tokens in places where they do not belong, and requests that fail.
  for (const secret of [token, code, quiet, code.toLowerCase()]) {
    await noteAnswer(`/g/${secret}`);
    await noteAnswer(`/g?${secret}`);
    await noteAnswer(`/g/asset/${secret}`);
    await noteAnswer(`/g/logo/${secret}`);
    await noteAnswer(`/g/quiet/${secret}x`);
    await noteAnswer('/g/claim', {
      method: 'POST',
      body: `{"token":"${secret}"`,
      headers: { 'Content-Type': 'application/json' },
    });
    await noteAnswer('/g/claim', { method: 'POST', body: secret, headers: { 'Content-Type': 'text/plain' } });
  }
  assert.equal((await gifts.read(certificate)).state, 'CLAIMED');

  const { body: metrics } = await service.call<string>('/metrics');
  const { body: events } = await service.call('/api/v1/events?size=1000');
  const places = {
    log: service
      .logLines()
      .map((line) => JSON.stringify(line))
      .join('\n'),
    metrics,
    events: JSON.stringify(events),
    tables: await dumpTables(service.database),
    answers: answers.join('\n'),
  };
  assert.match(places.log, /"path":"\/g\/quiet\/\[redacted\]"/);
  for (const [place, text] of Object.entries(places))
    for (const secret of [token, code, quiet, code.toLowerCase(), code.replaceAll('-', '')])
      assert.ok(!text.includes(secret), `${secret} is in the ${place}`);
});
