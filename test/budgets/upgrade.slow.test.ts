import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrate } from '../../src/ground/database/migrate.ts';
import { verifyLedger } from '../../src/insight/books/verify.ts';
import { checkLedger } from '../support/budgets.ts';
import type { TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { restoreRelease } from '../support/releases.ts';

type Move = 'EXPIRED' | 'CANCELLED' | 'EXTENDED';

/** What a node of the version before does to a gift: state and log, and no entry. */
async function moveAsBefore(database: Pick<TestDatabase, 'query'>, workspaceId: number, id: number, type: Move) {
  await database.query(
    `with moved as (
       update certificates
          set state = case $3 when 'EXTENDED' then 'ISSUED' else $3 end
        where workspace_id = $1 and id = $2
       returning workspace_id, request_id, position
     )
     insert into gift_log (workspace_id, request_id, position, type, at, detail)
     select workspace_id, request_id, position, $3, clock_timestamp(), '{}' from moved`,
    [workspaceId, id, type],
  );
}

const giftIds = async (database: TestDatabase) =>
  (await database.query<{ id: number }>(`select id from certificates where state = 'ISSUED' order by id`)).map(
    ({ id }) => id,
  );

const problems = async (database: TestDatabase) => (await verifyLedger(database)).faults.map(({ problem }) => problem);

test('the books open with the gifts of the time before, also with those that have ended', async () => {
  const { database } = await restoreRelease('0.6.0');
  const [cancelled, expired] = (await giftIds(database)) as [number, number];
  await moveAsBefore(database, 1, cancelled, 'CANCELLED');
  await moveAsBefore(database, 1, expired, 'EXPIRED');
  await migrate(database);
  await checkLedger(database);
  const [gifts] = await database.query<{ issued: number; ended: number }>(
    `select sum(amount) filter (where state not in ('EXPIRED', 'CANCELLED')) as issued,
            count(*) filter (where state in ('EXPIRED', 'CANCELLED'))        as ended
       from certificates`,
  );
  const [book] = await database.query(
    `select b.kind, b.granted, b.issued, cardinality(e.requests) as ended
       from budgets b
       join ledger_entries e on e.budget_id = b.id and e.type = 'RETURNED'`,
  );
  assert.deepEqual(book, { kind: 'UNLIMITED', granted: gifts?.issued, issued: gifts?.issued, ended: gifts?.ended });
  assert.ok(gifts && gifts.ended >= 2);
});

test('a transaction of the version before that has looked at the schema ends before the books open', async () => {
  const { database } = await restoreRelease('0.6.0');
  const [gift] = (await giftIds(database)) as [number];
  let migration: Promise<void> | undefined;
  await database.transaction(async (tx) => {
    await tx.query('select name from migrations');
    migration = migrate(database);
    await eventually(
      () => database.query(`select from pg_locks where not granted and relation = 'migrations'::regclass`),
      (waiting) => waiting.length > 0,
    );
    await tx.query('select from activity_counters where workspace_id = 1 for update');
    await tx.query(`update members set first_name = 'Zoë' where workspace_id = 1 and id = 1`);
    await moveAsBefore(tx as TestDatabase, 1, gift, 'CANCELLED');
  });
  await migration;
  await checkLedger(database);
});

test('a state that was changed with SQL, and a move of a version before that still ran, are faults', async () => {
  const { database } = await restoreRelease('0.6.0');
  await migrate(database);
  const [changed, moved] = (await giftIds(database)) as [number, number];
  await database.query(`update certificates set state = 'CANCELLED' where id = $1`, [changed]);
  assert.match((await problems(database)).join(), /is CANCELLED and costs/);
  await moveAsBefore(database, 1, moved, 'EXPIRED');
  const found = await problems(database);
  assert.equal(found.filter((problem) => /its entries have returned/.test(problem)).length, 2);
  assert.ok(found.some((problem) => /One of the gifts .* was changed after seal/.test(problem)));
});
