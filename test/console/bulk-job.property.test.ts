import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GiftwireError } from '@giftwire/sdk';
import type { GiftRow } from '../../console/src/screens/bulk/file/rows.ts';
import { isDone, type Job, mostInOrder, type Part, planParts } from '../../console/src/screens/bulk/job/plan.ts';
import { runJob } from '../../console/src/screens/bulk/job/run.ts';
import fc from '../support/fast-check.ts';
import { runs } from '../support/runs.ts';

function aRow(number: number): GiftRow {
  return {
    ...{ number, texts: {}, email: `p${number}@example.com`, employeeNumber: null, firstName: '', lastName: '' },
    ...{ amount: 25, message: 'Thank you!', reasonId: null, faults: [], waits: false },
    ...{ currency: 'CAD', language: 'EN_CA', deliverAt: null },
  };
}

/** A service that keeps Idempotency-Keys as Giftwire does. */
function openService() {
  const orders = new Map<string, { requestId: string; body: string }>();
  return {
    orders,
    create({ key, order }: Part) {
      const body = JSON.stringify(order);
      const known = orders.get(key);
      if (known) assert.equal(body, known.body, 'the same key came with another body');
      const order_ = known ?? { requestId: `request ${orders.size + 1}`, body };
      orders.set(key, order_);
      return { requestId: order_.requestId };
    },
  };
}

/** Where the page goes away: before an order is sent, after the service has stored it, or before the answer is written down. */
const places = ['before', 'after', 'unsaved'] as const;
class Reload extends Error {}

test('after a reload at any point every gift is ordered once', async () => {
  const cut = fc.record({ part: fc.nat(12), place: fc.constantFrom(...places) });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 10_000 }),
      fc.array(cut, { maxLength: 6 }),
      fc.boolean(),
      async (gifts, cuts, keepsRunning) => {
        const rows = Array.from({ length: gifts }, (_, at) => aRow(at + 2));
        const service = openService();
        let stored = JSON.stringify({
          ...{ id: 'x', workspaceId: 1, userId: 1, name: 'gifts.csv', startedAt: '' },
          parts: planParts('x', rows),
          left: null,
        } satisfies Job);
        const visit = (reload: (typeof cuts)[number] | undefined) => {
          const job = JSON.parse(stored) as Job;
          const goesAway = (key: string, place: (typeof places)[number]) => {
            if (reload?.place === place && key.endsWith(`-${(reload.part % job.parts.length) + 1}`)) throw new Reload();
          };
          return runJob(job, {
            signal: AbortSignal.any([]),
            create: async (part) => {
              goesAway(part.key, 'before');
              const answer = service.create(part);
              goesAway(part.key, 'after');
              return answer;
            },
            save: async (current) => {
              const latest = current.parts.findLast(({ requestId }) => requestId !== null);
              goesAway(latest?.key ?? '', 'unsaved');
              stored = JSON.stringify(current);
            },
            onProgress: () => {},
          }).catch((error) => assert.ok(error instanceof Reload, error));
        };
        for (const reload of cuts) {
          // The page may be open in two windows.
          await Promise.all(keepsRunning ? [visit(reload), visit(undefined)] : [visit(reload)]);
        }
        await visit(undefined);
        assert.ok(isDone(JSON.parse(stored)));
        const ordered = [...service.orders.values()].flatMap(({ body }) =>
          JSON.parse(body).orderItems.map(({ recipient }: { recipient: { email: string } }) => recipient.email),
        );
        assert.equal(service.orders.size, Math.ceil(gifts / mostInOrder));
        assert.equal(ordered.length, gifts);
        assert.equal(new Set(ordered).size, gifts);
      },
    ),
    { numRuns: runs(60) },
  );
});

test('a refused part is said, and the others are sent; what may pass stops the job, which goes on later', async () => {
  const parts = planParts(
    'y',
    Array.from({ length: 2_500 }, (_, at) => aRow(at + 2)),
  );
  assert.deepEqual(
    parts.map(({ key, order }) => [key, order.orderItems.length]),
    [
      ['bulk-y-1', 1_000],
      ['bulk-y-2', 1_000],
      ['bulk-y-3', 500],
    ],
  );
  const job: Job = {
    ...{ id: 'y', workspaceId: 1, userId: 1, name: 'gifts.csv', startedAt: '' },
    ...{ parts, left: null },
  };
  let isAway = true;
  const running = {
    signal: AbortSignal.any([]),
    save: async () => {},
    onProgress: () => {},
    create: async ({ key }: Part) => {
      if (key === 'bulk-y-2') throw new GiftwireError('invalid_field', 'orderItems[3] is wrong', { status: 400 });
      if (key === 'bulk-y-3' && isAway) throw new GiftwireError('no_answer', 'There is no answer.');
      return { requestId: key };
    },
  };
  let reached: Job = job;
  const watched = {
    ...running,
    save: async (current: Job) => {
      reached = current;
    },
  };
  await assert.rejects(runJob(job, watched), { type: 'no_answer' });
  isAway = false;
  const done = await runJob(reached, running);
  assert.deepEqual(
    done.parts.map(({ requestId, refusal }) => requestId ?? refusal),
    ['bulk-y-1', 'orderItems[3] is wrong', 'bulk-y-3'],
  );
});

test('the gifts of a currency are one order, whatever their languages and delivery dates, and each gift is in one', () => {
  const own = fc.record({
    currency: fc.constantFrom('CAD', 'EUR', 'JPY'),
    language: fc.constantFrom('EN_CA', 'FR_CA'),
    deliverAt: fc.constantFrom(null, '2027-03-31T09:00:00.000Z'),
  });
  fc.assert(
    fc.property(fc.array(own, { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 80 }), (terms, times) => {
      const rows = terms.flatMap((one, nth) =>
        Array.from({ length: times }, (_, at) => ({ ...aRow(nth * times + at + 2), ...one })),
      );
      const parts = planParts('z', rows);
      const ordered = parts.flatMap(({ order: { orderItems, currency, ...shared } }) => {
        assert.ok(orderItems.length <= mostInOrder);
        return orderItems.map(({ recipient, language, deliverAt }) => [
          recipient.email,
          currency,
          language ?? shared.language,
          deliverAt ?? shared.deliverAt ?? null,
        ]);
      });
      const meant = rows.map(({ email, currency, language, deliverAt }) => [email, currency, language, deliverAt]);
      assert.deepEqual(ordered.sort(), meant.sort());
      assert.equal(new Set(parts.map(({ key }) => key)).size, parts.length);
      for (const { order } of parts) {
        const alike = parts.filter((other) => other.order.currency === order.currency);
        assert.deepEqual(
          order.batch,
          alike.length === 1 ? undefined : { id: `z-${order.currency}`, orders: alike.length },
        );
      }
      const kinds = new Map<string, number>();
      for (const { currency } of rows) kinds.set(currency, (kinds.get(currency) ?? 0) + 1);
      const fewest = [...kinds.values()].reduce((sum, gifts) => sum + Math.ceil(gifts / mostInOrder), 0);
      assert.equal(parts.length, fewest);
    }),
    { numRuns: runs(60) },
  );
});
