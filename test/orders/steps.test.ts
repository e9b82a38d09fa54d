import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { WorkspaceGrant } from '../../src/company/access/grants.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { createProgram } from '../../src/doors/cli/program.ts';
import { Rush } from '../../src/giving/delivery/send/rush.ts';
import { Acceptance } from '../../src/giving/orders/accept.ts';
import { Fulfilment } from '../../src/giving/orders/fulfilment.ts';
import type { AcceptStep, FinishedOrders, FulfilStep } from '../../src/giving/orders/order-steps.ts';
import { retryOrder } from '../../src/giving/orders/retry.ts';
import { openDatabase, type Queryable } from '../../src/ground/database/database.ts';
import { checkSchema } from '../../src/ground/database/schema.ts';
import { Failure } from '../../src/ground/errors.ts';
import { createMetrics } from '../../src/ground/metrics.ts';
import { acceptSteps, createSteps } from '../../src/steps.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createGrant } from '../support/grant.ts';
import { parseKeys } from '../support/keys.ts';
import { aGift, anOrder } from '../support/orders.ts';

const { url } = await createTestDatabase();
const database = openDatabase({ url, name: 'test', maxConnections: 4, statementTimeoutMs: 60_000, byKey: true });
cleanUp(() => database.close());
await database.pool.query(`
  create table ledger (request_id uuid primary key, cents bigint not null check (cents <> 666));
  create function curse() returns trigger language plpgsql as
    $$ begin if new.message = 'poison' then raise exception 'cursed'; end if; return new; end $$;
  create trigger curse before insert on certificates for each row execute function curse()`);

const openWorkspace = () => createGrant(database);

/** Submits orders in one turn of the event loop, so that they are one batch. An order that is refused gives its failure. */
function submitAll(steps: AcceptStep[], workspace: WorkspaceGrant, orders: object[], keys: string[] = []) {
  const acceptance = new Acceptance(database, steps);
  return Promise.all(
    orders.map((order, nth) => {
      const idempotencyKey = keys[nth] ?? null;
      const submission = { tokenId: 1, workspace, customerRequestId: `ours ${nth}`, idempotencyKey };
      return acceptance.accept({ ...submission, order: order as never }).then(
        ({ record, replayed }) => ({ requestId: record.requestId, replayed, failure: null }),
        (failure: Error) => ({ requestId: null, replayed: false, failure }),
      );
    }),
  );
}

function createFulfilment(...steps: FulfilStep[]) {
  const postponed: (string | null)[] = [];
  const fulfilment = new Fulfilment({
    database,
    keys: parseKeys('a key that is long enough for a test'),
    checkSchema,
    steps,
    onPostponed: (_workspaceId, requestId) => postponed.push(requestId),
  });
  cleanUp(() => fulfilment.stop());
  return { fulfilment, postponed };
}

const count = async (table: string, workspaceId: number) =>
  (await database.query(`select from ${table} where workspace_id = $1`, [workspaceId])).length;
const ledger = async (requestIds: (string | null)[]) =>
  (await database.query('select from ledger where request_id = any($1::uuid[])', [requestIds])).length;
const keepInLedger = (tx: Queryable, requestId: string, cents: number) =>
  tx.query('insert into ledger (request_id, cents) values ($1, $2)', [requestId, cents]);
const orderOf = (amount: number, message = 'Thank you!') => anOrder({ orderItems: [aGift({ amount, message })] });

/** Commits what an order costs. An order of 500 is over budget. */
const budget: AcceptStep = {
  async refuse(_tx, orders) {
    const dear = orders.filter(({ order }) => order.orderItems.some(({ amount }) => amount === 500));
    return new Map(dear.map(({ requestId }) => [requestId, new Failure('conflict', 'That is more than is left.')]));
  },
  async inTransaction(tx, orders) {
    for (const { requestId, order } of orders)
      await keepInLedger(tx, requestId, (order.orderItems[0]?.amount ?? 0) * 100);
  },
};

