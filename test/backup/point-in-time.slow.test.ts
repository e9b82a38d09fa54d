import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openDatabase } from '../../src/ground/database/database.ts';
import { administrator, connectionUrl } from '../../src/ground/database/embedded/roles.ts';
import { readHistories } from '../../src/ground/database/history.ts';
import { verifyLedger } from '../../src/insight/books/verify.ts';
import { cleanUp } from '../support/cleanup.ts';
import type { TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { anOrder } from '../support/orders.ts';
import { ask, initialise, runAs, startServer } from '../support/own-server.ts';
import { patient } from '../support/postgres.ts';
import { Scope } from '../support/scope.ts';
import { startService } from '../support/service.ts';
import { findServers, withoutStockServer } from '../support/stock.ts';

const tokenKey = 'a-key-of-the-tests-for-backups-long-enough';

test('recovery to a point in time, as docs/operate.md says: what came later is lost, and never used again', {
  skip: withoutStockServer,
}, async () => {
  const bin = findServers()[0] as string;
  const folder = await mkdtemp(join(tmpdir(), 'giftwire-recovery-'));
  await chmod(folder, 0o711);
  cleanUp(() => rm(folder, { recursive: true }));
  const scope = new Scope(false, 3);
  cleanUp(() => scope.close());
  const [data, base, archive] = ['data', 'base', 'archive'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await initialise(bin, data);
  const { uid, gid } = await stat(data);
  for (const one of [base, archive]) {
    await mkdir(one, { mode: 0o700 });
    await chown(one, uid, gid);
  }
  const settings = [
    'archive_mode=on',
    `archive_command=test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`,
  ];
  const primary = await startServer(scope, bin, data, { settings });
  await ask(connectionUrl(data, administrator, 'postgres'), 'create database giftwire');

  const service = await startService({ tokenKey, database: open(data) });
  const before = await service.fulfilled(anOrder());
  const from = ['--host', data, '--username', administrator, '--checkpoint=fast'];
  await runAs(base, join(bin, 'pg_basebackup'), ...from, '--pgdata', base);
  const after = await service.fulfilled(anOrder());
  const [{ now } = { now: '' }] = await ask<{ now: string }>(
    connectionUrl(data, administrator, 'postgres'),
    'select clock_timestamp()::text as now',
  );
  const lost = await service.fulfilled(anOrder());
  await service.stop();
  const [{ wal } = { wal: '' }] = await ask<{ wal: string }>(
    connectionUrl(data, administrator, 'postgres'),
    'select pg_walfile_name(pg_switch_wal()) as wal',
  );
  await eventually(async () => (await readdir(archive)).includes(wal));
  primary.kill('SIGQUIT');

  const recovered = join(folder, 'recovered');
  await promisify(execFile)('cp', ['-a', base, recovered]);
  const lines = [
    `restore_command = 'cp ${archive}/%f %p'`,
    `recovery_target_time = '${now}'`,
    `recovery_target_action = 'promote'`,
  ];
  await appendFile(join(recovered, 'postgresql.auto.conf'), `${lines.join('\n')}\n`);
  await writeFile(join(recovered, 'recovery.signal'), '');
  await chown(join(recovered, 'recovery.signal'), uid, gid);
  await rm(join(recovered, '.s.PGSQL.5432.lock'), { force: true });
  await startServer(scope, bin, recovered);
  await eventually(
    () => ask<{ is: boolean }>(connectionUrl(recovered, administrator, 'postgres'), 'select pg_is_in_recovery() as is'),
    ([row]) => row?.is === false,
  );
  for (const name of ['restore_command', 'recovery_target_time', 'recovery_target_action'])
    await ask(connectionUrl(recovered, administrator, 'postgres'), `alter system reset ${name}`);
  assert.doesNotMatch(await readFile(join(recovered, 'postgresql.auto.conf'), 'utf8'), /restore_command|recovery_/);

  const again = await startService({ tokenKey, database: open(recovered) });
  const later = await again.fulfilled(anOrder());
  const opens = async (gift: typeof later) => {
    const body = new URLSearchParams({ token: gift.certificates[0]?.longToken ?? '' });
    return (await fetch(`${again.url}/g`, { method: 'POST', body })).status;
  };
  assert.deepEqual(
    [await opens(before), await opens(after), await opens(lost), await opens(later)],
    [200, 200, 404, 200],
  );
  assert.ok((later.id as number) > (lost.id as number));
  assert.ok((later.certificates[0]?.id as number) > (lost.certificates[0]?.id as number));
  const [{ reason } = { reason: '' }] = await readHistories(again.database);
  assert.equal(reason, 'its timeline changed, by a failover or a point-in-time recovery');
  assert.deepEqual((await verifyLedger(again.database, { known: [] })).faults, []);
});

function open(data: string): TestDatabase {
  const url = connectionUrl(data, administrator, 'giftwire');
  const database = openDatabase({ url, name: 'test', maxConnections: 2, ...patient });
  cleanUp(() => database.close());
  return { ...database, name: 'giftwire' };
}
