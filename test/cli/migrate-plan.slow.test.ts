import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planBackfills } from '../../src/company/workspaces/backfills.ts';
import { serviceRole } from '../../src/ground/database/embedded/roles.ts';
import { planMigrations } from '../../src/ground/database/plan.ts';
import { readSchema } from '../../src/ground/database/schema.ts';
import { measureSpeed } from '../../src/ground/database/speed.ts';
import { administer, createTestDatabase } from '../support/database.ts';
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
  assert.match(stdout, /a short probe of this server \(\d+ MB\/s read and sorted, \d+ MB\/s written\)/);
  const { migrations } = JSON.parse((await giftwire(['migrate', '--plan', '--json'], env)).stdout);
  assert.deepEqual(
    migrations.map(({ name }: { name: string }) => name),
    before.pending,
  );
  assert.deepEqual(await readSchema(database), before);

  const applied = (await giftwire(['migrate'], env)).stdout;
  const [first, last] = [before.pending[0], before.pending.at(-1)];
  assert.equal(applied, `Applied ${before.pending.length} migrations: ${first} to ${last}.\n`);
  const afterwards = (await giftwire(['migrate', '--plan'], env)).stdout;
  assert.match(
    afterwards,
    /^The schema is up to date\.\nchain of the audit log: in the background, \d+ rows, at once\n(?:[\w ]+: in the background, \d+ rows, at once\n)+$/,
  );
});

test('before the first start, the doctor counts the migrations and names the first and the last', async () => {
  const database = await createTestDatabase({ template: 'template0' });
  const { pending } = await readSchema(database);
  const { code, stdout } = await giftwire(['doctor'], { DATABASE_URL: database.url, PORT: '1' });
  const line = stdout.split('\n').find((one) => one.includes(' migrations '));
  assert.equal(line, `✗ migrations   ${pending.length} pending: ${pending[0]} to ${pending.at(-1)}`);
  assert.equal(code, 12);
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
    '9003_update': 'update shelf set id = id + 1;',
  });
  const [size] = await database.query<{ bytes: number }>(`select pg_table_size('shelf')::float8 as bytes`);
  const bytes = size?.bytes as number;
  const speed = { read: bytes / 10, written: bytes / 40, isMeasured: true };
  const [column, index, update] = await planMigrations(database, speed, folder);
  assert.deepEqual([column?.kind, column?.seconds, column?.tables], ['transaction', 0, []]);
  assert.deepEqual([index?.kind, index?.statements, index?.tables], ['resumable', 2, ['shelf']]);
  assert.deepEqual([index?.seconds, update?.seconds], [10, 40]);
  const backfill = { name: 'colours', table: 'shelf', fill: async () => null };
  assert.deepEqual(await planBackfills(database, [backfill]), [{ name: 'colours', rows: 200_000, seconds: 80 }]);
});

test('the speed of the server is measured with a temporary table, or the usual one is named where a role may not create one', async () => {
  const database = await createTestDatabase();
  const tables = `select count(*)::int as count from pg_class where relname like 'speed_probe%'`;
  const { read, written, isMeasured } = await measureSpeed(database);
  assert.ok(isMeasured && read > 0 && written > 0);
  assert.deepEqual(await database.query(tables), [{ count: 0 }]);
  await administer(`revoke temporary on database ${database.name} from public, ${serviceRole}`);
  assert.equal((await measureSpeed(database)).isMeasured, false);
});
