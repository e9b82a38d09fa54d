import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { openDatabase } from '../../src/ground/database/database.ts';
import {
  checkHistory,
  type KnownDatabase,
  readHistories,
  startHistory,
  watchHistory,
} from '../../src/ground/database/history.ts';
import { readSessionState, type SessionState } from '../../src/ground/database/session-state.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { patient } from '../support/postgres.ts';

let processes = 0;

/** A process that checks its connections, as each URL is known separately. `seen` changes what the server says. */
async function openProcess({ url }: { url: string }) {
  const own = `${url}${url.includes('?') ? '&' : '?'}fallback_application_name=history_${++processes}`;
  const connect = async () => {
    const client = new pg.Client(own);
    await client.connect();
    cleanUp(() => client.end());
    return client;
  };
  const client = await connect();
  return {
    check: (seen: Partial<SessionState> = {}) =>
      checkHistory(client, own, async (withHistory) => ({
        ...(await readSessionState(client, 'select true', withHistory)),
        ...seen,
      })),
    checkOn: (other: pg.Client, before: () => Promise<unknown>, seen: Partial<SessionState> = {}) =>
      checkHistory(other, own, async (withHistory) => {
        const state = await readSessionState(other, 'select true', withHistory);
        await before();
        return { ...state, ...seen };
      }),
    watch: (known: KnownDatabase) => watchHistory(client, own, known),
    connect,
  };
}

/** The position in the server's log that a session sees. */
function position(known: KnownDatabase | null): number {
  return (known as KnownDatabase).walBytes;
}

const reasonsOf = async (database: Awaited<ReturnType<typeof createTestDatabase>>) =>
  (await readHistories(database)).map(({ reason }) => reason).toReversed();

const lost = 'the server lost what it had written';

test('a server that has written less than an open session has seen starts a new history', async () => {
  const database = await createTestDatabase();
  const node = await openProcess(database);
  const known = (await node.check()) as KnownDatabase;
  const atConnection = position(known);
  // Written after the last new connection, so that only the heartbeat can know of it.
  await database.query('create table written (id int)');
  const seen = await eventually(
    async () => {
      await node.watch(known);
      return position(known);
    },
    (now) => now > atConnection,
  );
  await node.check({ walBytes: seen });
  assert.deepEqual(await reasonsOf(database), ['created']);
  await node.check({ walBytes: seen - 1 });
  assert.deepEqual(await reasonsOf(database), ['created', lost]);
});

test('connections that are checked at the same time start one history', async () => {
  const database = await createTestDatabase();
  const [one, two] = [await openProcess(database), await openProcess(database)];
  const walBytes = position(await one.check());
  await two.check();
  const back = { walBytes: walBytes - 1 };
  // The state of one connection is read before another one starts the history, and is judged after it.
  await one.checkOn(await one.connect(), () => one.check(back), back);
  await one.checkOn(await one.connect(), () => two.check(back), back);
  await Promise.all([one.check(back), two.check(back)]);
  assert.deepEqual(await reasonsOf(database), ['created', lost]);
});

test('a database that lacks the history that a process has seen starts a new one', async () => {
  const database = await createTestDatabase();
  const [one, two] = [await openProcess(database), await openProcess(database)];
  const { id } = await startHistory(database, 'a failover');
  for (const node of [one, two]) assert.equal((await node.check())?.historyId, id);
  // Another standby takes over. It was promoted from the first primary too, so everything else is the same.
  await database.query('delete from histories where id = $1', [id]);
  for (const node of [one, two]) await node.check();
  assert.deepEqual(await reasonsOf(database), ['created', 'it lacks a history that it had']);
});

test('a history that an operator has started does not hide a later loss', async () => {
  const database = await createTestDatabase();
  const node = await openProcess(database);
  await node.check();
  await startHistory(database, 'on request');
  const known = (await node.check()) as KnownDatabase;
  await node.check({ walBytes: known.walBytes - 1 });
  assert.deepEqual(await reasonsOf(database), ['created', 'on request', lost]);
});

test('an open session ends when another history or another server is known', async () => {
  const database = await createTestDatabase();
  const node = await openProcess(database);
  const known = (await node.check()) as KnownDatabase;
  await node.watch(known);
  await startHistory(database, 'on request');
  await assert.rejects(node.watch(known), /another history/);
  const now = (await node.check()) as KnownDatabase;
  await node.watch(now);
  await node.check({ timeline: '0000002A' });
  await assert.rejects(node.watch(now), /another/);
});

test('a session on a standby, or on a database that is being restored, is rejected', async () => {
  const database = await createTestDatabase();
  const node = await openProcess(database);
  await assert.rejects(node.check({ isStandby: true }), { kind: 'unavailable' });
  // A restore creates tables, then rows, then keys.
  await database.query('alter table histories drop constraint histories_pkey');
  await assert.rejects(node.check(), { kind: 'unavailable' });
  await database.query('alter table histories add primary key (id)');
  await node.check();
  await database.query('alter table histories rename to histories_elsewhere');
  await assert.rejects(node.check(), { kind: 'unavailable' });
  await database.query('alter table histories_elsewhere rename to histories');
  await node.check();
  assert.deepEqual(await reasonsOf(database), ['created']);
});

test('a sequence that a restore sets back after the history has started starts another one', async () => {
  const database = await createTestDatabase();
  const node = await openProcess(database);
  const { base } = await startHistory(database, 'a restore');
  const known = (await node.check()) as KnownDatabase;
  await node.watch(known);
  await database.query(`select setval('webhook_ids', 1, false), setval('order_ids', 5)`);
  await assert.rejects(node.watch(known));
  const other = await openProcess(database);
  const third = await node.connect();
  // Sequences are ahead before the history is committed, so one of these may still see the history before.
  await Promise.all([node.check(), other.check(), node.checkOn(third, async () => {})]);
  const now = [await node.check(), await other.check()];
  assert.ok(now.every((one) => (one as KnownDatabase).base > base));
  const [next] = await database.query<{ webhook: number; order: number }>(
    `select nextval('webhook_ids') as webhook, nextval('order_ids') as order`,
  );
  const first = (now[0] as KnownDatabase).base + 1;
  assert.deepEqual(next, { webhook: first, order: first });
  assert.deepEqual(await reasonsOf(database), ['created', 'a restore', 'its sequences were set back']);
});

test('a database without tables is accepted, so that it can be migrated', async () => {
  const database = await createTestDatabase({ template: 'template0', mayDisagree: 'it has no tables' });
  assert.equal(await (await openProcess(database)).check(), null);
});

test('where the server hides its log, the oids tell a restored database', async () => {
  const database = await createTestDatabase();
  const hidden = { walBytes: null, systemIdentifier: null, timeline: null };
  const node = await openProcess(database);
  await node.check(hidden);
  await node.check(hidden);
  assert.deepEqual(await reasonsOf(database), ['created']);
  await node.check({ ...hidden, tableOid: '1' });
  assert.equal((await reasonsOf(database)).length, 2);
});

test('every pool checks its connections', async () => {
  const database = await createTestDatabase();
  await database.query(`update histories set table_oid = '1'`);
  const other = openDatabase({ url: `${database.url}&x=1`, name: 'test', maxConnections: 1, ...patient });
  cleanUp(() => other.close());
  await other.query('select 1');
  assert.equal((await reasonsOf(database)).length, 2);
});
