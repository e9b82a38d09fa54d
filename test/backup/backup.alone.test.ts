import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createDemo } from '../../src/doors/demo/demo.ts';
import { giftTokenKeys } from '../../src/giving/gifts/token-keys.ts';
import { readKeyFile } from '../../src/ground/backup/key.ts';
import { restoreBackup } from '../../src/ground/backup/restore.ts';
import { writeBackup } from '../../src/ground/backup/write.ts';
import { parseTokenKeys } from '../../src/ground/config/texts.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { claimEnvironment } from '../../src/ground/database/environment.ts';
import { readHistories } from '../../src/ground/database/history.ts';
import { verifyLedger } from '../../src/insight/books/verify.ts';
import { declareNoneErased } from '../../src/insight/rights/erase-again.ts';
import { readWrongs } from '../support/books.ts';
import { cleanUp } from '../support/cleanup.ts';
import { assertFailed, runJson } from '../support/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { anOrder } from '../support/orders.ts';
import { patient } from '../support/postgres.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { readWhole } from '../support/whole-database.ts';

const tokenKey = 'a-key-of-the-tests-for-backups-long-enough';
const folder = await mkdtemp(join(tmpdir(), 'giftwire-backups-'));
cleanUp(() => rm(folder, { recursive: true }));

const keyFile = join(folder, 'key');
assert.equal((await giftwire(['backup', 'key', keyFile], {})).code, 0);

const empty = (mayDisagree?: string) =>
  createTestDatabase({ template: 'template0', ...(mayDisagree && { mayDisagree }) });

const demo = await createTestDatabase();
await claimEnvironment(demo, 'test');
await createDemo(demo, giftTokenKeys(parseTokenKeys(tokenKey)), () => {});
const env = { DATABASE_URL: demo.url, GIFTWIRE_TOKEN_KEY: tokenKey };
// What reports keep for later starts can be read again, so no backup has it.
await demo.query(`insert into report_snapshots select id, gen_random_uuid(), 'a', 1, now() from workspaces`);
const file = join(folder, 'demo.backup');
await runJson(['backup', '--to', file, '--key-file', keyFile], env);

test('a backup holds every row, key and index, and its file is closed to others', async () => {
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await stat(keyFile)).mode & 0o777, 0o600);
  const target = await empty();
  const restored = await runJson(['restore', file, '--key-file', keyFile], { ...env, DATABASE_URL: target.url });
  assert.deepEqual(restored.leftOut, []);
  assert.equal(restored.problem, null);
  assert.deepEqual(await target.query('select from report_snapshots'), []);
  await demo.query('delete from report_snapshots');
  const [before, after] = [await readWhole(demo), await readWhole(target)];
  for (const name of Object.keys({ ...before, ...after })) assert.deepEqual(after[name], before[name], name);
  assert.deepEqual((await verifyLedger(target, { known: [] })).faults, []);
  assert.deepEqual(
    (await readHistories(target)).map(({ reason }) => reason),
    ['the database was created again', 'created'],
  );
});

test('a gift that was sent before the backup opens afterwards, and nothing that was lost is used again', async () => {
  const service = await startService({ tokenKey });
  const kept = await service.fulfilled(anOrder());
  const { file: written } = await writeBackup(service.database, folder, null, {
    now: new Date('2026-11-18T02:00:00.123Z'),
  });
  assert.equal(written, join(folder, 'giftwire-2026-11-18T020000Z.backup'));
  const lost = await service.fulfilled(anOrder());
  await service.stop();

  const target = await empty();
  await restoreBackup(target, written, null, 'test');
  await declareNoneErased(target);
  const again = await startService({ tokenKey, database: target });
  const opens = async (token: string | undefined) =>
    (await fetch(`${again.url}/g`, { method: 'POST', body: new URLSearchParams({ token: token ?? '' }) })).status;
  const later = await again.fulfilled(anOrder());
  assert.equal(await opens(kept.certificates[0]?.longToken), 200);
  assert.equal(await opens(later.certificates[0]?.longToken), 200);
  assert.equal(await opens(lost.certificates[0]?.longToken), 404);
  assert.ok((later.id as number) > (lost.id as number));
  assert.ok((later.certificates[0]?.id as number) > (lost.certificates[0]?.id as number));
});

test('a backup that is written while orders are fulfilled shows one moment: its books agree', async () => {
  const service = await startService({ tokenKey });
  let isWritten = false;
  const ordering = Array.from({ length: 4 }, async () => {
    do await service.fulfilled(anOrder());
    while (!isWritten);
  });
  const { file: written } = await writeBackup(service.database, join(folder, 'busy.backup'), null).finally(() => {
    isWritten = true;
  });
  await Promise.all(ordering);
  const target = await empty();
  await restoreBackup(target, written, null, 'test');
  assert.deepEqual((await verifyLedger(target, { known: [] })).faults, []);
  assert.deepEqual(await readWrongs(target), []);
});

test('a restore never overwrites: a database with tables is rejected, with what to do', async () => {
  const outcome = await giftwire(['restore', file, '--key-file', keyFile], env);
  assertFailed(outcome, /^The database is not empty \(it has accounts, \w+, \w+\).*create an empty database/);
  const other = await empty('it has a view only');
  await other.query('create view guests as select 1 as id');
  const { stderr } = await giftwire(['restore', file, '--key-file', keyFile], { ...env, DATABASE_URL: other.url });
  assert.match(stderr, /is not empty \(it has guests\)/);
});