test('a step refuses one order of a batch, and the others are accepted in their sequence', async () => {
  const workspace = await openWorkspace();
  const answers = await submitAll([budget], workspace, [orderOf(10), orderOf(500), orderOf(20)]);
  assert.deepEqual(
    answers.map(({ failure }) => failure?.message ?? null),
    [null, 'That is more than is left.', null],
  );
  const pending = await database.query<{ id: string }>(
    'select request_id as id from pending_orders where workspace_id = $1 order by number',
    [workspace.workspaceId],
  );
  assert.deepEqual(
    pending.map(({ id }) => id),
    [answers[0]?.requestId, answers[2]?.requestId],
  );
  assert.equal(await count('order_requests', workspace.workspaceId), 2);
  assert.equal(await ledger(answers.map(({ requestId }) => requestId)), 2);
});

test('a refused order does not use up its key, and a repeated one is not asked about again', async () => {
  const workspace = await openWorkspace();
  const key = ['monday'];
  const [refused] = await submitAll([budget], workspace, [orderOf(500)], key);
  assert.equal(refused?.failure?.message, 'That is more than is left.');
  const [accepted] = await submitAll([budget], workspace, [orderOf(50)], key);
  const never: AcceptStep = { refuse: () => assert.fail('asked'), inTransaction: () => assert.fail('told') };
  const [repeated] = await submitAll([never], workspace, [orderOf(50)], key);
  assert.deepEqual(repeated, { ...accepted, replayed: true });
});

test('what a step writes at acceptance commits with the orders, or not at all', async () => {
  const workspace = await openWorkspace();
  const failing: AcceptStep = {
    inTransaction: async (_tx, orders) => assert.ok(orders.every(({ order }) => order.currency !== 'USD')),
  };
  const orders = [orderOf(10), anOrder({ currency: 'USD' }), orderOf(20)];
  const answers = await submitAll([budget, failing], workspace, orders);
  assert.deepEqual(
    answers.map(({ failure }) => failure?.name ?? null),
    [null, 'AssertionError', null],
  );
  assert.equal(await count('order_requests', workspace.workspaceId), 2);
  assert.equal(await count('pending_orders', workspace.workspaceId), 2);
  const [all] = await database.query(
    `select count(*) from ledger where request_id not in (select request_id from order_requests)`,
  );
  assert.deepEqual(all, { count: 0 });
});

test('a step that has nothing to do with a workspace costs it no transaction', async () => {
  const [own, other] = [await openWorkspace(), await openWorkspace()];
  const told: number[] = [];
  const batches: object[] = [];
  const step: AcceptStep = {
    concerns: ({ workspace }) => workspace.workspaceId === own.workspaceId,
    inTransaction: async (_tx, orders) => void told.push(...orders.map(({ workspaceId }) => workspaceId)),
    afterCommit: (batch) => void batches.push(batch),
  };
  let transactions = 0;
  const transaction = (work: never) => {
    transactions++;
    return database.transaction(work);
  };
  const watched = { ...database, transaction };
  const acceptance = new Acceptance(watched as typeof database, [step]);
  const submit = (workspace: WorkspaceGrant) =>
    acceptance.accept({
      tokenId: 1,
      workspace,
      customerRequestId: null,
      idempotencyKey: null,
      order: anOrder() as never,
    });
  await submit(other);
  assert.equal(transactions, 0);
  await Promise.all([submit(own), submit(other)]);
  assert.equal(transactions, 1);
  assert.deepEqual(told, [own.workspaceId]);
  assert.deepEqual(batches, Array(3).fill({ submitted: 1, accepted: 1 }), 'they are never in one batch');
});

