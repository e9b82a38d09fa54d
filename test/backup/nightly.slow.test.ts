import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { checkBackup } from '../../src/ground/backup/check.ts';
import { noteBackup, readBackupState } from '../../src/ground/backup/log.ts';
import { backUpNightly } from '../../src/ground/backup/nightly.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';

const parent = await mkdtemp(join(tmpdir(), 'giftwire-nightly-'));
cleanUp(() => rm(parent, { recursive: true }));
const backupKey = Buffer.alloc(32, 7);
const running = new AbortController().signal;
let folders = 0;
const settings = () => ({ backupFolder: join(parent, `folder ${++folders}`), backupKey, backupHour: 2, backupKeep: 3 });

test('a worker writes the backup of the night, and doctor and metrics say how old it is', async () => {
  const { backupFolder, ...others } = settings();
  const service = await startService({ backupFolder, ...others });
  const { file, ageSeconds } = await eventually(
    () => readBackupState(service.database),
    (state) => state.file !== null,
  );
  assert.equal((await checkBackup(file as string, backupKey)).environment, 'test');
  assert.ok((ageSeconds as number) < 600);
  await eventually(async () =>
    service.logLines().some(({ msg }) => /^The nightly backup was written/.test(String(msg))),
  );
  const { body } = await service.call<string>('/metrics', { token: null, workspace: null });
  assert.match(body, /^giftwire_backup_age_seconds \d/m);
  assert.match(body, /^giftwire_backup_bytes [1-9]\d+$/m);
  assert.match(body, /^giftwire_backup_failures 0$/m);
  assert.match(body, /^giftwire_backup_nightly 1$/m);
  const env = { DATABASE_URL: service.database.url, GIFTWIRE_BACKUP_FOLDER: backupFolder };
  assert.match(
    (await giftwire(['doctor'], env)).stdout,
    /✓ backup +the last one is less than an hour old \(.*\.backup\); not encrypted/,
  );
});

test('several nodes write one backup a night, and the next one is due at the hour of the setting', async () => {
  const database = await createTestDatabase();
  const nightly = settings();
  const nodes = await Promise.all(Array.from({ length: 3 }, () => backUpNightly(database, nightly, running)));
  assert.equal(nodes.filter((done) => done !== null).length, 1);
  assert.equal(await backUpNightly(database, nightly, running), null);
  assert.equal((await readdir(nightly.backupFolder)).length, 1);
  // The hour that has just begun, and the next one.
  const hour = new Date().getUTCHours();
  await database.query(`update backups set started_at = date_trunc('hour', now()) - interval '1 minute'`);
  assert.equal(await backUpNightly(database, { ...nightly, backupHour: (hour + 1) % 24 }, running), null);
  assert.ok(await backUpNightly(database, { ...settings(), backupHour: hour }, running));
});

test('a node whose clock is behind writes one backup a night too, with the time of the database', async () => {
  const database = await createTestDatabase();
  const nightly = settings();
  mock.timers.enable({ apis: ['Date'], now: Date.now() - 3 * 86_400_000 });
  try {
    assert.ok(await backUpNightly(database, nightly, running));
    assert.equal(await backUpNightly(database, nightly, running), null);
  } finally {
    mock.timers.reset();
  }
  assert.equal((await readdir(nightly.backupFolder)).length, 1);
  assert.ok(((await readBackupState(database)).ageSeconds as number) < 3_600);
});

test('the newest backups stay, other files, backups by hand and of other installations stay, and drafts of a killed node are removed after a day', async () => {
  const database = await createTestDatabase();
  const { backupFolder, ...others } = settings();
  const nightly = { ...others, backupFolder: await mkdtemp(join(parent, 'kept-')) };
  const names = ['01', '02', '03', '04'].map((day) => `giftwire-2025-01-${day}T020000Z.backup`);
  const foreign = 'giftwire-2025-01-01T030000Z.backup';
  for (const name of names)
    await noteBackup(database, new Date(`${name.slice(9, 19)}T02:00:00Z`), {
      file: join(nightly.backupFolder, name),
      isNightly: true,
    });
  const byHand = 'giftwire-2025-01-01T040000Z.backup';
  await noteBackup(database, new Date('2025-01-01T04:00:00Z'), { file: join(nightly.backupFolder, byHand) });
  const drafts = [`${names[0]}.partial`, `${names[3]}.partial`];
  for (const name of [...names, foreign, byHand, ...drafts, 'giftwire.backup', 'notes.txt'])
    await writeFile(join(nightly.backupFolder, name), '');
  await utimes(join(nightly.backupFolder, drafts[0] as string), 1, 1);
  await backUpNightly(database, nightly, running);
  const left = (await readdir(nightly.backupFolder)).filter(
    (name) => !name.startsWith('giftwire-20') || name.startsWith('giftwire-2025'),
  );
  assert.deepEqual(
    left.sort(),
    ['giftwire.backup', foreign, byHand, names[2], names[3], drafts[1], 'notes.txt'].sort(),
  );
});

