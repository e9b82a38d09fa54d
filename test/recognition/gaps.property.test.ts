import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import fc from '../support/fast-check.ts';
import { runs } from '../support/runs.ts';

const database = await createTestDatabase({ mayDisagree: 'gaps are counted without the activities behind them' });
await database.pool.query(`
  insert into accounts (name) values ('Acme');
  insert into workspaces (account_id, name, language) values (1, 'Acme', 'EN_CA');
  insert into activity_counters (workspace_id) values (1)`);

/** Writes the gap counts as declining these numbers would. The activities themselves are not needed. */
async function setGaps(total: number, declined: number[]): Promise<void> {
  await database.query('delete from activity_gaps');
  await database.query('update activity_counters set total = $1, declined = $2', [total, declined.length]);
  await database.query(
    `insert into activity_gaps (workspace_id, size, block, gaps)
     select 1, size, (number - 1) / size, count(*)
       from unnest($1::bigint[]) as number, unnest(array[1000, 1000000]) as size
      group by 2, 3`,
    [declined],
  );
}

// Near the ends of blocks of both sizes, where it is easy to be off by one, and anywhere else.
const number = (total: number) =>
  fc
    .oneof(
      fc.integer({ min: 1, max: total }),
      fc
        .integer({ min: 0, max: 3 })
        .chain((million) => fc.integer({ min: -3, max: 3 }).map((by) => million * 1e6 + by)),
      fc
        .integer({ min: 0, max: 40 })
        .chain((thousand) => fc.integer({ min: -2, max: 2 }).map((by) => thousand * 1e3 + by)),
    )
    .map((one) => Math.min(Math.max(one, 1), total));

const history = fc.oneof(fc.integer({ min: 1, max: 4_000 }), fc.integer({ min: 1, max: 3_500_000 })).chain((total) =>
  fc.record({
    total: fc.constant(total),
    declined: fc.uniqueArray(number(total), { maxLength: 60 }),
    run: fc.record({ from: number(total), length: fc.integer({ min: 0, max: 2_500 }) }),
    after: fc.array(fc.integer({ min: 0, max: total }), { minLength: 1, maxLength: 12 }),
  }),
);

test('a page is found by skipping less than one block, however many activities come before it', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ total, declined, run, after }) => {
      const inARow = Array.from({ length: run.length }, (_, nth) => run.from + nth).filter((one) => one <= total);
      const gaps = [...new Set([...declined, ...inARow])];
      await setGaps(total, gaps);
      for (const count of after.map((one) => Math.min(one, total - gaps.length))) {
        const [found] = await database.query<{ total: number; newest: number; skipped: number }>(
          'select * from find_activities(1, $1)',
          [count],
        );
        const { newest, skipped } = found as { newest: number; skipped: number };
        assert.equal(found?.total, total - gaps.length);
        assert.ok(skipped >= 0 && skipped < 1_000, `${skipped} are to be passed over`);
        const living = total - newest - gaps.filter((gap) => gap > newest).length;
        assert.equal(living + skipped, count);
      }
    }),
    { numRuns: runs(150) },
  );
  // There are no activities: the books of this database have to agree at its end.
  await setGaps(0, []);
});
