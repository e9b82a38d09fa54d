import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catchUpGifts } from '../../src/budgets/catch-up.ts';
import { verifyLedger } from '../../src/budgets/verify.ts';
import { migrate } from '../../src/database/migrate.ts';
import { balancesOf, checkLedger, setBudget } from '../support/budgets.ts';
import type { TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { giftsOf } from '../support/gifts.ts';
import { restoreRelease } from '../support/releases.ts';
import { startService } from '../support/service.ts';

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

test('what a node of the version before does to gifts is caught up', async () => {
  const { database, facts } = await restoreRelease('0.6.0');
  const old = await giftIds(database);
  await moveAsBefore(database, 1, old[2] as number, 'EXPIRED');
  await database.query(`update gift_log set at = at - interval '3 days'`);
  await migrate(database);
  await moveAsBefore(database, 1, old[2] as number, 'EXTENDED');
  await moveAsBefore(database, 1, old[0] as number, 'CANCELLED');
  await moveAsBefore(database, 1, old[1] as number, 'EXPIRED');
  assert.equal((await problems(database)).length, 3);
  const service = await startService({ database, tokenKey: facts.tokenKey });
  await eventually(
    () => problems(database),
    (said) => said.length === 0,
  );

  const { workspace, issue } = await giftsOf(service);
  const { id } = await setBudget(database, workspace.id, { amount: 75 });
  const [first, second, third] = (await issue(
    ...['a', 'b', 'c'].map((name) => ({ email: `${name}@example.com` })),
  )) as [number, number, number];
  for (const gift of [first, second, third]) await moveAsBefore(database, workspace.id, gift, 'EXPIRED');
  assert.equal(await catchUpGifts(database), 3);
  assert.deepEqual(await balancesOf(database, workspace.id, id), [75, 0, 0, 0]);
  await issue({ email: 'd@example.com' });
  // The budget has 50 left, and the gifts that can be claimed again cost 75.
  for (const gift of [first, second, third]) await moveAsBefore(database, workspace.id, gift, 'EXTENDED');
  await moveAsBefore(database, 1, old[1] as number, 'EXTENDED');
  assert.equal(await catchUpGifts(database), 4);
  assert.deepEqual(await balancesOf(database, workspace.id, id), [0, 0, 100, 0]);
  await checkLedger(database);
  assert.equal(await catchUpGifts(database), 0);
  await service.stop();
});

test('a state that somebody has changed with SQL, and a move long after the upgrade, stay faults', async () => {
  const { database } = await restoreRelease('0.6.0');
  await migrate(database);
  const [changed, late] = (await giftIds(database)) as [number, number];
  await database.query(`update certificates set state = 'CANCELLED' where id = $1`, [changed]);
  assert.equal(await catchUpGifts(database), 0);
  assert.match((await problems(database)).join(), /is CANCELLED and costs/);
  await database.query(`update migrations set run_on = run_on - interval '9 days'`);
  await moveAsBefore(database, 1, late, 'EXPIRED');
  assert.equal(await catchUpGifts(database), 0);
  assert.equal((await problems(database)).length, 2);
});
