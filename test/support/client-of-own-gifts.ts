import assert from 'node:assert/strict';
import type { Giftwire } from '@giftwire/sdk';
import { anOrderOf, collect } from './client.ts';

const spending = { amount: 30, currency: 'CAD', spendingOption: 'payroll' };

/** Gives the person that `own` acts as two gifts, which they open, claim and spend together. */
export async function useOwnGifts({ orders }: Giftwire, own: Giftwire, email: string): Promise<void> {
  const ids: number[] = [];
  for (const amount of [25, 10]) {
    const { requestId } = await orders.create(anOrderOf(email, amount));
    ids.push((await orders.waitFor(requestId)).certificates[0]?.id as number);
  }
  const [one = 0, two = 0] = ids;
  const { myGifts, mySpending } = own;
  assert.equal((await myGifts.retrieve(one)).amount, null);
  assert.equal((await myGifts.open(one)).amount, 25);
  assert.equal((await myGifts.claim(two)).outcome, 'CLAIMED');
  assert.equal((await myGifts.sendVerificationCode(two)).outcome, 'CLAIMED');
  assert.equal((await myGifts.thank(two, 'How kind!')).thanks, 'How kind!');
  await assert.rejects(myGifts.code(two), { status: 403 });
  const { totals, gifts } = await myGifts.list({ standing: 'OPEN' });
  assert.deepEqual([totals[0]?.left, gifts.map(({ id }) => id)], [35, [one, two]]);
  assert.deepEqual(await collect(myGifts.all({ standing: 'OPEN', size: 1 })), gifts);
  assert.equal((await mySpending.options('CAD')).left, 35);
  assert.equal((await mySpending.preview(spending)).left, 5);
  const spent = await mySpending.create(spending, { idempotencyKey: 'together' });
  assert.deepEqual(
    spent.gifts.map(({ giftId, amount }) => [giftId, amount]),
    [
      [one, 25],
      [two, 5],
    ],
  );
  assert.equal((await mySpending.create(spending, { idempotencyKey: 'together' })).replayed, true);
  await assert.rejects(mySpending.card(spent.id), { status: 403 });
  assert.equal((await mySpending.reverse(spent.id)).state, 'REVERSED');
  assert.equal((await mySpending.retrieve(spent.id)).left, 35);
}

/** The same methods for a caller who has no gifts. */
export async function useNoGifts({ myGifts, mySpending }: Giftwire): Promise<void> {
  assert.deepEqual((await myGifts.list()).totals, []);
  assert.deepEqual(await collect(myGifts.all()), []);
  const missing = { status: 404 };
  for (const attempt of [
    () => myGifts.retrieve(1),
    () => myGifts.open(1),
    () => myGifts.claim(1, '000000'),
    () => myGifts.sendVerificationCode(1),
    () => myGifts.thank(1, 'How kind!'),
    () => mySpending.retrieve(1),
    () => mySpending.reverse(1),
  ])
    await assert.rejects(attempt, missing);
  await assert.rejects(myGifts.code(1, 'shop'), { status: 403 });
  await assert.rejects(mySpending.card(1), { status: 403 });
  assert.deepEqual((await mySpending.options('CAD')).spendingOptions, []);
  await assert.rejects(mySpending.preview(spending), { status: 402 });
  await assert.rejects(mySpending.create(spending), { status: 402 });
}
