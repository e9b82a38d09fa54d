import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backfills } from '../../src/backfills.ts';
import { type Backfill, readBackfills, runBackfill, runBackfills } from '../../src/company/workspaces/backfills.ts';
import { eventually } from '../support/eventually.ts';
import { holdClock } from '../support/held-time.ts';
import { giftwire } from '../support/process.ts';
import { startService, type TestService } from '../support/service.ts';

const service = await startService({ tokenKey: 'the-key-of-the-test-of-backfills' });
const { database } = service;
// The tests count unfinished work: the service's own has to have ended.
await eventually(
  async () => (await readBackfills(database)).filter(({ isFinished }) => isFinished).length,
  (finished) => finished === backfills.length,
);

/** Two workspaces with rows, and one without. Each row counts how often it was filled. */
async function openShelves(name: string): Promise<Backfill> {
  await database.query(`create table ${name} (workspace_id bigint, id bigint, filled int not null default 0)`);
  const workspaces = await database.query<{ id: number }>('select id from workspaces order by id');
  for (const { id } of workspaces.slice(0, 2))
    await database.query(`insert into ${name} select $1, n from generate_series(1, 25) n`, [id]);
  await database.query(`analyze ${name}`);
  return {
    name: `fill ${name}`,
    table: name,
    async fill(tx, workspaceId, after, most) {
      const rows = await tx.query<{ id: number }>(
        `update ${name} set filled = filled + 1
          where workspace_id = $1
            and id in (select id from ${name} where workspace_id = $1 and id > coalesce($2::bigint, 0) order by id limit $3)
        returning id`,
        [workspaceId, after, most],
      );
      return rows.length === 0 ? null : { rows: rows.length, last: String(Math.max(...rows.map(({ id }) => id))) };
    },
  };
}

const filledOf = (table: string) =>
  database.query(`select filled, count(*)::int as rows from ${table} group by 1 order by 1`);
const stateOf = async ({ name }: Backfill) => (await readBackfills(database)).find((one) => one.name === name);

async function runToEnd(backfill: Backfill): Promise<void> {
  while (!(await stateOf(backfill))?.isFinished) await runBackfill(database, [backfill], 10);
}

async function addWorkspaces(on: TestService): Promise<void> {
  const known = await on.database.query<{ count: number }>('select count(*) as count from workspaces');
  for (let count = known[0]?.count ?? 0; count < 3; count++)
    await on.database.query(
      `insert into workspaces (id, account_id, name, language)
       select (select max(id) + 1 from workspaces), account_id, 'More', 'EN_CA' from workspaces limit 1`,
    );
}

test('a backfill fills each row once, workspace after workspace, with any number of nodes', async () => {
  await addWorkspaces(service);
  const backfill = await openShelves('one_shelf');
  await Promise.all([runToEnd(backfill), runToEnd(backfill), runToEnd(backfill)]);
  assert.deepEqual(await filledOf('one_shelf'), [{ filled: 1, rows: 50 }]);
  assert.deepEqual(await stateOf(backfill), {
    name: backfill.name,
    rowsDone: 50,
    rowsExpected: 50,
    isFinished: true,
    failures: 0,
    failure: null,
  });
  assert.equal(await runBackfill(database, [backfill]), null);
});

test('a batch that fails is noted and repeated, and the doctor and the metrics say how far it has come', async () => {
  const backfill = await openShelves('two_shelves');
  let isBroken = false;
  const fragile: Backfill = {
    ...backfill,
    async fill(tx, ...batch) {
      const filled = await backfill.fill(tx, ...batch);
      if (isBroken) await tx.query('select 1 / 0');
      return filled;
    },
  };
  await runBackfill(database, [fragile], 10);
  const env = { DATABASE_URL: database.url };
  const progress = /– background +fill two_shelves has filled 10 of about 50 rows/;
  assert.match((await giftwire(['doctor'], env)).stdout, progress);
  isBroken = true;
  await assert.rejects(runBackfill(database, [fragile], 10), /division by zero/);
  assert.deepEqual(await filledOf('two_shelves'), [
    { filled: 0, rows: 40 },
    { filled: 1, rows: 10 },
  ]);
  assert.match((await giftwire(['doctor'], env)).stdout, /✗ background .*has failed 1 time \(22012\)\n +→ The logs/);
  const body = await eventually(
    async () => (await service.call<string>('/metrics', { token: null, workspace: null })).body,
    (text) => /^giftwire_background_migrations_unfinished 1$/m.test(text),
  );
  assert.match(body, /^giftwire_background_migration_failures 1$/m);
  assert.match(body, /^giftwire_migrations_pending 0$/m);

  isBroken = false;
  await runToEnd(fragile);
  assert.deepEqual(await filledOf('two_shelves'), [{ filled: 1, rows: 50 }]);
  assert.doesNotMatch((await giftwire(['doctor'], env)).stdout, / background /);
});

test('a worker asks the database nothing about background work that has ended, for a minute', async (t) => {
  const pass = holdClock(t);
  const backfill = await openShelves('a_full_shelf');
  let statements = 0;
  const counting: typeof database = {
    ...database,
    query: (...asked) => {
      statements++;
      return database.query(...asked);
    },
  };
  const run = runBackfills(counting, [backfill]);
  while (!(await stateOf(backfill))?.isFinished) await run();
  await run();
  const before = statements;
  for (let nth = 0; nth < 10; nth++) await run();
  pass(59_999);
  await run();
  assert.equal(statements, before);
  // A database that was set back may have unfinished work again.
  await database.query('delete from background_migrations where name = $1', [backfill.name]);
  pass(1);
  await run();
  assert.equal((await stateOf(backfill))?.rowsDone, 25);
});
