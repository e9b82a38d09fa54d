import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { revokeToken } from '../../src/company/access/tokens.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { examineServers } from '../../src/doors/cli/doctor-servers.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { administrator, connectionUrl } from '../../src/ground/database/embedded/roles.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { anOrder } from '../support/orders.ts';
import { ask, copyPrimary, initialise, startServer } from '../support/own-server.ts';
import { Scope } from '../support/scope.ts';
import { startService, type TestService } from '../support/service.ts';
import { findServers, withoutStockServer } from '../support/stock.ts';
import { familyOf, signal } from '../support/system.ts';

const options = { skip: withoutStockServer };
const [bin = ''] = findServers();

interface Server {
  data: string;
  child: ChildProcess;
  stop(): Promise<void>;
  start(): Promise<void>;
}

const urlOf = ({ data }: Server) => connectionUrl(data, administrator, 'postgres');
const administer = (server: Server, sql: string) => ask<Record<string, unknown>>(urlOf(server), sql);

/** A primary with a standby, and a service that knows both, the standby first. */
async function startBoth() {
  const folder = await mkdtemp(join(tmpdir(), 'giftwire-servers-'));
  await chmod(folder, 0o755);
  cleanUp(() => rm(folder, { recursive: true, force: true }));
  const scope = new Scope(false, 3);
  const start = async (name: string): Promise<Server> => {
    const data = join(folder, name);
    const server: Server = {
      data,
      child: await startServer(scope, bin, data),
      async stop() {
        server.child.kill('SIGINT');
        await once(server.child, 'exit');
      },
      async start() {
        server.child = await startServer(scope, bin, data);
      },
    };
    return server;
  };
  await initialise(bin, join(folder, 'one'));
  const primary = await start('one');
  cleanUp(() => scope.close());
  await copyPrimary(bin, primary.data, join(folder, 'two'));
  const standby = await start('two');
  const url = `postgres://${administrator}@localhost/postgres?host=${standby.data},${primary.data}&target_session_attrs=read-write`;
  const database = openDatabase({ url, name: 'test', maxConnections: 2, statementTimeoutMs: 60_000 });
  const service = await startService({ databaseUrl: url, database: { ...database, name: 'postgres' } });
  cleanUp(() => database.close());
  return { primary, standby, service };
}

/** Waits until the standby has everything, so that nothing is lost, and lets it take over. */
async function takeOver(primary: Server, standby: Server, end: () => Promise<unknown> | unknown): Promise<void> {
  const [written] = await administer(primary, 'select pg_current_wal_lsn() as lsn');
  await eventually(async () => {
    const [row] = await administer(standby, `select pg_last_wal_replay_lsn() >= '${written?.lsn}' as holds`);
    return row?.holds === true;
  });
  await end();
  await administer(standby, 'select pg_promote()');
}

async function isServing(service: TestService): Promise<boolean> {
  const { status, headers } = await service.call('/api/v1/orders', { method: 'POST', body: anOrder() });
  if (status !== 201) assert.deepEqual([status, headers.has('retry-after')], [503, true]);
  return status === 201;
}

/** Orders are fulfilled, and a token that is revoked there is rejected: the service listens to that server. */
async function expectServed(service: TestService, server: Server): Promise<void> {
  await eventually(() => isServing(service));
  await eventually(async () => (await service.fulfilled(anOrder())).state === 'COMPLETED');
  const { token, id } = await service.addToken();
  const read = async () => (await service.call('/api/v1/reports/teams/activity', { token })).status;
  await eventually(read, (status) => status === 200);
  await service.database.transaction((tx) => revokeToken(tx, theService, id));
  await eventually(read, (status) => status === 401);
  const [row] = await administer(
    server,
    `select count(*)::int as connections from pg_stat_activity where application_name = 'giftwire requests'`,
  );
  assert.notEqual(row?.connections, 0);
}

/** The primary hangs until another server has taken over, then it goes on as a primary. */
async function replaceHung({ primary, standby, service }: Awaited<ReturnType<typeof startBoth>>): Promise<void> {
  const all = (name: NodeJS.Signals) => {
    for (const pid of familyOf(primary.child.pid as number)) signal(pid, name);
  };
  cleanUp(async () => all('SIGCONT'));
  await expectServed(service, primary);
  await takeOver(primary, standby, () => all('SIGSTOP'));
  await expectServed(service, standby);
  all('SIGCONT');
}

test(
  'of several servers the service uses the one that takes writes, and after a kill the one that takes over',
  options,
  async () => {
    const { primary, standby, service } = await startBoth();
    await expectServed(service, primary);
    await takeOver(primary, standby, () => {
      for (const pid of familyOf(primary.child.pid as number)) signal(pid, 'SIGKILL');
    });
    await expectServed(service, standby);
  },
);

