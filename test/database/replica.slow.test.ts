import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../../src/ground/database/database.ts';
import { administrator, connectionUrl } from '../../src/ground/database/embedded/roles.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { ask, copyPrimary, initialise, startServer } from '../support/own-server.ts';
import { giftwire } from '../support/process.ts';
import { Scope } from '../support/scope.ts';
import { startService, type TestService } from '../support/service.ts';
import { findServers, withoutStockServer } from '../support/stock.ts';

const options = { skip: withoutStockServer };
const [bin = ''] = findServers();
const urlOf = (data: string) => connectionUrl(data, administrator, 'postgres');

interface Pair {
  service: TestService;
  replicaUrl: string;
  /** On the replica, as its administrator. */
  tell(sql: string): Promise<Record<string, unknown>[]>;
  stopReplica(): Promise<void>;
  startReplica(): Promise<void>;
  /** How many reads the replica has answered. */
  answered(): Promise<number>;
  warnings(): unknown[];
}

/** A service whose reports read from a replica. */
async function startPair(): Promise<Pair> {
  const folder = await mkdtemp(join(tmpdir(), 'giftwire-replica-'));
  await chmod(folder, 0o755);
  cleanUp(() => rm(folder, { recursive: true, force: true }));
  const scope = new Scope(false, 3);
  const [primary, replica] = [join(folder, 'primary'), join(folder, 'replica')];
  await initialise(bin, primary);
  await startServer(scope, bin, primary);
  cleanUp(() => scope.close());
  await copyPrimary(bin, primary, replica);
  let child: ChildProcess = await startServer(scope, bin, replica);
  const url = urlOf(primary);
  const database = openDatabase({ url, maxConnections: 2, statementTimeoutMs: 30_000, name: 'test' });
  cleanUp(() => database.close());
  const service = await startService({
    database: { ...database, name: 'postgres' },
    reportsDatabaseUrl: urlOf(replica),
    reportsLagMs: 1_000,
  });
  return {
    service,
    replicaUrl: urlOf(replica),
    tell: (sql) => ask(urlOf(replica), sql),
    async stopReplica() {
      child.kill('SIGINT');
      await once(child, 'exit');
    },
    async startReplica() {
      child = await startServer(scope, bin, replica);
    },
    async answered() {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      return Number(/^giftwire_replica_reads_total\{server="replica"\} (\d+)$/m.exec(text)?.[1] ?? 0);
    },
    warnings: () => service.logLines().flatMap(({ msg }) => (String(msg).startsWith('Reports read from') ? [msg] : [])),
  };
}

async function listed(service: TestService): Promise<string[]> {
  const { status, body } = await service.call<{ orders: { requestId: string }[] }>('/api/v1/orders?size=1000');
  assert.equal(status, 200);
  return body.orders.map(({ requestId }) => requestId);
}

/** Creates orders one after the other, and reads the list after each. */
async function expectOwnWrites(service: TestService, count: number): Promise<void> {
  for (let nth = 0; nth < count; nth++) {
    const { body } = await service.create(anOrder());
    assert.ok((await listed(service)).includes(body.requestId), `order ${nth} is in the list`);
  }
}

test(
  'lists, files and verification read from the replica, and callers see their own changes there',
  options,
  async () => {
    const { service, answered } = await startPair();
    await expectOwnWrites(service, 30);
    const lists = await answered();
    assert.ok(lists >= 30, `${lists} reads`);
    const order = await service.fulfilled(anOrder({ orderItems: Array.from({ length: 300 }, () => aGift()) }));
    const file = await fetch(`${service.url}/api/v1/redemptions`, {
      headers: {
        Authorization: `Bearer ${service.token}`,
        'X-Workspace-id': `${service.workspaceId}`,
        Accept: 'text/csv',
      },
    });
    assert.equal(file.status, 200);
    await file.text();
    const recognized = await service.call<{ totalElements: number }>('/api/v1/reports/members/last-recognized');
    assert.ok(recognized.body.totalElements > 0);
    assert.equal(order.totalElements, 300);
    const before = await answered();
    const verified = await service.call<{ agrees: boolean }>('/api/v1/ledger/verify');
    assert.deepEqual([verified.status, verified.body.agrees], [200, true]);
    await eventually(answered, (count) => count > before);
  },
);

test(
  'while the replica is behind or away, reads come from the primary, and afterwards from the replica again',
  options,
  async () => {
    const pair = await startPair();
    const { service, tell, answered, warnings } = pair;
    await expectOwnWrites(service, 1);
    const readAgain = async () => {
      const before = await answered();
      await eventually(
        async () => {
          await listed(service);
          return answered();
        },
        (count) => count > before,
      );
    };
    await tell('select pg_wal_replay_pause()');
    await expectOwnWrites(service, 2);
    assert.deepEqual(warnings(), ['Reports read from the primary: the replica is behind.']);
    await tell('select pg_wal_replay_resume()');
    await readAgain();
    assert.deepEqual(warnings().slice(1), ['Reports read from the replica again.']);

    await pair.stopReplica();
    await expectOwnWrites(service, 3);
    assert.deepEqual(warnings().slice(2), ['Reports read from the primary: the replica is unreachable.']);
    await pair.startReplica();
    await readAgain();
    assert.equal(warnings().length, 4);
  },
);

test('a server that is no replica of this database, or no longer, answers nothing', options, async () => {
  const { service, replicaUrl, tell, answered } = await startPair();
  await expectOwnWrites(service, 2);
  const doctor = async () => {
    const env = { DATABASE_URL: service.database.url, GIFTWIRE_REPORTS_DATABASE_URL: replicaUrl };
    const { stdout } = await giftwire(['doctor', '--json'], env);
    const { findings } = JSON.parse(stdout) as { findings: { check: string; ok: boolean; detail: string }[] };
    return findings.find(({ check }) => check === 'replica');
  };
  assert.equal((await doctor())?.ok, true);
  await tell('select pg_promote()');
  assert.match((await doctor())?.detail ?? '', /is no replica of DATABASE_URL: that server takes writes/);
  const before = await answered();
  await expectOwnWrites(service, 3);
  assert.equal(await answered(), before);
});
