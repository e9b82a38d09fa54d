import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advanceClock } from '../../src/company/workspaces/clock.ts';
import type { GiftDesk } from '../../src/giving/gifts/claim.ts';
import { readGiftsById } from '../../src/giving/gifts/gift.ts';
import type { EventPage } from '../../src/ground/contract/event-list.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { readGivenCode } from '../../src/spending/code-pools/give.ts';
import { announceExpiredCodes } from '../../src/spending/code-pools/stock.ts';
import { spendGift } from '../../src/spending/redemptions/spend.ts';
import { checkLedger } from '../support/budgets.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { parseKeys } from '../support/keys.ts';
import { aGift } from '../support/orders.ts';
import { createPools } from '../support/pools.ts';
import { claim, offerSpendingOption, readGift } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const tokenKey = '1:the only key of the tests of given codes';
const keys = parseKeys(tokenKey);
const service = await startService({ tokenKey });
const { database } = service;
const desk: GiftDesk = { database, keys, mails: null };

async function whileUnavailable<T>(work: () => Promise<T>): Promise<T> {
  const tried = await eventually(
    () =>
      work().then(
        (value) => ({ value }),
        (error) => ({ error }),
      ),
    (one) => !('error' in one && one.error.kind === 'unavailable'),
  );
  if ('error' in tried) throw tried.error;
  return tried.value;
}

/** A workspace with a pool behind the spending option "cards", and gifts that were claimed. */
async function open(codes: string[], amounts: number[], pool = {}) {
  const workspace = await openWorkspace(service);
  const pools = createPools(workspace.call);
  const { id: poolId } = await pools.add(pool);
  if (codes.length > 0) await pools.fill(poolId, ...codes);
  await offerSpendingOption(database, workspace.id, 'cards', { kind: 'POOL', name: 'Cards', poolId });
  const items = amounts.map((amount, nth) => aGift({ amount, recipient: { employeeNumber: `E-${nth}` } }));
  const { certificates } = await workspace.outcome(await workspace.submit(items));
  for (const { id } of certificates) await claim(database, workspace.id, id);
  const gifts = await readGiftsById(
    database,
    workspace.id,
    certificates.map(({ id }) => id),
  );
  /** Sends a choice again with its key while the service is busy, as a browser's owner does. */
  const spend = (nth: number, key: string = crypto.randomUUID(), choice = {}, on = desk) =>
    whileUnavailable(() =>
      spendGift(
        on,
        gifts[nth] as (typeof gifts)[number],
        { option: 'cards', amount: 25, retailer: 'Shop', ...choice },
        key,
      ),
    );
  const codeOf = (redemptionId: number) => readGivenCode(database, keys, workspace.id, redemptionId);
  return { workspace, pools, poolId, gifts, spend, codeOf };
}

const codes = (count: number, expiry = '') =>
  Array.from({ length: count }, (_, nth) => `Shop,25,code-${nth},${nth},${expiry}`);

test('a hundred recipients at once on two nodes get ten codes once each, and ninety keep their balance', async () => {
  const { workspace, pools, poolId, gifts, spend, codeOf } = await open(
    codes(10),
    Array.from({ length: 100 }, () => 25),
  );
  const other = openDatabase({ url: database.url, name: 'node', maxConnections: 5, statementTimeoutMs: 60_000 });
  cleanUp(() => other.close());
  const outcomes = await Promise.all(
    gifts.map((_, nth) => spend(nth, crypto.randomUUID(), {}, nth % 2 === 0 ? desk : { ...desk, database: other })),
  );
  const spent = outcomes.flatMap((one) => (one.outcome === 'spent' ? [one.redemption] : []));
  assert.equal(spent.length, 10);
  assert.equal(outcomes.filter(({ outcome }) => outcome === 'no code').length, 90);
  const given = await Promise.all(spent.map(({ id }) => codeOf(id)));
  assert.deepEqual(
    given.map((one) => one?.code).sort(),
    codes(10)
      .map((_, nth) => `code-${nth}`)
      .sort(),
  );
  assert.deepEqual((await pools.read(poolId)).stocks, [
    { retailer: 'Shop', value: 25, left: 0, given: 10, expired: 0 },
  ]);
  const after = await readGiftsById(
    database,
    workspace.id,
    gifts.map(({ id }) => id),
  );
  assert.deepEqual(after.map(({ redeemed }) => redeemed).sort(), [...Array(90).fill(0), ...Array(10).fill(25)].sort());
  await checkLedger(database);
});

