import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSnapshot } from '../../src/ground/database/contents.ts';
import { migrate } from '../../src/ground/database/migrate.ts';
import { readSchema } from '../../src/ground/database/schema.ts';
import { splitStatements, withoutComments } from '../../src/ground/database/statements.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { copyMigrations } from '../support/migrations.ts';

const readIndexes = (database: TestDatabase) =>
  database.query<{ name: string; isValid: boolean }>(
    `select indexrelid::regclass::text as name, indisvalid as "isValid"
       from pg_index where indexrelid::regclass::text like 'shelf%' order by 1`,
  );

test('statements are split where they end, and not in texts, comments, names and bodies of functions', () => {
  const statements = [
    `create table a (b text default ';''-- no comment')`,
    `-- first; second\ninsert into a values ('x')`,
    'do $$ begin perform 1; end $$',
    `do $body$ begin execute $$select 1;$$; end $body$`,
    '/* a; b */ select ";" from a',
  ];
  assert.deepEqual(splitStatements(`${statements.join(';\n')};\n-- end;\n`), statements);
  assert.equal(withoutComments(statements[1] as string), `insert into a values ('x')`);
  assert.equal(withoutComments(statements[0] as string), statements[0]);
});

test('a resumable migration continues after a failure: built indexes stay, and an invalid one is built again', async () => {
  const database = await createTestDatabase();
  await database.query('create table shelf (id int, book text)');
  await database.query(`insert into shelf values (1, 'a'), (2, 'b'), (2, 'c')`);
  const sql = `-- resumable
    create index concurrently shelf_book on shelf (book);
    alter table shelf add column if not exists colour text;
    create unique index concurrently shelf_id on shelf (id);`;
  const folder = await copyMigrations({ '9001_shelf': sql });
  await assert.rejects(migrate(database, folder), /could not create unique index/);
  assert.deepEqual((await readSchema(database, folder)).pending, ['9001_shelf']);
  const [oid] = await database.query(`select 'shelf_book'::regclass::oid as oid`);
  assert.deepEqual(await readIndexes(database), [
    { name: 'shelf_book', isValid: true },
    { name: 'shelf_id', isValid: false },
  ]);

  await database.query(`delete from shelf where book = 'c'`);
  await migrate(database, folder);
  assert.deepEqual((await readSchema(database, folder)).pending, []);
  assert.deepEqual(await database.query(`select 'shelf_book'::regclass::oid as oid`), [oid]);
  assert.deepEqual(
    (await readIndexes(database)).map(({ isValid }) => isValid),
    [true, true],
  );
});

test('nodes that start together build an index concurrently once, and none waits for the other for ever', async () => {
  const database = await createTestDatabase();
  await database.query('create table shelf (id int)');
  const folder = await copyMigrations({
    '9001_shelf': '-- resumable\ncreate index concurrently shelf_id on shelf (id);',
  });
  await Promise.all([migrate(database, folder), migrate(database, folder), migrate(database, folder)]);
  assert.deepEqual(await readIndexes(database), [{ name: 'shelf_id', isValid: true }]);
});

test('a migration does not queue others behind its lock: it gives up, lets them pass, and tries again', async () => {
  const database = await createTestDatabase();
  await database.query('create table shelf (id int)');
  const folder = await copyMigrations({ '9001_shelf': 'alter table shelf add column book text;' });
  const reader = await database.pool.connect();
  await reader.query('begin');
  await reader.query('select from shelf');
  const migration = migrate(database, folder);
  const waits = () =>
    database.query(
      `select from pg_locks where relation = 'shelf'::regclass and mode = 'AccessExclusiveLock' and not granted`,
    );
  await eventually(async () => (await waits()).length > 0);
  // Would wait until the reader has ended.
  await database.query('insert into shelf values (1)');
  await eventually(async () => (await waits()).length === 0);
  await reader.query('commit');
  reader.release();
  await migration;
  assert.deepEqual(await database.query('select id, book from shelf'), [{ id: 1, book: null }]);
});

test('a migration waits for a backup for as long as it takes, and says so; for another session it gives up and names it', async () => {
  const database = await createTestDatabase();
  await database.query('create table shelf (id int)');
  const folder = await copyMigrations({ '9001_shelf': 'alter table shelf add column book text;' });
  const said: string[] = [];
  const impatient = { say: (message: string) => said.push(message), attempts: 2 };
  let migration = Promise.resolve();
  await withSnapshot(database, async () => {
    let hasEnded = false;
    migration = migrate(database, folder, impatient).finally(() => {
      hasEnded = true;
    });
    const tries = () =>
      database.query(`select from pg_locks where relation = 'shelf'::regclass and mode = 'AccessExclusiveLock'`);
    for (let nth = 0; nth < 3; nth++) {
      await eventually(async () => (await tries()).length > 0);
      await eventually(async () => (await tries()).length === 0);
    }
    assert.equal(hasEnded, false);
  });
  await migration;
  assert.equal(said.length, 1);
  assert.match(
    said[0] as string,
    /^The migration waits until a backup is written \("giftwire backup", process \d+, open for \d+ s\)/,
  );

  const reader = await database.pool.connect();
  await reader.query(`begin; set application_name = 'a report'; select from shelf`);
  const next = await copyMigrations({
    '9001_shelf': 'alter table shelf add column book text;',
    '9002_shelf': 'alter table shelf add column colour text;',
  });
  await assert.rejects(migrate(database, next, impatient), {
    kind: 'setup',
    message: /for five minutes .*\("a report", process \d+, open for \d+ s\): end that transaction/,
  });
  reader.release(true);
  assert.match(said.at(-1) as string, /waits for another transaction \("a report"/);
  await migrate(database, next, impatient);
});

test('an index that is built concurrently while a backup is written says what it waits for', async () => {
  const database = await createTestDatabase();
  await database.query('create table shelf (id int)');
  const folder = await copyMigrations({
    '9001_shelf': '-- resumable\ncreate index concurrently shelf_id on shelf (id);',
  });
  const said: string[] = [];
  let migration = Promise.resolve();
  await withSnapshot(database, async () => {
    migration = migrate(database, folder, { say: (message) => said.push(message) });
    await eventually(async () => said.length > 0);
  });
  await migration;
  assert.match(said[0] as string, /waits until a backup is written/);
  assert.deepEqual(await readIndexes(database), [{ name: 'shelf_id', isValid: true }]);
});
