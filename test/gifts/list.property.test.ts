import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listGifts } from '../../src/giving/delivery/gift-list/list.ts';
import { countGifts } from '../../src/giving/delivery/gift-list/totals.ts';
import { deliveries, type GiftQuery, type GiftRecord, giftStates } from '../../src/ground/contract/gift.ts';
import fc from '../support/fast-check.ts';
import { openGifts } from '../support/gifts.ts';
import { runs } from '../support/runs.ts';

const { service, workspace, issue, list, setState, setExpiry, setMail, repaired } = await openGifts();
const people = ['ada', 'grace', 'mei', 'sam'].map((name) => ({ email: `${name}@example.com` }));

/** Gifts of eight orders in every state, and with mails of every kind. */
async function someGifts(): Promise<GiftRecord[]> {
  const ids: number[] = [];
  for (let order = 0; order < 8; order++) ids.push(...(await issue(...people.slice(order % 3), ...people)));
  for (const [nth, id] of ids.entries()) {
    const delivery = deliveries[nth % deliveries.length] as string;
    if (delivery !== 'NONE') await setMail(id, delivery, new Date(Date.now() + 86_400_000));
    // A gift that was corrected has a mail of each edition.
    if (nth % 5 === 0) {
      await setMail(id, 'FAILED');
      await repaired(id, 'correct', { email: `new${nth}@example.com` });
      if (nth % 10 === 0) await setMail(id, 'FAILED');
    }
    const state = giftStates[nth % giftStates.length] as string;
    if (state === 'EXPIRED' && nth % 4 === 0) await setExpiry(id, new Date(0));
    else await setState(id, state);
  }
  await service.database.query('vacuum analyze certificates, mails');
  return (await list('?size=1000')).gifts;
}

const all = await someGifts();
const times = all.map(({ orderedAt }) => orderedAt);

test('the list has every gift once, the newest first', () => {
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
  assert.deepEqual(times, times.toSorted().reverse());
  assert.deepEqual(new Set(all.map(({ state }) => state)), new Set(giftStates));
  assert.deepEqual(new Set(all.map(({ delivery }) => delivery)), new Set(deliveries));
});

const optional = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
const filters = fc.record({
  state: optional(giftStates),
  delivery: optional(deliveries),
  member: optional(all.map(({ recipient }) => recipient.id)),
  requestId: optional(all.map(({ requestId }) => requestId)),
  from: optional(times),
  to: optional(times),
});

function isAskedFor({ state, delivery, member, requestId, from, to }: Partial<GiftQuery>) {
  return (gift: GiftRecord) =>
    (state === undefined || gift.state === state) &&
    (delivery === undefined || gift.delivery === delivery) &&
    (member === undefined || gift.recipient.id === member) &&
    (requestId === undefined || gift.requestId === requestId) &&
    (from === undefined || gift.orderedAt >= from) &&
    (to === undefined || gift.orderedAt < to);
}

/** All pages of a list. */
async function readAll(query: Partial<GiftQuery>, size: number, examined: number): Promise<GiftRecord[]> {
  const found: GiftRecord[] = [];
  for (let after: number | null | undefined; after !== null; ) {
    const asked = { ...query, size, ...(after !== undefined && { after }) };
    const page = await listGifts(service.database, workspace.id, asked, { examined });
    assert.ok(page.gifts.length <= size);
    found.push(...page.gifts);
    after = page.next;
  }
  return found;
}

test('each state and each delivery, asked for alone, is found once', async () => {
  for (const state of giftStates)
    assert.deepEqual(await readAll({ state }, 4, 1_000), all.filter(isAskedFor({ state })), state);
  for (const delivery of deliveries)
    for (const examined of [1, 2, 1_000])
      assert.deepEqual(await readAll({ delivery }, 4, examined), all.filter(isAskedFor({ delivery })), delivery);
});

test('pages of any size and filters, joined, are all that is asked for, also where a page examines few gifts', async () => {
  const sizes = fc.integer({ min: 1, max: 9 });
  await fc.assert(
    fc.asyncProperty(filters, sizes, fc.constantFrom(2, 5, 1_000), async (asked, size, examined) => {
      const query: Partial<GiftQuery> = JSON.parse(JSON.stringify(asked));
      assert.deepEqual(await readAll(query, size, examined), all.filter(isAskedFor(query)));
    }),
    { numRuns: runs(80) },
  );
});

/** The totals of listed gifts, as text that does not depend on their sequence. */
function totalsOf(gifts: readonly GiftRecord[]): string[] {
  const totals = Map.groupBy(gifts, ({ state, delivery, currency }) =>
    [state, state === 'ISSUED' ? delivery : null, currency].join(' '),
  );
  const sum = (group: readonly GiftRecord[], field: 'amount' | 'redeemed') =>
    group.reduce((all, gift) => all + gift[field], 0);
  return [...totals]
    .map(([name, group]) => [name, group.length, sum(group, 'amount'), sum(group, 'redeemed')].join(' '))
    .sort();
}

test('the totals of any filters are those of the gifts that they list', async () => {
  await fc.assert(
    fc.asyncProperty(filters, async (asked) => {
      const query: Partial<GiftQuery> = JSON.parse(JSON.stringify(asked));
      const listed = all.filter(isAskedFor(query));
      const { gifts, isMinimum, totals } = await countGifts(service.database, workspace.id, query);
      assert.deepEqual([gifts, isMinimum], [listed.length, false]);
      assert.deepEqual(
        totals.map((total) => Object.values(total).map(String).join(' ').replace('null', '')).sort(),
        totalsOf(listed),
      );
    }),
    { numRuns: runs(40) },
  );
});

test('totals of more gifts than are examined say that there may be more', async () => {
  const { gifts, isMinimum } = await countGifts(service.database, workspace.id, {}, { examined: 5 });
  assert.deepEqual([gifts, isMinimum], [5, true]);
});