test('the same confirmation sent many times gives one code, and another one asks for another', async () => {
  const { workspace, gifts, spend, codeOf } = await open(codes(5), [75]);
  const same = await Promise.all(Array.from({ length: 20 }, () => spend(0, 'one key')));
  const ids = new Set(same.map((one) => (one.outcome === 'spent' ? one.redemption.id : one.outcome)));
  assert.equal(ids.size, 1);
  assert.equal((await readGift(database, workspace.id, gifts[0]?.id as number)).redeemed, 25);
  assert.deepEqual(await codeOf([...ids][0] as number), { code: 'code-0', pin: '0', expiresOn: null });
  await spend(0, 'another key');
  await spend(0, 'a third key');
  assert.equal((await spend(0, 'a fourth key')).outcome, 'refused', 'nothing is left of the gift');
  assert.equal(
    (await spend(0, 'one key', { retailer: 'Other shop' })).outcome,
    'refused',
    'the key is of another choice',
  );
});

test('what does not fit is refused, and nothing changes', async () => {
  const { workspace, gifts, spend, poolId } = await open(codes(5), [20, 60]);
  assert.equal((await spend(0)).outcome, 'refused', 'a code is worth more than the gift');
  assert.equal((await spend(1, 'a', { retailer: 'Elsewhere' })).outcome, 'no code');
  assert.equal((await spend(1, 'b', { amount: 24 })).outcome, 'no code');
  assert.equal((await spend(1, 'c', { option: 'nothing' })).outcome, 'refused');
  await offerSpendingOption(database, workspace.id, 'shop', { kind: 'TILL', name: 'Shop' });
  assert.equal((await spend(1, 'd', { option: 'shop' })).outcome, 'refused');
  await database.query(`update code_pools set currency = 'USD' where workspace_id = $1 and id = $2`, [
    workspace.id,
    poolId,
  ]);
  assert.equal((await spend(1, 'e')).outcome, 'no code', 'the codes are in another currency than the gift');
  for (const { id } of gifts) assert.equal((await readGift(database, workspace.id, id)).redeemed, 0);
  assert.deepEqual(await database.query('select id from redemptions where workspace_id = $1', [workspace.id]), []);
});

test('the code that expires first is given, and one that has expired never', async () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const lines = [`Shop,25,good,,`, `Shop,25,later,,${day(20)}`, `Shop,25,soon,,${day(5)}`, `Shop,25,sooner,,${day(2)}`];
  const { workspace, pools, poolId, spend, codeOf } = await open(lines, [100]);
  const next = async () => {
    const spent = await spend(0);
    return spent.outcome === 'spent' ? (await codeOf(spent.redemption.id))?.code : spent.outcome;
  };
  assert.equal(await next(), 'sooner');
  await database.transaction((tx) => advanceClock(tx, workspace.id, 10 * 86_400));
  assert.equal(await next(), 'later');
  assert.equal(await next(), 'good');
  assert.equal(await next(), 'no code');
  assert.deepEqual((await pools.read(poolId)).stocks, [{ retailer: 'Shop', value: 25, left: 0, given: 3, expired: 1 }]);
});

test('few codes and no codes are events, once until codes are added, also when codes expire', async () => {
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const { workspace, pools, poolId, spend } = await open(codes(3, day), [25, 25, 25], { lowAt: 1 });
  const told = async () => {
    const { events } = await workspace.read<EventPage>('/api/v1/events?size=1000&types=pool.low,pool.empty');
    return events.map(({ type, data }) => `${type} ${(data as { left: number }).left}`);
  };
  await spend(0);
  assert.deepEqual(await told(), []);
  await spend(1);
  assert.deepEqual(await told(), ['pool.low 1']);
  await spend(2);
  assert.deepEqual(await told(), ['pool.low 1', 'pool.empty 0']);
  await pools.fill(poolId, `Shop,25,more-1,,${day}`, `Shop,25,more-2,,${day}`);
  await announceExpiredCodes(database);
  assert.equal((await told()).length, 2, 'what is added is no event');
  await database.transaction((tx) => advanceClock(tx, workspace.id, 10 * 86_400));
  await announceExpiredCodes(database);
  await announceExpiredCodes(database);
  assert.deepEqual((await told()).slice(2), ['pool.empty 0']);
});
