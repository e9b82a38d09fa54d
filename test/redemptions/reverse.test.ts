import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Redemption } from '../../src/ground/contract/redemption.ts';
import { readRedemptionsOfGift } from '../../src/spending/redemptions/read.ts';
import { checkLedger } from '../support/budgets.ts';
import { createGifts, tokenKey } from '../support/gift-page.ts';
import { startService } from '../support/service.ts';
import { offerAllOptions } from '../support/spending.ts';
import { refusal } from '../support/workspace.ts';

const service = await startService({ tokenKey });
const { database } = service;
const gifts = createGifts(service);
const { claimed, spend, fill } = await offerAllOptions(service, gifts);

/** A gift that its recipient has spent on its page. */
async function spent(choice: Record<string, string>) {
  const certificate = await claimed(25);
  await spend(certificate.longToken, { amount: '25', ...choice });
  const [redemption] = await readRedemptionsOfGift(database, service.workspaceId, await gifts.read(certificate));
  return { certificate, redemption: redemption as Redemption };
}

const reverse = (id: number) => service.call<Redemption>(`/api/v1/redemptions/${id}/reverse`, { method: 'POST' });
const voidAtTill = (id: number) => service.call(`/api/v1/gifts/redemptions/${id}/void`, { method: 'POST' });
const left = async (certificate: { id: number }) => {
  const { amount, redeemed } = await gifts.read(certificate);
  return amount - redeemed;
};

test('a gift card stays spent: its recipient has the code', async () => {
  await fill('Riverside Books,25,RB-KEPT-1,,');
  const { certificate, redemption } = await spent({ option: 'cards', retailer: 'Riverside Books' });
  assert.deepEqual([redemption.kind, redemption.state], ['POOL', 'DONE']);
  assert.match(refusal(await reverse(redemption.id), 409), /the recipient has its code/);
  assert.equal(await left(certificate), 0);
  const fields = { token: certificate.longToken, redemption: `${redemption.id}` };
  assert.ok((await gifts.post('/g/reveal', fields)).text.includes('RB-KEPT-1'));
  await checkLedger(database);
});

test('a till voids only what a till has redeemed', async () => {
  const { certificate, redemption } = await spent({ option: 'payroll' });
  assert.match(refusal(await voidAtTill(redemption.id), 409), /is of the kind PAYROLL/);
  assert.equal(await left(certificate), 0);
  assert.equal((await reverse(redemption.id)).body.state, 'REVERSED');
  assert.equal(await left(certificate), 25);
  await checkLedger(database);
});

test('what a recipient has requested is declined, and not reversed', async () => {
  const { certificate, redemption } = await spent({ option: 'charity', requestText: 'The food bank' });
  assert.match(refusal(await reverse(redemption.id), 409), /is REQUESTED/);
  assert.equal(await left(certificate), 0);
});