test('a backup that fails is noted, tried again an hour later, and a problem of its own exit code', async () => {
  const service = await startService();
  const { database } = service;
  const file = join(parent, 'a file');
  await writeFile(file, '');
  const nightly = { ...settings(), backupFolder: file };
  const failed = await backUpNightly(database, nightly, running);
  assert.ok(failed && 'failure' in failed);
  assert.equal(await backUpNightly(database, nightly, running), null);
  const { body } = await service.call<string>('/metrics', { token: null, workspace: null });
  assert.match(body, /^giftwire_backup_failures 1$/m);
  assert.match(body, /^giftwire_backup_nightly 0$/m);
  assert.match(body, /^giftwire_backup_age_seconds Nan$/im);
  const env = { DATABASE_URL: database.url, GIFTWIRE_BACKUP_FOLDER: file };
  const { stdout, code } = await giftwire(['doctor'], env);
  assert.match(
    stdout,
    /✗ backup +none was written yet; 1 attempt failed since \(.*EEXIST.*\)\n +→ The logs of the workers/,
  );
  assert.equal(code, 29, stdout);
  await database.query(`update backups set started_at = started_at - interval '1 hour'`);
  const again = await backUpNightly(database, { ...nightly, backupFolder: join(parent, 'another') }, running);
  assert.ok(again && 'file' in again);
  assert.equal((await readBackupState(database)).failures, 0);
  await database.query(`update backups set started_at = started_at - interval '37 hours'`);
  // As after a restore: no worker had time for one.
  assert.match((await giftwire(['doctor'], env)).stdout, /– backup +the last one is 37 hours old .*; a worker writes/);
  await database.query(`update histories set started_at = started_at - interval '3 hours'`);
  assert.match((await giftwire(['doctor'], env)).stdout, /✗ backup +the last one is 37 hours old/);
  assert.match(
    (await giftwire(['doctor'], { DATABASE_URL: database.url })).stdout,
    /– backup +the last one is 37 hours old .*; GIFTWIRE_BACKUP_FOLDER sets a nightly one/,
  );
});

test('a node that stops leaves no file behind, and the backup stays due', async () => {
  const database = await createTestDatabase();
  const nightly = settings();
  assert.equal(await backUpNightly(database, nightly, AbortSignal.abort()), null);
  assert.deepEqual(await readdir(nightly.backupFolder), []);
  assert.deepEqual(await database.query('select from backups'), []);
  assert.ok(await backUpNightly(database, nightly, running));
});

test('a backup by hand has its age told, and neither stands for the nightly one nor hides that those fail', async () => {
  const database = await createTestDatabase();
  const nightly = settings();
  const byHand = async (name: string) => {
    const to = join(parent, name);
    const { code, stderr } = await giftwire(['backup', '--to', to], { DATABASE_URL: database.url });
    assert.equal(code, 0, stderr);
    assert.equal((await readBackupState(database)).file, to);
  };
  await byHand('one.backup');
  const file = join(parent, 'no folder');
  await writeFile(file, '');
  const failed = await backUpNightly(database, { ...nightly, backupFolder: file }, running);
  assert.ok(failed && 'failure' in failed);
  await database.query(`update backups set started_at = started_at - interval '1 hour'`);
  await byHand('two.backup');
  assert.equal((await readBackupState(database)).failures, 1);
  const written = await backUpNightly(database, nightly, running);
  assert.ok(written && 'file' in written);
  assert.equal((await readBackupState(database)).failures, 0);
});
