import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import { writeBackup } from '../../src/ground/backup/write.ts';
import { requestErasure } from '../../src/insight/rights/erasures.ts';
import { cleanUp } from '../support/cleanup.ts';
import { assertFailed, runJson } from '../support/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { giftwire, giftwireProcess, serve } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { findTraces } from '../support/traces.ts';
import { aShoutout, openWorkspace } from '../support/workspace.ts';

const tokenKey = 'a-key-of-the-tests-for-backups-long-enough';
const folder = await mkdtemp(join(tmpdir(), 'giftwire-erased-'));
cleanUp(() => rm(folder, { recursive: true }));

const empty = () => createTestDatabase({ template: 'template0' });
const people = [
  { email: 'tomas.rivera@example.com', firstName: 'Tomás', lastName: 'Rivera', employeeNumber: 'TR-70433' },
  { email: 'ada@example.com', firstName: 'Ada', lastName: 'Okafor' },
  { email: 'tomas.twin@example.com', firstName: 'Tomás', lastName: 'Rivera' },
];
const traces = ['tomas.rivera', 'tomas.twin', 'Tomás', 'TR-70433'];

/** A company with a backup, in which Tomás was merged with his other record and erased afterwards. */
async function eraseAfterBackup() {
  const backups = await mkdtemp(join(folder, 'backups-'));
  const service = await startService({ tokenKey, backupFolder: backups, backupHour: 0 });
  const { database } = service;
  const workspace = await openWorkspace(service, { people, actsAs: 'ada@example.com' });
  const [tomas = 0, , twin = 0] = workspace.memberIds;
  await workspace.gift({ email: 'tomas.rivera@example.com' });
  await workspace.given(aShoutout({ recipient: { email: 'tomas.twin@example.com' }, message: 'Thanks, Tomás Rivera' }));
  const { file } = await writeBackup(database, `${backups}.backup`, null);
  await workspace.merge(twin, tomas);
  const { gifts } = await workspace.read<{ gifts: { id: number }[] }>('/api/v1/gifts');
  await workspace.cancelGift(gifts[0]?.id);
  await database.transaction((tx) => requestErasure(tx, atTheCommandLine, workspace.id, tomas));
  await database.query(`update erasures set due_at = now() where workspace_id = $1`, [workspace.id]);
  const list = await eventually(async () =>
    (await readdir(backups)).find((name) => /^giftwire-erased-.*\.json$/.test(name)),
  );
  await eventually(async () => (await findTraces(database, traces)).length === 0);
  await service.stop();
  return { workspace, tomas, twin, file, list: join(backups, list as string), backups };
}

const envOf = (url: string) => ({ DATABASE_URL: url, GIFTWIRE_TOKEN_KEY: tokenKey, GIFTWIRE_ENV: 'test' });

test('a restored database is served only after people who were erased after the backup are erased again', async () => {
  const { workspace, tomas, twin, file, list } = await eraseAfterBackup();
  const kept = JSON.parse(await readFile(list, 'utf8'));
  assert.deepEqual(
    kept.erased.map((one: object) => Object.values(one)),
    [tomas, twin].sort((a, b) => a - b).map((id) => [workspace.id, id]),
  );
  const target = await empty();
  const env = envOf(target.url);
  const restored = await giftwireProcess(['restore', file, '--unencrypted'], env);
  assert.equal(restored.code, 0, restored.stderr);
  assert.match(restored.stdout, /people may have been erased after its backup/);
  assert.equal((await findTraces(target, traces)).length > 0, true);
  const { code, stdout } = await giftwire(['doctor'], { ...env, PORT: '1' });
  assert.match(stdout, /✗ erasures +the database was restored/);
  assert.equal(code, 31, stdout);
  const refused = await giftwireProcess(['serve'], { ...env, PORT: '0' });
  assert.equal(refused.code, 1);
  assert.match(refused.stdout + refused.stderr, /giftwire erasures apply <list>/);
  const other = join(folder, 'other.json');
  await writeFile(
    other,
    (await readFile(list, 'utf8')).replace(kept.installation, '00000000-0000-4000-8000-000000000000'),
  );
  assertFailed(await giftwire(['erasures', 'apply', other], env), /list of another installation/);
  assertFailed(await giftwire(['erasures', 'apply', file], env), /is no list of erased people/);
  assert.deepEqual(await runJson(['erasures', 'apply', list], env), { erased: 2, unclear: 0 });
  assert.deepEqual(await findTraces(target, traces), []);
  assert.doesNotMatch((await giftwire(['doctor'], { ...env, PORT: '1' })).stdout, / erasures /);
  const again = await serve(env);
  await again.end('SIGTERM');
  const printed = await giftwire(['erasures', 'list'], env);
  assert.deepEqual(JSON.parse(printed.stdout).erased, kept.erased);
});

test('the list beside the backup is applied by the restore itself, and the one in the folder by the service at its start', async () => {
  const { file, list, backups } = await eraseAfterBackup();
  const [named, inFolder] = [await empty(), await empty()];
  const restored = await runJson(['restore', file, '--unencrypted', '--erased', list], envOf(named.url));
  assert.equal(restored.erasedAgain, 2);
  assert.deepEqual(await findTraces(named, traces), []);
  await runJson(['restore', file, '--unencrypted'], envOf(inFolder.url));
  const served = await serve({ ...envOf(inFolder.url), GIFTWIRE_BACKUP_FOLDER: backups });
  assert.deepEqual(await findTraces(inFolder, traces), []);
  await served.end('SIGTERM');
});

test('an operator says that nobody was erased after the backup', async () => {
  const service = await startService({ tokenKey });
  const { file } = await writeBackup(service.database, join(folder, 'none.backup'), null);
  await service.stop();
  const target = await empty();
  const restored = await runJson(['restore', file, '--unencrypted', '--none-erased'], envOf(target.url));
  assert.equal(restored.erasedAgain, 0);
  const served = await serve(envOf(target.url));
  await served.end('SIGTERM');
});
