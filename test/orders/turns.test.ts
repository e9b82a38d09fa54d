import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { lockWorkspace } from '../../src/company/workspaces/lock.ts';
import { Fulfilment } from '../../src/giving/orders/fulfilment.ts';
import { claimPending, type PendingClaim, readBacklog } from '../../src/giving/orders/pending.ts';
import { Turns } from '../../src/giving/orders/turns.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { checkSchema } from '../../src/ground/database/schema.ts';
import { eventually } from '../support/eventually.ts';
import fc from '../support/fast-check.ts';
import { whileLocked } from '../support/held-locks.ts';
import { parseKeys } from '../support/keys.ts';
import { aGift } from '../support/orders.ts';
import { runs } from '../support/runs.ts';
import { startService, type TestService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const tokenKey = 'the-key-that-all-nodes-of-this-file-share';
const api = await startService({ tokenKey, role: 'api' });
const { database } = api;
const startWorker = () => startService({ tokenKey, role: 'worker', databaseUrl: database.url });

const emptyBacklog = () =>
  eventually(
    () => readBacklog(database),
    ({ depth }) => depth === 0,
  );

/** The requests of finished orders, in the order in which they were finished. */
const finished = async (on: TestService['database'] = database) =>
  (await on.query<{ requestId: string }>('select request_id as "requestId" from orders order by finished_at, id')).map(
    ({ requestId }) => requestId,
  );

test('an order of one gift does not wait for the backlog of another workspace', async () => {
  const [big, small] = [await openWorkspace(api), await openWorkspace(api)];
  const gifts = Array.from({ length: 1_000 }, (_, nth) => aGift({ recipient: { employeeNumber: `${nth}` } }));
  const backlog = await Promise.all(Array.from({ length: 8 }, () => big.submit(gifts)));
  const one = await small.submit([aGift()]);
  const worker = await startWorker();
  await emptyBacklog();
  const order = await finished();
  const last = Math.max(...backlog.map((requestId) => order.indexOf(requestId)));
  assert.ok(order.indexOf(one) >= 0 && order.indexOf(one) < last - 2, `${order.indexOf(one)} of ${last}`);
  await worker.stop();
});

test('an order is fulfilled while the locks of many other workspaces are held', async () => {
  // Without a limit on how long a lock is waited for: the turns of the others end only when their locks are released.
  const unlimited = openDatabase({ url: database.url, name: 'test', maxConnections: 8, statementTimeoutMs: null });
  const options = { database: unlimited, keys: parseKeys(tokenKey), checkSchema, steps: [], onPostponed() {} };
  const fulfilment = new Fulfilment(options);
  const locked = await Promise.all(Array.from({ length: 6 }, () => openWorkspace(api)));
  const neighbour = await openWorkspace(api);
  const waiting = await Promise.all(locked.map(({ submit }) => submit([aGift()])));
  const one = await neighbour.submit([aGift()]);
  const held = locked.map(({ id }) => id);
  await whileLocked(database.url, held, async () => {
    for (const id of [...held, neighbour.id]) fulfilment.wake(id);
    await eventually(finished, (done) => done.includes(one));
    const done = await finished();
    assert.ok(!waiting.some((requestId) => done.includes(requestId)));
  });
  await fulfilment.idle();
  const done = await finished();
  assert.ok(waiting.every((requestId) => done.includes(requestId)));
  await unlimited.close();
});

/** The gifts' messages, which are numbers here, in the order of their activities. */
async function messagesOf(workspaceId: number): Promise<number[]> {
  const rows = await database.query<{ message: string }>(
    `select c.message from activities a join certificates c using (workspace_id, request_id, position)
      where a.workspace_id = $1 order by a.number`,
    [workspaceId],
  );
  return rows.map(({ message }) => Number(message));
}

test('orders of a workspace are finished in the sequence in which they were accepted', async () => {
  const workspace = await openWorkspace(api);
  const requestIds: string[] = [];
  for (let nth = 0; nth < 30; nth++) requestIds.push(await workspace.submit([aGift({ message: `${nth}` })]));
  const worker = await startWorker();
  await emptyBacklog();
  assert.deepEqual(await messagesOf(workspace.id), [...requestIds.keys()]);
  await worker.stop();
});

test('orders are finished in sequence even if their wake-ups come newest first', async () => {
  const workspace = await openWorkspace(api);
  const fulfilment = new Fulfilment({ database, keys: parseKeys(tokenKey), checkSchema, steps: [], onPostponed() {} });
  for (let round = 0; round < 2; round++) {
    for (let nth = 0; nth < 6; nth++) await workspace.submit([aGift({ message: `${round * 6 + nth}` })]);
    const waiting = await database.query<{ number: number }>(
      'select number from pending_orders where workspace_id = $1 order by number desc',
      [workspace.id],
    );
    for (const { number } of waiting) fulfilment.wake(workspace.id, number);
    await fulfilment.idle();
  }
  assert.deepEqual(await messagesOf(workspace.id), [...Array(12).keys()]);
});

test('an order with a wrong acceptance time is counted, found without a notification and fulfilled', async () => {
  const workspace = await openWorkspace(api);
  const requestIds = [await workspace.submit([aGift()]), await workspace.submit([aGift()])];
  for (const [index, when] of ['1 year', '-1 year'].entries()) {
    for (const table of ['order_requests', 'pending_orders'])
      await database.query(`update ${table} set accepted_at = now() + $2::interval where request_id = $1`, [
        requestIds[index],
        when,
      ]);
  }
  const { depth, oldestAgeSeconds } = await readBacklog(database);
  assert.equal(depth, 2);
  assert.ok(oldestAgeSeconds > 360 * 86_400);
  const worker = await startWorker();
  await emptyBacklog();
  const done = await finished();
  assert.ok(requestIds.every((requestId) => done.includes(requestId)));
  await worker.stop();
});

test('consecutive claims take every order once, each from where the last one ended', async () => {
  const workspace = await openWorkspace(api);
  const requestIds: string[] = [];
  for (let nth = 0; nth < 5; nth++) requestIds.push(await workspace.submit([aGift()]));
  const found: string[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const claim: PendingClaim = { workspaceId: workspace.id, from, except: [], maxOrders: 2, maxGifts: 100 };
    const { claimed, next } = await database.transaction((tx) => claimPending(tx, claim));
    found.push(...claimed.map(({ requestId }) => requestId));
    from = next;
  }
  assert.deepEqual(found, requestIds);
});

test("writers get a workspace's lock in the order they asked", async () => {
  const { id } = await openWorkspace(api);
  const order: string[] = [];
  const write = (name: string) =>
    database.transaction(async (tx) => {
      await lockWorkspace(tx, id);
      order.push(name);
    });
  const waiting = () =>
    database.query<{ pid: number }>(
      `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
  for (let round = 0; round < 3; round++) {
    order.length = 0;
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = database.transaction(async (tx) => {
      await lockWorkspace(tx, id);
      held.resolve();
      await released.promise;
    });
    await held.promise;
    const patient = write('asked first');
    const [session] = await eventually(waiting, (sessions) => sessions.length === 1);
    // The waiting session sleeps when the lock is released, as on a busy machine. A newcomer must not get the lock first.
    process.kill(session?.pid as number, 'SIGSTOP');
    try {
      released.resolve();
      await holder;
      const newcomer = write('came later');
      await eventually(
        async () => order.length > 0 || (await waiting()).length === 2,
        (isDecided) => isDecided,
      );
      process.kill(session?.pid as number, 'SIGCONT');
      await Promise.all([patient, newcomer]);
    } finally {
      process.kill(session?.pid as number, 'SIGCONT');
    }
    assert.deepEqual(order, ['asked first', 'came later']);
  }
});

test('every woken workspace gets turns, never two at once, and a backlog does not keep others out', async () => {
  const wakes = fc.array(fc.record({ id: fc.nat(5), work: fc.integer({ min: 1, max: 6 }) }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(wakes, fc.integer({ min: 1, max: 3 }), async (plan, atATime) => {
      const left = new Map<number, number>();
      const underWay = new Set<number>();
      const turns = new Turns({
        atATime,
        async take(id) {
          assert.ok(!underWay.has(id), 'one turn at a time');
          underWay.add(id);
          assert.ok(underWay.size <= atATime);
          await sleep(0);
          underWay.delete(id);
          const rest = Math.max(0, (left.get(id) ?? 0) - 1);
          left.set(id, rest);
          return rest === 0 ? 'nothing' : rest % 3 === 0 ? { afterMs: 1 } : 'more';
        },
      });
      for (const { id, work } of plan) {
        left.set(id, (left.get(id) ?? 0) + work);
        turns.wake(id);
        if (work % 2) await sleep(0);
      }
      await turns.idle();
      for (const [id, rest] of left) assert.equal(rest, 0, `workspace ${id}`);
      await turns.stop();
    }),
    { numRuns: runs(60) },
  );
});

test('a newly woken workspace goes before those that continue a backlog', async () => {
  const order: number[] = [];
  const backlog = new Map([1, 2, 3, 4].map((id) => [id, 5]));
  const turns = new Turns({
    atATime: 1,
    async take(id) {
      order.push(id);
      await sleep(0);
      if (order.length === 6) turns.wake(9);
      const rest = (backlog.get(id) ?? 1) - 1;
      backlog.set(id, rest);
      return rest > 0 ? 'more' : 'nothing';
    },
  });
  for (const id of backlog.keys()) turns.wake(id);
  await turns.idle();
  assert.ok(order.indexOf(9) <= 8, order.join(' '));
  assert.equal(order.length, 21);
});
