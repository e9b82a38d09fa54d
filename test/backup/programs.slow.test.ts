import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { restoreBackup } from '../../src/ground/backup/restore.ts';
import { writeBackup } from '../../src/ground/backup/write.ts';
import { migrate } from '../../src/ground/database/migrate.ts';
import { readSchema } from '../../src/ground/database/schema.ts';
import { cleanUp } from '../support/cleanup.ts';
import { runJson } from '../support/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { demoGifts } from '../support/demo-gifts.ts';
import { eventually } from '../support/eventually.ts';
import { anOrder } from '../support/orders.ts';
import { giftwireProcess, makeDataDir, program, serve, shellEnv } from '../support/process.ts';
import { releases, restoreRelease } from '../support/releases.ts';
import { startService } from '../support/service.ts';
import { createStockDatabase, type StockServer, startStockServer, withoutStockServer } from '../support/stock.ts';
import { readWhole } from '../support/whole-database.ts';

const folder = await mkdtemp(join(tmpdir(), 'giftwire-backups-'));
await chmod(folder, 0o711);
cleanUp(() => rm(folder, { recursive: true }));
const tokenKey = 'a-key-of-the-tests-for-backups-long-enough';
const inKey = { GIFTWIRE_TOKEN_KEY: tokenKey };

test('a backup of the embedded database is written while it serves, and restored into an empty data folder', async () => {
  const [first, second] = [await makeDataDir(), await makeDataDir()];
  const service = await serve({ GIFTWIRE_DATA_DIR: first, GIFTWIRE_DEMO: '1', ...inKey });
  const { order, opens } = demoGifts(service);
  const kept = await order(service.url);
  const keyFile = join(folder, 'key');
  assert.equal((await giftwireProcess(['backup', 'key', keyFile], {})).code, 0);
  const file = join(folder, 'embedded.backup');
  const written = await giftwireProcess(['backup', '--to', file, '--key-file', keyFile], {
    GIFTWIRE_DATA_DIR: first,
    ...inKey,
  });
  assert.match(written.stdout, /^Wrote .*embedded\.backup \(\d+ kB, \d+ rows\) and read it again\.\nIts key is/);
  const lost = await order(service.url);
  await service.end('SIGTERM');

  const restored = await giftwireProcess(['restore', file, '--key-file', keyFile, '--none-erased'], {
    GIFTWIRE_DATA_DIR: second,
    ...inKey,
  });
  assert.match(restored.stdout, /^Restored the backup of .* Ids and numbers continue above \d{13}\./, restored.stderr);
  const again = await serve({ GIFTWIRE_DATA_DIR: second, ...inKey });
  assert.ok(((await order(again.url)).id as number) > (lost.id as number));
  assert.deepEqual([await opens(again.url, kept), await opens(again.url, lost)], [200, 404]);
  await again.end('SIGTERM');
});

test('a backup of any server is restored on any other', { skip: withoutStockServer }, async () => {
  const stock = await startStock();
  const source = await startService({ tokenKey });
  await source.fulfilled(anOrder());
  await source.stop();
  const before = await readWhole(source.database);
  const target = await createStockDatabase(stock, 'restored');
  const ours = await createTestDatabase({ template: 'template0' });
  const file = join(folder, 'embedded-to-stock.backup');
  await runJson(['backup', '--to', file], { DATABASE_URL: source.database.url, ...inKey });
  await runJson(['restore', file], { DATABASE_URL: target.url, ...inKey });
  assert.deepEqual(await rowsOf(target), rows(before));
  const back = join(folder, 'stock-to-embedded.backup');
  await runJson(['backup', '--to', back], { DATABASE_URL: target.url, ...inKey });
  await runJson(['restore', back], { DATABASE_URL: ours.url, ...inKey });
  assert.deepEqual(await readWhole(ours), before);
});

const rows = (whole: Record<string, unknown>) =>
  Object.entries(whole).map(([name, table]) => [name, (table as { rows: string[] }).rows]);
const rowsOf = async (database: Parameters<typeof readWhole>[0]) => rows(await readWhole(database));

async function startStock(): Promise<StockServer> {
  const server = await startStockServer(folder);
  cleanUp(server.stop);
  return server;
}

const recorded = readdirSync(releases).flatMap((name) => /^(.*)\.sql\.gz$/.exec(name)?.[1] ?? []);

test('a schema that is older than that of 0.7.0 is rejected, with what to do', async () => {
  const { database } = await restoreRelease('0.6.0');
  await assert.rejects(writeBackup(database, join(folder, 'older.backup'), null), /run "giftwire migrate" first/);
});

for (const release of recorded.filter((one) => !/^0\.[1-6]\./.test(one)))
  test(`a backup of a database of ${release} is restored, and migrated then`, async () => {
    const { database } = await restoreRelease(release);
    const { file } = await writeBackup(database, join(folder, `${release}.backup`), null);
    const target = await createTestDatabase({ template: 'template0', mayDisagree: 'the database of the release says' });
    await restoreBackup(target, file, null, 'test');
    assert.deepEqual((await readSchema(target)).pending, []);
    await migrate(database);
    const tables = ['orders', 'certificates', 'members', 'activities', 'order_requests', 'api_tokens'];
    for (const table of tables) {
      const [one, other] = [await count(database, table), await count(target, table)];
      assert.equal(one, other, table);
    }
  });

async function count(database: Parameters<typeof readWhole>[0], table: string): Promise<unknown> {
  return (await database.query<{ count: number }>(`select count(*) as count from ${table}`))[0]?.count;
}

test('a backup that is killed leaves no file with the name of a backup', async () => {
  const source = await createTestDatabase();
  // Large enough that it is not written at once.
  await source.query(
    `create table padding as select md5(random()::text) || md5(random()::text) as text from generate_series(1, 1000000)`,
  );
  const into = await mkdtemp(join(folder, 'killed-'));
  const env = shellEnv({ DATABASE_URL: source.url });
  const child = spawn(process.execPath, [program, 'backup', '--to', into], { env, stdio: 'ignore', detached: true });
  const ended = once(child, 'exit');
  await eventually(async () => (await readdir(into)).length > 0);
  process.kill(-(child.pid as number), 'SIGKILL');
  await ended;
  const left = await readdir(into);
  assert.equal(left.length, 1);
  assert.match(left[0] as string, /\.backup\.partial$/);
});