test('a step of fulfilment is told of every outcome, and can read the gifts', async () => {
  const workspace = await openWorkspace();
  const items = [aGift({ amount: 10.5, message: 'one' }), aGift({ amount: 2, message: 'two' })];
  const answers = await submitAll([], workspace, [anOrder({ orderItems: items }), orderOf(5, 'poison')]);
  const [completedId, failedId] = answers.map(({ requestId }) => requestId);
  const told: FinishedOrders[] = [];
  const read: unknown[] = [];
  const step: FulfilStep = {
    async inTransaction(tx, { workspaceId, completed }) {
      const gifts = await tx.query(
        `select request_id as "requestId", position, member_id as "memberId", amount, message
           from certificates
          where workspace_id = $1 and request_id = any($2)
          order by position`,
        [workspaceId, completed.map(({ requestId }) => requestId)],
      );
      read.push(...gifts);
    },
    afterCommit: (finished) => void told.push(finished),
  };
  const { fulfilment } = createFulfilment(step);
  fulfilment.wake(workspace.workspaceId);
  await fulfilment.idle();
  assert.deepEqual(
    told.map(({ completed, failed }) => [completed.map(({ requestId }) => requestId), failed]),
    [
      [[completedId], []],
      [[], [{ requestId: failedId, customerRequestId: 'ours 1', traceparent: null, reason: 'cursed' }]],
    ],
  );
  const [order] = told.flatMap(({ completed }) => completed);
  const { customerRequestId, total, currency, certificateIds } = order ?? {};
  assert.deepEqual(
    { customerRequestId, total, currency, gifts: certificateIds?.length },
    { customerRequestId: 'ours 0', total: 12.5, currency: 'CAD', gifts: 2 },
  );
  const stored = await database.query(
    'select request_id as "requestId", id as "orderId", failure, gift_count as gifts from orders where workspace_id = $1 order by id',
    [workspace.workspaceId],
  );
  assert.deepEqual(stored, [
    { requestId: completedId, orderId: order?.orderId, failure: null, gifts: 2 },
    { requestId: failedId, orderId: null, failure: 'cursed', gifts: 1 },
  ]);
  const [member] = await database.query<{ id: number }>(
    'select id from members where workspace_id = $1 and not is_integration',
    [workspace.workspaceId],
  );
  const gift = { requestId: completedId, memberId: member?.id };
  assert.deepEqual(read, [
    { ...gift, position: 0, amount: 10.5, message: 'one' },
    { ...gift, position: 1, amount: 2, message: 'two' },
  ]);
});

test('what a step writes at fulfilment commits with the gifts, or not at all', async () => {
  const workspace = await openWorkspace();
  const answers = await submitAll([], workspace, [orderOf(1), orderOf(2)]);
  const requestIds = answers.map(({ requestId }) => requestId);
  let isBroken = true;
  const writing: FulfilStep = {
    async inTransaction(tx, { completed }) {
      for (const { requestId } of completed) await keepInLedger(tx, requestId, 1);
    },
  };
  const failing: FulfilStep = { inTransaction: async () => assert.ok(!isBroken) };
  const { fulfilment, postponed } = createFulfilment(writing, failing);
  fulfilment.wake(workspace.workspaceId);
  await eventually(
    async () => postponed,
    ({ length }) => length > 0,
  );
  assert.deepEqual(postponed, [null], 'the workspace waits');
  const outcome = async () => ({
    ledger: await ledger(requestIds),
    pending: await count('pending_orders', workspace.workspaceId),
    orders: await count('orders', workspace.workspaceId),
    certificates: await count('certificates', workspace.workspaceId),
    activities: await count('activities', workspace.workspaceId),
  });
  assert.deepEqual(await outcome(), { ledger: 0, pending: 2, orders: 0, certificates: 0, activities: 0 });
  isBroken = false;
  await fulfilment.idle();
  assert.deepEqual(await outcome(), { ledger: 2, pending: 0, orders: 2, certificates: 2, activities: 2 });
});

