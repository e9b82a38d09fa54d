import assert from 'node:assert/strict';
import type { PayrollExport } from '../../src/ground/contract/payroll.ts';
import type { Redemption, RedemptionPage } from '../../src/ground/contract/redemption.ts';
import { setBudget } from './budgets.ts';
import { createGifts } from './gift-page.ts';
import { aGift, anOrder } from './orders.ts';
import { aCode } from './pools.ts';
import type { TestService } from './service.ts';
import { offerAllOptions } from './spending.ts';

/** A history in which every table has rows, and every column of them a value somewhere. */
export async function liveWithMoney(service: TestService): Promise<void> {
  const { database, workspaceId, token } = service;
  const call = <Body>(path: string, asked = {}) =>
    service.call<Body>(path, { token, workspace: workspaceId, ...asked });
  const post = <Body>(path: string, body: unknown = {}) => call<Body>(`/api/v1${path}`, { method: 'POST', body });
  await database.query('update workspaces set gift_days = 90 where id = $1', [workspaceId]);
  const inAYear = new Date(Date.now() + 365 * 86_400_000).toISOString().slice(0, 10);
  const gifts = createGifts(service);
  const { claimed, spend, fill, pools } = await offerAllOptions(service, gifts);
  await setBudget(database, workspaceId, {
    amount: 5_000,
    giftLimit: 1_000,
    allowance: { amount: 10, every: 'MONTH' },
  });
  await fill(aCode('Riverside Books', 25, '2099-12-31'), aCode('Riverside Books', 25));
  await service.fulfilled(anOrder({ orderItems: [aGift({ amount: 5 }), aGift({ amount: 500 })] }));
  for (const choice of [
    { option: 'payroll', amount: '10' },
    { option: 'payroll', amount: '75' },
    { option: 'cards', amount: '25', retailer: 'Riverside Books' },
    { option: 'charity', amount: '20' },
  ]) {
    const { longToken } = await claimed(75);
    assert.equal((await spend(longToken, choice)).status, 200);
  }
  const { shortToken } = await claimed(75);
  const till = { method: 'POST', body: { token: shortToken, amount: 5 }, headers: { 'Idempotency-Key': 'till-1' } };
  assert.equal((await call('/api/v1/gifts/redemptions', till)).status, 201);
  const [later, cancelled] = [await gifts.order({ amount: 15 }), await gifts.order({ amount: 25 })];
  assert.equal((await post(`/gifts/${later.id}/extend`, { expiresOn: inAYear })).status, 200);
  assert.equal((await post(`/gifts/${cancelled.id}/cancel`)).status, 200);
  assert.equal((await post<PayrollExport>('/payroll-exports')).status, 201);
  const { redemptions } = (await call<RedemptionPage>('/api/v1/redemptions')).body;
  const of = (kind: string) => redemptions.find((one) => one.kind === kind) as Redemption;
  assert.equal((await post(`/redemptions/${of('PAYROLL').id}/reverse`)).status, 200);
  assert.equal((await post(`/redemptions/${of('HAND').id}/fulfil`)).status, 200);
  assert.equal((await post<PayrollExport>('/payroll-exports')).status, 201);
  await pools.add({ name: 'Not used' });
  await setBudget(database, workspaceId, { currency: 'USD', amount: 10 });
}
