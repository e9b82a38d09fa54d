import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RedemptionPage } from '../../src/ground/contract/redemption.ts';
import { checkLedger } from '../support/budgets.ts';
import { openRecipients } from '../support/own-gifts.ts';
import { offerSpendingOption } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';
import { isReplay, refusal } from '../support/workspace.ts';

const service = await startService();
const { database } = service;

test('an amount is drawn from what expires first, in one go, with a redemption for each gift', async () => {
  const { ada, opened, setExpiry, workspace } = await openRecipients(service);
  const [late, soon, never] = (await opened([75, 20, 50])) as [number, number, number];
  await setExpiry(late, '2027-03-31');
  await setExpiry(soon, '2026-12-01');
  await setExpiry(never, null);
  const { body: preview } = await ada.preview({ amount: 100 });
  assert.deepEqual(
    preview.gifts.map(({ giftId, amount, left }) => [giftId, amount, left]),
    [
      [soon, 20, 0],
      [late, 75, 0],
      [never, 5, 45],
    ],
  );
  assert.deepEqual([preview.left, preview.giftsLeft, preview.isReversible], [45, 1, true]);
  const { status, body } = await ada.spend({ amount: 100, gifts: partsOf(preview.gifts) }, 'once');
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual([body.amount, body.left, body.state], [100, 45, 'DONE']);
  const { redemptions } = await workspace.read<RedemptionPage>('/api/v1/redemptions');
  assert.deepEqual(
    redemptions.map(({ giftId, amount, spendingId }) => [giftId, amount, spendingId]),
    body.gifts.map(({ giftId, amount }) => [giftId, amount, body.id]).reverse(),
  );
  assert.deepEqual(await ada.done(`/spending/${redemptions[0]?.id}`), body, 'by the id of any part');
  await checkLedger(database);
});

test('a spending happens once for its key', async () => {
  const { ada, bob, opened, workspace, adaId } = await openRecipients(service);
  await opened([30, 30]);
  const first = await ada.spend({ amount: 40 }, 'one');
  const again = await ada.spend({ amount: 40 }, 'one');
  assert.deepEqual([isReplay(first), isReplay(again)], [false, true]);
  assert.deepEqual(again.body, first.body);
  assert.match(refusal(await ada.spend({ amount: 41 }, 'one'), 422), /amount/);
  assert.match(refusal(await bob.spend({ amount: 40 }, 'one'), 402), /Nothing was spent/, 'keys are those of a person');
  const [twin] = (await workspace.addPeople([{ email: 'ada.two@example.com' }])) as [number];
  await workspace.merge(adaId, twin);
  assert.ok(isReplay(await ada.spend({ amount: 40 }, 'one')), 'also after a merge');
  assert.equal(await ada.left(), 20);
});

test('what has changed meanwhile is named, and nothing is spent', async () => {
  const { ada, opened, issue, workspace } = await openRecipients(service);
  await offerSpendingOption(database, workspace.id, 'shop', { name: 'Book shop' });
  const [one, two] = (await opened([20, 75])) as [number, number];
  const seen = [
    { giftId: one, amount: 20 },
    { giftId: two, amount: 30 },
  ];
  const { body } = await ada.call<{ code: string }>(`/gifts/${one}/code`, {});
  assert.match(body.message, /a token cannot/);
  const order = await workspace.read<{ certificates: { shortToken: string }[] }>(
    `/api/v1/orders/${(await workspace.read<{ requestId: string }>(`/api/v1/gifts/${one}`)).requestId}`,
  );
  const till = { token: order.certificates[0]?.shortToken, amount: 15 };
  const headers = { 'Idempotency-Key': 'till' };
  await workspace.call('/api/v1/gifts/redemptions', { method: 'POST', body: till, headers });
  assert.match(
    refusal(await ada.spend({ amount: 50, gifts: seen }, 'a'), 409),
    /^Nothing was spent: the gift of .+ has 5\.00 CAD left, after 15\.00 CAD was spent with "Book shop"\. 80\.00 CAD is left\.$/,
  );
  assert.match(
    refusal(await ada.spend({ amount: 81 }, 'b'), 402),
    /^Nothing was spent: 81\.00 CAD is more .+ 80\.00 CAD is left/,
  );
  const [third] = (await opened([10])) as [number];
  await workspace.cancelGift(third);
  const cancelled = { amount: 10, gifts: [{ giftId: third, amount: 10 }] };
  assert.match(refusal(await ada.spend(cancelled, 'c'), 409), /was cancelled/);
  const [sealed] = (await issue([10])) as [number];
  const early = { amount: 10, gifts: [{ giftId: sealed, amount: 10 }] };
  assert.match(refusal(await ada.spend(early, 'd'), 409), /has not been opened yet/);
  await ada.open(sealed);
  const more = { amount: 11, gifts: [{ giftId: sealed, amount: 11 }] };
  assert.match(refusal(await ada.spend(more, 'e'), 409), /has 10\.00 CAD left\. 90\.00 CAD is left/);
  assert.equal(await ada.left(), 90);
});

test('a spending is refused that no gift, option or person allows', async () => {
  const { ada, bob, opened, workspace } = await openRecipients(service);
  await offerSpendingOption(database, workspace.id, 'shop');
  await offerSpendingOption(database, workspace.id, 'whole', { kind: 'HAND', name: 'Whole', allowsParts: false });
  await offerSpendingOption(database, workspace.id, 'small', {
    kind: 'HAND',
    name: 'Small',
    maxAmount: 25,
    minAmount: 5,
  });
  const [one, two] = (await opened([20, 30])) as [number, number];
  const message = async (asked: object, status: number) => refusal(await ada.spend({ ...asked }, 'key'), status);
  assert.match(await message({ amount: 10, spendingOption: 'shop' }, 409), /a till takes the code of one gift/);
  assert.match(
    await message({ amount: 30, spendingOption: 'whole' }, 409),
    /whole gifts: spend 20\.00 CAD or 50\.00 CAD/,
  );
  assert.match(await message({ amount: 30, spendingOption: 'small' }, 409), /25\.00 CAD at most/);
  assert.match(await message({ amount: 4, spendingOption: 'small' }, 409), /5\.00 CAD at least/);
  assert.match(await message({ amount: 10, spendingOption: 'none' }, 404), /no spending option/);
  for (const amount of [0, 1e15])
    assert.match(await message({ amount }, 400), /^amount must be more than 0 and at most 10000000/);
  assert.match(await message({ amount: 10.001 }, 400), /^amount must have at most 2 decimals/);
  const twice = [one, one].map((giftId) => ({ giftId, amount: 5 }));
  assert.match(await message({ amount: 10, gifts: twice }, 400), /gifts\[1\]\.giftId is there twice/);
  assert.match(await message({ amount: 11, gifts: [{ giftId: two, amount: 10 }] }, 400), /add up to 10\.00 CAD/);
  const others = { amount: 5, gifts: [{ giftId: one, amount: 5 }] };
  assert.match(refusal(await bob.spend(others, 'key'), 404), /You have no gift with this id/);
  assert.equal(await ada.left(), 50);
  assert.equal((await ada.spend({ amount: 50, spendingOption: 'whole' }, 'whole')).status, 201);
});

function partsOf(gifts: readonly { giftId: number; amount: number }[]) {
  return gifts.map(({ giftId, amount }) => ({ giftId, amount }));
}

test('options are listed for a currency that is named', async () => {
  const { ada } = await openRecipients(service);
  assert.match(refusal(await ada.call('/spending-options'), 400), /currency is required/);
});