test('a step that finds fault with one order holds up that order alone, and does not let it fail', async () => {
  const workspace = await openWorkspace();
  const answers = await submitAll([], workspace, [orderOf(1), orderOf(6.66), orderOf(2)]);
  const step: FulfilStep = {
    async inTransaction(tx, { completed }) {
      for (const { requestId, total } of completed) await keepInLedger(tx, requestId, total * 100);
    },
  };
  const { fulfilment, postponed } = createFulfilment(step);
  fulfilment.wake(workspace.workspaceId);
  await eventually(
    () => count('orders', workspace.workspaceId),
    (orders) => orders === 2 && postponed.length > 0,
  );
  assert.equal(postponed[0], answers[1]?.requestId);
  const [failed] = await database.query('select count(*) from orders where workspace_id = $1 and failure is not null', [
    workspace.workspaceId,
  ]);
  assert.deepEqual(failed, { count: 0 });
  assert.equal(await count('pending_orders', workspace.workspaceId), 1);
  await fulfilment.stop();
});

/** An order that has failed, and a step of acceptance that refuses to try it again. */
async function failOrder(workspace: WorkspaceGrant): Promise<{ requestId: string; refusing: AcceptStep }> {
  const [answer] = await submitAll([], workspace, [orderOf(5, 'poison')]);
  const requestId = answer?.requestId as string;
  const { fulfilment } = createFulfilment();
  fulfilment.wake(workspace.workspaceId);
  await fulfilment.idle();
  return { requestId, refusing: { refuse: async () => new Map([[requestId, new Failure('conflict', 'Not now.')]]) } };
}

test('a failed order that is tried again goes through the steps of acceptance again', async () => {
  const workspace = await openWorkspace();
  const { requestId, refusing } = await failOrder(workspace);
  await assert.rejects(retryOrder(database, theService, requestId, [budget, refusing]), /Not now/);
  assert.deepEqual([await ledger([requestId]), await count('pending_orders', workspace.workspaceId)], [0, 0]);
  await retryOrder(database, theService, requestId, [budget]);
  assert.deepEqual([await ledger([requestId]), await count('pending_orders', workspace.workspaceId)], [1, 1]);
});

test('the command order retry runs the steps that the service accepts orders with', async () => {
  const workspace = await openWorkspace();
  const { requestId, refusing } = await failOrder(workspace);
  acceptSteps.push(refusing);
  cleanUp(async () => void acceptSteps.splice(acceptSteps.indexOf(refusing), 1));
  const metrics = createMetrics();
  assert.ok(
    createSteps({ metrics, log: pino({ enabled: false }), mailsGifts: false, rush: new Rush() }).accept.includes(
      refusing,
    ),
  );
  process.env.DATABASE_URL = url;
  await assert.rejects((await createProgram()).parseAsync(['order', 'retry', requestId], { from: 'user' }), /Not now/);
  assert.equal(await count('pending_orders', workspace.workspaceId), 0);
});

test('an error after the commit changes no answer and no outcome', async () => {
  const workspace = await openWorkspace();
  const warnings: Error[] = [];
  const collect = (warning: Error) => void warnings.push(warning);
  process.on('warning', collect);
  cleanUp(async () => void process.off('warning', collect));
  const afterCommit = () => {
    throw new Error('a metric is broken');
  };
  const [answer] = await submitAll([{ afterCommit }], workspace, [orderOf(1)]);
  assert.equal(answer?.failure, null);
  const { fulfilment, postponed } = createFulfilment({ afterCommit });
  fulfilment.wake(workspace.workspaceId);
  await fulfilment.idle();
  assert.equal(await count('order_requests', workspace.workspaceId), 1);
  assert.equal(await count('orders', workspace.workspaceId), 1);
  assert.deepEqual(postponed, []);
  assert.deepEqual(
    warnings.map(({ message }) => message),
    ['a metric is broken', 'a metric is broken'],
  );
});
