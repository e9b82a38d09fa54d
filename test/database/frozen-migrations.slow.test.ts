import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/ground/database/database.ts';
import { migrate } from '../../src/ground/database/migrate.ts';
import { migrationsFolder, readSchema } from '../../src/ground/database/schema.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { copyMigrations } from '../support/migrations.ts';
import { giftwire } from '../support/process.ts';

test('merged migrations are never edited: the files match the committed checksums', async () => {
  const listed = await readFile(`${migrationsFolder}.sha256`, 'utf8');
  const files = (await readdir(migrationsFolder)).sort();
  const lines = files.map(async (file) => {
    const checksum = createHash('sha256').update(await readFile(join(migrationsFolder, file)));
    return `${checksum.digest('hex')}  migrations/${file}\n`;
  });
  assert.equal(
    (await Promise.all(lines)).join(''),
    listed,
    'write a new migration instead; a new one is listed with: cd src/ground/database && sha256sum migrations/*.sql > migrations.sha256',
  );
});

test("a database records its migrations' checksums, and a changed file is refused by name", async () => {
  const database = await createTestDatabase({ template: 'template0' });
  await migrate(database);
  const edited = await copyMigrations();
  await appendFile(join(edited, '0002_grant_changes.sql'), '\n-- One more remark.\n');
  await assert.rejects(migrate(database, edited), {
    kind: 'setup',
    message: /\(0002_grant_changes\.sql differs\): install Giftwire again/,
  });
  assert.deepEqual((await readSchema(database, edited)).edited, ['0002_grant_changes']);
  await migrate(database);

  // The other way round, through the program as it is run.
  await database.query(`update migration_checksums set sha256 = repeat('0', 64) where name = '0001_foundation'`);
  const env = { DATABASE_URL: database.url, PORT: '0' };
  for (const args of [['serve'], ['migrate'], ['workspace', 'list']]) {
    const { code, stdout, stderr } = await giftwire(args, env);
    assert.equal(code, 1, args[0]);
    assert.match(`${stdout}${stderr}`, /^[^\n]*0001_foundation\.sql differs[^\n]*\n$/);
  }
  assert.match((await giftwire(['doctor'], env)).stdout, /✗ migrations +.*0001_foundation\n +→ Install Giftwire again/);
});

test("no timeout interrupts a long migration, or the wait for another node's", async () => {
  const { url } = await createTestDatabase({ template: 'template0' });
  const hurried = openDatabase({ url, name: 'test', maxConnections: 4, statementTimeoutMs: 200 });
  cleanUp(() => hurried.close());
  await migrate(hurried);
  const folder = await copyMigrations();
  await writeFile(join(folder, '9998_slow.sql'), 'select pg_sleep(1.5);');
  const other = await hurried.pool.connect();
  await other.query('begin; set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0');
  await other.query('lock table migration_checksums');
  const migrations = Promise.all([migrate(hurried, folder), migrate(hurried, folder)]);
  await eventually(async () => {
    const waits = await hurried.query(`select from pg_stat_activity where datname = current_database()
                                          and application_name = 'giftwire migrations' and wait_event_type = 'Lock'`);
    // The other one asks for its turn again and again.
    return waits.length === 1;
  });
  await sleep(1_000);
  await other.query('rollback');
  other.release();
  await migrations;
  assert.deepEqual((await readSchema(hurried, folder)).pending, []);
});
