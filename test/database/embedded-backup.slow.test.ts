import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { link, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../../src/ground/database/database.ts';
import { openEmbeddedServer } from '../../src/ground/database/embedded/server.ts';
import { readHistories } from '../../src/ground/database/history.ts';
import { migrate } from '../../src/ground/database/migrate.ts';
import { demoGifts } from '../support/demo-gifts.ts';
import { patient } from '../support/postgres.ts';
import { giftwireProcess, makeDataDir, serve } from '../support/process.ts';

/** As docs/operate.md says. */
function copy(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

test('the backup of the embedded database, put back after more work, starts a new history', async () => {
  const dataDir = await makeDataDir();
  const backup = `${dataDir}.backup`;
  const env = { GIFTWIRE_DATA_DIR: dataDir, GIFTWIRE_DEMO: '1' };
  const service = await serve(env);
  const { order, opens } = demoGifts(service);
  const kept = await order(service.url);
  await service.end('SIGTERM');
  copy(dataDir, backup);

  const losing = await serve(env);
  const lost = await order(losing.url);
  await losing.end('SIGTERM');
  await rename(dataDir, `${dataDir}.broken`);
  copy(backup, dataDir);

  const { stdout } = await giftwireProcess(['doctor', '--json'], env);
  const { findings } = JSON.parse(stdout) as { findings: { check: string; detail: string }[] };
  assert.match(
    findings.find(({ check }) => check === 'history')?.detail ?? '',
    /^new since .*: the data folder was copied/,
  );
  const restored = await serve(env);
  const later = await order(restored.url);
  assert.ok((later.id as number) > (lost.id as number) && later.id !== lost.id);
  assert.equal(await opens(restored.url, kept), 200);
  assert.equal(await opens(restored.url, later), 200);
  assert.equal(await opens(restored.url, lost), 404);
  await restored.end('SIGTERM');
  for (const folder of [backup, `${dataDir}.broken`]) await rm(folder, { recursive: true });
});

test('a program that puts back only the files that differ starts a new history too, and a plain start does not', async () => {
  const dataDir = await makeDataDir();
  const [backup, broken] = [`${dataDir}.backup`, `${dataDir}.broken`];
  const reasons = async () => {
    const server = await openEmbeddedServer({ dataDir, exclusive: true });
    await migrate(server);
    const database = openDatabase({ url: server.url, name: 'test', maxConnections: 1, ...patient });
    const histories = await readHistories(database);
    await database.query(`select nextval('order_ids')`);
    await database.close();
    await server.stop();
    return histories.map(({ reason }) => reason);
  };
  assert.deepEqual(await reasons(), ['created']);
  copy(dataDir, backup);
  assert.deepEqual(await reasons(), ['created']);
  await rename(dataDir, broken);
  copy(backup, dataDir);
  // This file never differs, so it stays.
  await rm(join(dataDir, 'postgres/PG_VERSION'));
  await link(join(broken, 'postgres/PG_VERSION'), join(dataDir, 'postgres/PG_VERSION'));
  assert.deepEqual(await reasons(), ['the data folder was copied', 'created']);
  for (const folder of [backup, broken]) await rm(folder, { recursive: true });
});