test(
  'when the primary hangs and another server takes over, connections to the one that hangs are cut',
  options,
  async () => {
    const { primary, standby, service } = await startBoth();
    await replaceHung({ primary, standby, service });
    await eventually(async () => {
      const [row] = await administer(
        primary,
        `select count(*)::int as left from pg_stat_activity where application_name like 'giftwire%'`,
      );
      return row?.left === 0;
    });
  },
);

test(
  'when the server takes no writes any more and another one does, its connections are dropped',
  options,
  async () => {
    const { primary, standby, service } = await startBoth();
    await expectServed(service, primary);
    await takeOver(primary, standby, async () => {
      await administer(primary, 'alter system set default_transaction_read_only = on');
      await administer(primary, 'select pg_reload_conf()');
    });
    await expectServed(service, standby);
  },
);

test('a server that was replaced and goes on gets no orders, also while the new one is away', options, async () => {
  const { primary, standby, service } = await startBoth();
  await replaceHung({ primary, standby, service });
  const countOrders = async () => (await administer(primary, 'select count(*)::int as orders from order_requests'))[0];
  const before = await countOrders();
  const away = familyOf(standby.child.pid as number);
  for (const pid of away) signal(pid, 'SIGSTOP');
  await eventually(async () => (await service.call('/health/ready', { token: null, workspace: null })).status === 503);
  for (let nth = 0; nth < 5; nth++) assert.equal(await isServing(service), false);
  assert.deepEqual(await countOrders(), before);
  for (const pid of away) signal(pid, 'SIGCONT');
  await expectServed(service, standby);
});

test('of two servers that take writes, a new process uses the one that has replaced the other', options, async () => {
  const { primary, standby } = await startBoth();
  const databaseUrl = `postgres://${administrator}@localhost/postgres?host=${primary.data},${standby.data}`;
  const [well] = await examineServers({ databaseUrl });
  assert.equal(well?.detail, `${primary.data} takes writes; ${standby.data} is a standby`);
  await takeOver(primary, standby, () => {});
  const [found] = await examineServers({ databaseUrl });
  assert.ok(found?.advice?.startsWith(`Stop ${primary.data} now: Giftwire uses ${standby.data}`), found?.advice);
  for (let nth = 0; nth < 5; nth++) {
    const hosts = nth % 2 === 0 ? [primary, standby] : [standby, primary];
    const url = `postgres://${administrator}@localhost/postgres?host=${hosts.map(({ data }) => data)}&fallback_application_name=process_${nth}`;
    const patience = { statementTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
    const database = openDatabase({ url, name: 'test', maxConnections: 1, ...patience });
    cleanUp(() => database.close());
    assert.deepEqual(await database.query('show data_directory'), [{ data_directory: standby.data }]);
  }
});

test('a failover that was undone is followed back, and a new history starts', options, async () => {
  const { primary, standby, service } = await startBoth();
  await replaceHung({ primary, standby, service });
  const readLatest = async (server: Server) =>
    (await administer(server, 'select base::float8, reason from histories order by base desc limit 1'))[0];
  const lost = await readLatest(standby);
  // As pg_rewind does: the server that had taken over follows the former primary again.
  await standby.stop();
  await rm(standby.data, { recursive: true });
  await copyPrimary(bin, primary.data, standby.data);
  await standby.start();
  await expectServed(service, primary);
  const now = await readLatest(primary);
  assert.match(String(now?.reason), /lacks a history that it had/);
  assert.ok(Number(now?.base) > Number(lost?.base));
});

test(
  'an order whose commit stopped waiting for the standby gets 503, and its retry gets the one order',
  options,
  async () => {
    const { primary, service } = await startBoth();
    const headers = { 'Idempotency-Key': 'one-order' };
    const order = { method: 'POST', body: anOrder(), headers };
    await administer(primary, `alter system set synchronous_standby_names = 'none_of_this_name'`);
    await administer(primary, 'select pg_reload_conf()');
    await eventually(async () => {
      const [row] = await administer(primary, 'show synchronous_standby_names');
      return row?.synchronous_standby_names === 'none_of_this_name';
    });
    let isAnswered = false;
    const pending = service.call('/api/v1/orders', order).finally(() => {
      isAnswered = true;
    });
    // PostgreSQL then reports success, with a warning.
    await eventually(async () => {
      await administer(primary, `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`);
      return isAnswered;
    });
    const unsure = await pending;
    assert.equal(unsure.status, 503, JSON.stringify(unsure.body));
    assert.ok(unsure.headers.has('retry-after'));
    await administer(primary, 'alter system reset synchronous_standby_names');
    await administer(primary, 'select pg_reload_conf()');
    const again = await eventually(async () => {
      const found = await service.call('/api/v1/orders', order);
      return found.status === 201 && found;
    });
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    const [stored] = await administer(primary, 'select count(*)::int as orders from order_requests');
    assert.equal(stored?.orders, 1);
  },
);
