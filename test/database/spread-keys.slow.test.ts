import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrate } from '../../src/ground/database/migrate.ts';
import { rowsBeforeSpreadKeys } from '../support/before-spread-keys.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { applyMigrations } from '../support/migrations.ts';

/** The migrations before the one that this file is about. */
const before = 7;
const foreignKey = { code: '23503' };

async function openFilled(): Promise<TestDatabase> {
  const database = await createTestDatabase({
    template: 'template0',
    mayDisagree: 'it has the schema of an early version',
  });
  await applyMigrations(database, before);
  await database.pool.query(rowsBeforeSpreadKeys);
  return database;
}

/** Every row of every table as text, by table. */
async function readEverything(database: TestDatabase): Promise<Record<string, string[]>> {
  const tables = await database.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migrations' order by 1`,
  );
  const contents: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await database.query<{ row: string }>(`select t::text as row from ${name} t order by 1`);
    contents[name] = rows.map(({ row }) => row);
  }
  return contents;
}

test('a filled database keeps every row, to the letter', async () => {
  const database = await openFilled();
  const contents = await readEverything(database);
  const empty = Object.keys(contents).filter((name) => contents[name]?.length === 0);
  assert.deepEqual(empty, [], 'every table of that version has rows');

  await applyMigrations(database, 1);

  assert.deepEqual(await readEverything(database), contents);
});

test('no row can refer to a team or a reason of another workspace', async () => {
  const database = await openFilled();
  const strays = [
    'update workspaces set default_team_id = 2 where id = 1',
    'update workspaces set default_reason_id = 2 where id = 1',
    'update members set team_id = 4 where workspace_id = 1 and id = 3',
    'insert into team_members (workspace_id, team_id, member_id) values (1, 4, 3)',
  ];
  for (const sql of strays) {
    const tx = database.transaction(async (on) => {
      await on.query(sql);
      throw new Error('let in');
    });
    await assert.rejects(tx, /let in/, `the version before lets it in: ${sql}`);
  }
  await applyMigrations(database, 1);
  for (const sql of strays) await assert.rejects(database.pool.query(sql), foreignKey, sql);
  for (const table of ['teams', 'reasons'])
    await assert.rejects(database.pool.query(`delete from ${table} where workspace_id = 1 and id = 1`), foreignKey);
});

test('a reference across workspaces that is there already stops the migration, which leaves all as it was', async () => {
  const database = await openFilled();
  await database.query('delete from migration_checksums');
  await database.query('update members set team_id = 4 where workspace_id = 1 and id = 3');
  const contents = await readEverything(database);
  await assert.rejects(migrate(database), {
    kind: 'setup',
    message: /table members .*\(workspace_id, team_id\)=\(1, 4\) is not present in table "teams".*Correct that row/,
  });
  assert.deepEqual(await readEverything(database), contents);
  await database.query('update members set team_id = 3 where workspace_id = 1 and id = 3');
  await migrate(database);
});

test('the version before can go on: what it writes and reads is not refused', async () => {
  const database = await openFilled();
  await applyMigrations(database, 1);
  const client = await database.pool.connect();
  try {
    // Its statements, as they were.
    await client.query(`insert into workspaces (account_id, name, language) values (1, 'Acme West', 'EN_CA')`);
    await client.query(
      `with team   as (insert into teams (workspace_id, name) values (4, 'Everyone') returning id),
            reason as (insert into reasons (workspace_id, description) values (4, 'Thank you') returning id),
            counter as (insert into activity_counters (workspace_id) values (4))
       update workspaces
          set default_team_id   = (select id from team),
              default_reason_id = (select id from reason)
        where id = 4`,
    );
    await client.query(`insert into members (workspace_id, team_id, first_name, is_integration)
                        select id, default_team_id, 'Payroll', true from workspaces where id = 4`);
    await client.query(`insert into api_token_workspaces (token_id, workspace_id, member_id)
                        select 2, workspace_id, id from members where workspace_id = 4`);
    await client.query(`update reasons set description = 'Very old times' where id = 4`);
    await client.query('update reasons set retired_at = now() where id = 3');
    await client.query('delete from teams where workspace_id = 1 and id = 6');
    const { rows } = await client.query(
      `select t.id, t.name from members m join teams t on t.id = m.team_id where m.workspace_id in (1, 4) order by m.id`,
    );
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['Everyone', 'Voice', 'Everyone', 'Everyone', 'Everyone'],
    );
    assert.equal(rows.at(-1).id, 7, 'the next of one sequence for all workspaces');
  } finally {
    client.release();
  }
});

test('while an export reads, the migration waits, and orders and reads are not held up behind it', async () => {
  const database = await openFilled();
  const reader = await database.pool.connect();
  await reader.query('begin; set local idle_in_transaction_session_timeout = 0; select from members');
  const migration = applyMigrations(database, 1);
  // Each look gets through as soon as the migration gives up for a while. Otherwise it would wait for the reader, which ends after all of them.
  for (let look = 0; look < 3; look++) {
    await eventually(async () => {
      const waits = await database.query(
        `select from pg_locks l join pg_database d on d.oid = l.database
          where d.datname = current_database() and not l.granted and l.relation = 'members'::regclass`,
      );
      return waits.length > 0;
    });
    await database.query(`update members set department = 'Voice' where workspace_id = 2 and id = 6`);
  }
  await reader.query('commit');
  reader.release();
  await migration;
  await assert.rejects(
    database.query('update members set team_id = 4 where workspace_id = 1 and id = 3'),
    (error: { cause?: { code: string }; code?: string }) => (error.code ?? error.cause?.code) === foreignKey.code,
  );
});
