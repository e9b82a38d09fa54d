import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RedemptionPage } from '../../src/ground/contract/redemption.ts';
import { createGifts, titleOf, tokenKey } from '../support/gift-page.ts';
import { spend as spendPart } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';
import { offerAllOptions } from '../support/spending.ts';

const service = await startService({ mailServer: 'outbox', tokenKey });
const { database, workspaceId } = service;
const gifts = createGifts(service);
const { fill, claimed, spend } = await offerAllOptions(service, gifts);

/** A claimed gift of 75 CAD of which 99 parts are spent. The first is a code. */
async function almostSplit() {
  const certificate = await claimed();
  const code = `FIRST-${certificate.id}`;
  await fill(`Riverside Books,10,${code},,`);
  await spend(certificate.longToken, { option: 'cards', retailer: 'Riverside Books', amount: '10' });
  for (let part = 2; part < 100; part++)
    await spendPart(database, workspaceId, certificate.id, 'payroll', { amount: 0.01 });
  const { longToken: token, id } = certificate;
  const press = (amount: string) =>
    gifts.post('/g/spend', { token, option: 'payroll', amount, key: crypto.randomUUID() });
  const list = async (state: string) =>
    (await service.call<RedemptionPage>(`/api/v1/redemptions?gift=${id}&state=${state}&size=200`)).body.redemptions;
  return { token, code, press, list, certificate };
}

const sell = (token: string, amount: number) =>
  service.call<{ message: string }>('/api/v1/gifts/redemptions', {
    method: 'POST',
    body: { token, amount },
    headers: { 'Idempotency-Key': crypto.randomUUID() },
  });

test('a gift is spent in a hundred parts at most, on its page and at a till, and the rest at once', async () => {
  const { token, code, press, list, certificate } = await almostSplit();
  await Promise.all([...Array.from({ length: 4 }, () => press('0.01')), sell(token, 0.01), sell(token, 0.01)]);
  assert.equal((await list('DONE')).length, 100, 'of many at the same time, one is the hundredth');
  const refused = await press('0.01');
  assert.equal(refused.status, 409);
  assert.match(refused.text, /You have spent your gift in 100 parts, which is the maximum\./);
  const till = await sell(token, 1);
  assert.equal(till.status, 409);
  assert.equal(till.body.message, 'The gift was spent in 100 parts already: spend all that is left, 64.01 CAD.');
  assert.match((await gifts.post('/g/option', { token, option: 'payroll' })).text, /The whole balance: CA\$64\.01/);

  assert.equal(
    titleOf(await spend(token, { option: 'payroll', amount: '64.01' })),
    'CA$64.01 comes with your next salary',
  );
  assert.equal((await gifts.read(certificate)).state, 'REDEEMED');
  const { text } = await gifts.post('/g', { token });
  assert.equal(text.match(/class="sum-spent/g)?.length, 101, 'everything is on the page');
  const redemption = /name="redemption" value="(\d+)"/.exec(text)?.[1] ?? '';
  assert.ok((await gifts.post('/g/reveal', { token, redemption })).text.includes(code));
});

test('what was taken back is no part, and the page shows what stands before it', async () => {
  const { token, press, list } = await almostSplit();
  assert.equal((await press('0.01')).status, 200);
  const paid = (await list('DONE')).filter(({ kind }) => kind === 'PAYROLL');
  for (const { id } of paid.slice(0, 3))
    assert.equal((await service.call(`/api/v1/redemptions/${id}/reverse`, { method: 'POST' })).status, 200);
  for (let nth = 0; nth < 3; nth++) assert.equal((await press('0.01')).status, 200);
  assert.equal((await press('0.01')).status, 409);
  const { text } = await gifts.post('/g', { token });
  assert.equal(text.match(/class="sum-spent"/g)?.length, 100, 'all that stands');
  assert.equal(text.match(/class="sum-spent back"/g)?.length, 1, 'and one of what was taken back');
  assert.match(text, /name="redemption" value="\d+"/, 'the code, which is the oldest, is within reach');
});

test('a redemption that is none shows the page of the gift', async () => {
  const { longToken: token } = await claimed();
  for (const redemption of ['', 'x', '-1', '1e300', '9'.repeat(15), '9'.repeat(30)]) {
    const { status, text } = await gifts.post('/g/reveal', { token, redemption });
    assert.deepEqual([status, /Spending options/.test(text)], [200, true], redemption);
  }
});
