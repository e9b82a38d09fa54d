import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planBackfills } from '../../src/company/workspaces/backfills.ts';
import { planMigrations } from '../../src/ground/database/plan.ts';
import { readSchema } from '../../src/ground/database/schema.ts';
import { createTestDatabase } from '../support/database.ts';
import { copyMigrations } from '../support/migrations.ts';
import { giftwire } from '../support/process.ts';
import { restoreRelease } from '../support/releases.ts';

test('migrate --plan says what would run on a database of a release, and changes nothing', async () => {
  const { database } = await restoreRelease('0.7.0');
  const before = await readSchema(database);
  const env = { DATABASE_URL: database.url };
  const { code, stdout } = await giftwire(['migrate', '--plan'], env);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^0037_background_migrations +one transaction +at once$/m);
  assert.match(stdout, /^Nodes of the release before go on serving meanwhile\.$/m);
  const { migrations } = JSON.parse((await giftwire(['migrate', '--plan', '--json'], env)).stdout);
  assert.deepEqual(
    migrations.map(({ name }: { name: string }) => name),
    before.pending,
  );
  assert.deepEqual(await readSchema(database), before);

  await giftwire(['migrate'], env);
  assert.equal((await giftwire(['migrate', '--plan'], env)).stdout, 'The schema is up to date.\n');
});

test('migrate --plan says that all nodes are to be stopped for the migrations up to 0.7.0', async () => {
  const { database } = await restoreRelease('0.6.0');
  const { stdout } = await giftwire(['migrate', '--plan'], { DATABASE_URL: database.url });
  assert.match(stdout, /^Stop all nodes first: /m);
});

test('the plan counts the tables whose rows are read, and not those whose catalogue changes', async () => {
  const database = await createTestDatabase({ mayDisagree: 'it has rows of its own' });
  await database.query(
    `create table shelf as select n as id, repeat('x', 200) as book from generate_series(1, 200000) n`,
  );
  await database.query('analyze shelf');
  const folder = await copyMigrations({
    '9001_column': 'alter table shelf add column colour text;',
    '9002_index': '-- resumable\ncreate index concurrently shelf_id on shelf (id);\nselect 1;',
  });
  const [column, index] = await planMigrations(database, folder);
  assert.deepEqual([column?.kind, column?.seconds, column?.tables], ['transaction', 0, []]);
  assert.deepEqual([index?.kind, index?.statements, index?.tables], ['resumable', 2, ['shelf']]);
  assert.ok(index && index.seconds >= 1 && index.seconds <= 10, `${index?.seconds} s`);
  const backfill = { name: 'colours', table: 'shelf', fill: async () => null };
  assert.deepEqual(await planBackfills(database, [backfill]), [{ name: 'colours', rows: 200_000, seconds: 80 }]);
});