test('a damaged or cut off backup is detected, and its restore leaves an empty database', async () => {
  const key = await readKeyFile(keyFile);
  const target = await empty('it stays empty');
  const bytes = await readFile(file);
  const other = join(folder, 'damaged.backup');
  const attempt = async (expected: RegExp) => {
    const check = await giftwire(['backup', 'check', other, '--key-file', keyFile], env);
    assertFailed(check, expected);
    await assert.rejects(restoreBackup(target, other, key, 'test'), expected);
    const [left] = await target.query<{ tables: number }>(
      `select count(*)::int as tables from pg_class where relnamespace = 'public'::regnamespace`,
    );
    assert.equal(left?.tables, 0);
  };
  for (const part of [0.3, 0.6, 1]) {
    const changed = Buffer.from(bytes);
    const at = Math.ceil(part * bytes.length) - 1;
    changed[at] = (changed[at] as number) ^ 1;
    await writeFile(other, changed);
    await attempt(/^(Failure: )?The backup is damaged or not complete/);
  }
  await writeFile(other, bytes);
  await truncate(other, Math.floor(bytes.length / 2));
  await attempt(/^(Failure: )?The backup is damaged or not complete/);
  await writeFile(other, bytes.toString('latin1').replace('"environment":"test"', '"environment":"nest"'), 'latin1');
  assertFailed(await giftwire(['backup', 'check', other, '--key-file', keyFile], env), /damaged/);
  await writeFile(other, bytes.toString('latin1').replace('giftwire backup 1', 'giftwire backup 2'), 'latin1');
  await attempt(/is a backup of a newer version of Giftwire: install that version/);
  await writeFile(other, 'PGDMP');
  await attempt(/is not a backup of Giftwire/);
});

test('without its key, or with another one, a backup says which key it needs', async () => {
  assertFailed(await giftwire(['backup', 'check', file], env), /is encrypted \(key [0-9a-f]{12}\): name its key file/);
  const another = join(folder, 'another');
  await giftwire(['backup', 'key', another], {});
  assertFailed(
    await giftwire(['backup', 'check', file, '--key-file', another], env),
    /is encrypted with another key \([0-9a-f]{12}; this one is [0-9a-f]{12}\)/,
  );
  assertFailed(await giftwire(['backup', 'key', keyFile], {}), /exists already/);
  assertFailed(await giftwire(['backup', 'check', file, '--key-file', file], env), /is not a key of backups/);
  assert.equal(
    (await runJson(['backup', 'check', file], { ...env, GIFTWIRE_BACKUP_KEY_FILE: keyFile })).rows !== 0,
    true,
  );
  // Long enough not to be in random bytes.
  assert.ok(!(await readFile(file)).includes('ada@example.com'), 'no text of a table can be read');
});

test('where a key is given, a file that is not encrypted is rejected, unless the operator accepts it', async () => {
  const { file: plain } = await writeBackup(demo, join(folder, 'plain.backup'), null);
  const target = await empty();
  const withKey = { ...env, GIFTWIRE_BACKUP_KEY_FILE: keyFile };
  const rejected = /plain\.backup is not encrypted, although a key is given.*add --unencrypted/;
  assertFailed(await giftwire(['backup', 'check', plain, '--key-file', keyFile], env), rejected);
  assertFailed(await giftwire(['backup', 'check', plain], withKey), rejected);
  assertFailed(await giftwire(['restore', plain], { ...withKey, DATABASE_URL: target.url }), rejected);
  assert.equal((await runJson(['backup', 'check', plain, '--unencrypted'], withKey)).key, null);
  const { stdout } = await giftwire(['restore', plain, '--unencrypted'], { ...withKey, DATABASE_URL: target.url });
  assert.match(stdout, /^Restored the backup of .*\nEncrypted: no\.\n/);
  assertFailed(await giftwire(['backup', 'check', file, '--unencrypted'], withKey), /is encrypted \(key /);
});

test('a backup of a newer schema, or of the other environment, is rejected, and no file is overwritten', async () => {
  const key = await readKeyFile(keyFile);
  const target = await empty('it stays empty');
  await assert.rejects(
    restoreBackup(target, file, key, 'production'),
    /is of the test environment: set GIFTWIRE_ENV=test/,
  );
  const newer = await createTestDatabase();
  await newer.query(`insert into migrations (name, run_on) values ('9999_of_a_newer_version', now())`);
  const { file: written } = await writeBackup(newer, join(folder, 'newer.backup'), null);
  await assert.rejects(
    restoreBackup(target, written, null, 'test'),
    /newer version of Giftwire \(9999_of_a_newer_version\)/,
  );
  await assert.rejects(writeBackup(demo, written, null), /exists already: name another file/);
  await assert.rejects(writeBackup(target, join(folder, 'none.backup'), null), /there is nothing to back up/);
  await assert.rejects(
    writeBackup(demo, join(folder, 'missing', 'x.backup'), null),
    /There is no folder .*missing: create it, or name another one\./,
  );
  await assert.rejects(
    writeBackup(demo, `${join(folder, 'missing')}/`, null),
    /There is no folder .*missing: create it/,
  );
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.endsWith('.partial') || name.startsWith('none')),
    [],
  );
});

test('tables that are not of Giftwire are left out, and the restore says so', async () => {
  const source = await createTestDatabase();
  await source.query('create table notes_of_an_operator as select generate_series(1, 10) as n');
  const { file: written } = await writeBackup(source, join(folder, 'more.backup'), null);
  const target = await empty();
  const { leftOut } = await restoreBackup(target, written, null, 'test');
  assert.deepEqual(leftOut, ['notes_of_an_operator']);
});

test('a new history begins also where nothing but the restore tells the database from the other one', async () => {
  const target = await empty();
  const { file: written } = await writeBackup(demo, join(folder, 'same.backup'), null);
  await restoreBackup(target, written, null, 'test');
  const database = openDatabase({ url: target.url, name: 'test', maxConnections: 1, ...patient });
  cleanUp(() => database.close());
  assert.equal((await readHistories(database)).length, 2);
});
