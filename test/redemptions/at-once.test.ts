import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { checkLedger } from '../support/budgets.ts';
import { createGifts, tokenKey } from '../support/gift-page.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService, type TestService } from '../support/service.ts';
import { offerAllOptions } from '../support/spending.ts';

const service = await startService({ tokenKey });
const other = await startService({ tokenKey, role: 'api', database: service.database });
const gifts = createGifts(service);
const { claimed } = await offerAllOptions(service, gifts);
const authorized = { token: service.token, workspace: service.workspaceId };

/** Redeems at a till, and is not repeated on a 503. */
const redeem = (token: string, amount: number | undefined, via: TestService = service) =>
  via.call<{ message?: string }>('/api/v1/gifts/redemptions', {
    ...authorized,
    method: 'POST',
    body: { token, ...(amount !== undefined && { amount }) },
    headers: { 'Idempotency-Key': randomUUID() },
  });

const spend = (token: string, amount: number) =>
  gifts.post('/g/spend', { token, option: 'payroll', amount: String(amount), key: randomUUID() });

const together = <T>(count: number, work: (nth: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, nth) => work(nth)));

const countOf = (answers: { status: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, some]) => [status, some.length] as const),
  );

test('forty tills take a part of one gift at once: each gets it while something is left, and none a 503', async () => {
  const { shortToken } = await gifts.order({ amount: 30 });
  assert.deepEqual(countOf(await together(40, () => redeem(shortToken, 1))), { 201: 30, 402: 10 });
});

test('of forty tills that take all of one gift at once, one gets it, and none a 503', async () => {
  const { longToken } = await gifts.order({ amount: 30 });
  assert.deepEqual(countOf(await together(40, () => redeem(longToken, undefined))), { 201: 1, 402: 39 });
});

test('forty tills may each redeem a gift of their own at once, and none gets a 503', async () => {
  const orderItems = Array.from({ length: 40 }, () => aGift({ amount: 5 }));
  const { certificates } = await service.fulfilled(anOrder({ orderItems }));
  const answers = await together(40, (nth) => redeem(certificates[nth]?.shortToken ?? '', 5));
  assert.deepEqual(countOf(answers), { 201: 40 });
});

test('a recipient who spends a part in 24 windows at once gets each while something is left, and no 503', async () => {
  const { longToken } = await claimed(20);
  assert.deepEqual(countOf(await together(24, () => spend(longToken, 1))), { 200: 20, 409: 4 });
});

test('tills of two nodes and pages may spend one gift at once', async () => {
  const { longToken } = await claimed(48);
  const [tills, pages] = await Promise.all([
    together(24, (nth) => redeem(longToken, 1, nth % 2 ? other : service)),
    together(24, () => spend(longToken, 1)),
  ]);
  assert.deepEqual([countOf(tills), countOf(pages)], [{ 201: 24 }, { 200: 24 }]);
});

test('a gift that many spend at once does not stall the other gifts of the workspace', async () => {
  const [busy, quiet] = [await claimed(40), await claimed(10)];
  let answered = 0;
  const many = together(40, () => redeem(busy.shortToken, 1).finally(() => answered++));
  const { status } = await redeem(quiet.shortToken, 10);
  assert.equal(status, 201);
  assert.ok(answered < 20, `${answered} of 40 came before the one of another gift`);
  assert.deepEqual(countOf(await many), { 201: 40 });
  await checkLedger(service.database);
});
