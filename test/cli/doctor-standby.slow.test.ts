import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { examineServer } from '../../src/doors/cli/doctor-server.ts';
import { exitCodeOf } from '../../src/doors/cli/finding.ts';
import { readConfig } from '../../src/ground/config/config.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { administrator, connectionUrl } from '../../src/ground/database/embedded/roles.ts';
import { readStandbys } from '../../src/ground/database/standbys.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { ask, copyPrimary, initialise, startServer } from '../support/own-server.ts';
import { Scope } from '../support/scope.ts';
import { findServers, withoutStockServer } from '../support/stock.ts';

const [bin = ''] = findServers();

test('the doctor finds a standby that is behind', { skip: withoutStockServer }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'giftwire-standby-'));
  await chmod(folder, 0o755);
  cleanUp(() => rm(folder, { recursive: true, force: true }));
  const scope = new Scope(false, 3);
  const [primary, standby] = [join(folder, 'one'), join(folder, 'two')];
  const urlOf = (data: string) => connectionUrl(data, administrator, 'postgres');
  await initialise(bin, primary);
  await startServer(scope, bin, primary);
  cleanUp(() => scope.close());
  await copyPrimary(bin, primary, standby);
  await startServer(scope, bin, standby, { settings: ['wal_receiver_status_interval=1s'] });
  const url = urlOf(primary);
  const database = openDatabase({ url, name: 'test', maxConnections: 1, statementTimeoutMs: 60_000 });
  cleanUp(() => database.close());
  await database.query('create table written (at timestamptz)');

  const examine = async () => {
    await database.query('insert into written values (now())');
    const findings = await examineServer(database, { ...readConfig({}), databaseUrl: url }, { lagSeconds: 2 });
    const replication = findings.find(({ check }) => check === 'replication');
    return { ...replication, code: exitCodeOf(findings) };
  };
  const well = await eventually(examine, ({ detail, ok }) => ok === true && /behind/.test(detail ?? ''));
  assert.match(well.detail ?? '', /^1 standby, [01]\.\d s behind$/);
  await ask(urlOf(standby), 'select pg_wal_replay_pause()');
  const behind = await eventually(examine, ({ ok }) => ok === false);
  assert.match(behind.detail ?? '', /^1 standby, [2-9]\.\d s behind$/);
  assert.match(behind.advice ?? '', /a failover would lose this time/);
  assert.equal(behind.code, 20);

  // What a base backup connects with.
  const copy = spawn(join(bin, 'pg_receivewal'), ['--host', primary, '--username', administrator, '-D', folder], {
    env: { ...process.env, PGAPPNAME: 'pg_basebackup' },
    stdio: 'ignore',
  });
  const ended = once(copy, 'exit');
  cleanUp(() => ended);
  cleanUp(async () => void copy.kill());
  await eventually(async () => {
    const rows = await database.query(`select from pg_stat_replication where application_name = 'pg_basebackup'`);
    return rows.length === 1;
  });
  assert.equal((await readStandbys(database)).count, 1, 'a base backup does not count as a standby');
});
