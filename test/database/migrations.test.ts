import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrate } from '../../src/ground/database/migrate.ts';
import { previousRelease, readSchema } from '../../src/ground/database/schema.ts';
import { createTestDatabase } from '../support/database.ts';
import { copyMigrations } from '../support/migrations.ts';

test('a migration that fails leaves no trace, those before it stay, and the next start continues there', async () => {
  const database = await createTestDatabase();
  const one = { '9001_one': 'create table one (id int); insert into one values (1);' };
  const broken = { ...one, '9002_two': 'create table two (id int); select 1 / 0;', '9003_three': 'select 1;' };
  const folder = await copyMigrations(broken);
  await assert.rejects(migrate(database, folder), /division by zero/);
  assert.deepEqual((await readSchema(database, folder)).pending, ['9002_two', '9003_three']);
  assert.deepEqual(await database.query('select id from one'), [{ id: 1 }]);
  assert.deepEqual(await database.query(`select to_regclass('two') as two`), [{ two: null }]);

  await migrate(database, await copyMigrations({ ...broken, '9002_two': 'create table two (id int);' }));
  const applied = await database.query<{ name: string }>(
    `select name from migrations where name > '9' and run_on > localtimestamp - interval '1 hour' order by id`,
  );
  assert.deepEqual(
    applied.map(({ name }) => name),
    ['9001_one', '9002_two', '9003_three'],
  );
});

test('a database that 0.6.0 has migrated gets the column that older nodes read', async () => {
  const database = await createTestDatabase();
  await database.query('alter table migrations drop column previous_release');
  const folder = await copyMigrations({ '9001_one': 'select 1;' });
  const { pending, unknown } = await readSchema(database, folder);
  assert.deepEqual([pending, unknown], [['9001_one'], []]);
  await migrate(database, folder);
  const last = await database.query(`select name, previous_release as previous from migrations where name > '9'`);
  assert.deepEqual(last, [{ name: '9001_one', previous: previousRelease }]);
});

test('migrations are found in the schema public by a role whose tables are in a schema with its name', async () => {
  const database = await createTestDatabase();
  await database.query('create schema giftwire_service authorization giftwire_service');
  await migrate(database, await copyMigrations({ '9001_one': 'select 1;' }));
  const other = await database.query(`select to_regclass('giftwire_service.migrations') as other`);
  assert.deepEqual(other, [{ other: null }]);
});
