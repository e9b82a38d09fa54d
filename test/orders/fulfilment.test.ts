import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { Rush } from '../../src/giving/delivery/send/rush.ts';
import { Fulfilment } from '../../src/giving/orders/fulfilment.ts';
import { ordersChannel } from '../../src/giving/orders/queue.ts';
import { checkSchema } from '../../src/ground/database/schema.ts';
import { createMetrics } from '../../src/ground/metrics.ts';
import { createSteps } from '../../src/steps.ts';
import { checkBooks } from '../support/books.ts';
import fc from '../support/fast-check.ts';
import { parseKeys } from '../support/keys.ts';
import { aGift } from '../support/orders.ts';
import { runs } from '../support/runs.ts';
import { startService, type TestService } from '../support/service.ts';
import { listMembers } from '../support/stored-members.ts';
import { openWorkspace, type TestWorkspace } from '../support/workspace.ts';

// Nodes of one installation share the key; a service of the tests has its own folder.
const tokenKey = 'the-key-that-all-nodes-of-this-file-share';
const service = await startService({ tokenKey });
const { database } = service;

/** Makes gifts with certain messages fail in the database: always, or only the first time. */
async function curse(on: TestService['database']): Promise<void> {
  await on.pool.query(`
    create sequence flaky_attempts;
    create function curse() returns trigger language plpgsql as $$
    begin
      if new.message like 'poison%' then
        raise exception 'the gift % is cursed', new.message;
      elsif new.message like 'flaky%' and nextval('flaky_attempts') = 1 then
        raise exception 'not now' using errcode = 'serialization_failure';
      elsif new.message like 'endless%' then
        raise exception 'never' using errcode = 'serialization_failure';
      end if;
      return new;
    end $$;
    create trigger curse before insert on certificates for each row execute function curse()`);
}
await curse(database);

/** Another node on the database of this one. */
const startNode = (beside: TestService, role: 'all' | 'worker' = 'all') =>
  startService({ tokenKey, role, databaseUrl: beside.database.url });

/** Notifies the workers of orders, which may be finished or unknown. */
const notify = (workspaceId: number, numbers: number[]) =>
  database.query(`select pg_notify($1, $2)`, [
    ordersChannel,
    numbers.map((number) => `${workspaceId} ${number}`).join('\n'),
  ]);

test('an order that fails inside a batch fails alone, with its reason, and the rest complete', async () => {
  const api = await startService({ tokenKey, role: 'api' });
  await curse(api.database);
  const workspace = await openWorkspace(api);
  const messages = ['one', 'poison A', 'two', 'three', 'poison B', 'four', 'five'];
  const requestIds: string[] = [];
  for (const message of messages)
    requestIds.push(
      await workspace.submit([
        aGift({ recipient: { employeeNumber: 'all' } }),
        aGift({ message, recipient: { email: `${message.replace(' ', '')}@example.com` } }),
      ]),
    );
  assert.ok((await Promise.all(requestIds.map(workspace.status))).every(({ orderStep }) => orderStep === 'PENDING'));
  // No worker was there to be notified. One finds them all at once when it starts: one batch.
  const worker = await startNode(api, 'worker');

  for (const [nth, requestId] of requestIds.entries()) {
    const record = await workspace.outcome(requestId);
    const failed = messages[nth]?.startsWith('poison');
    const [row] = await api.database.query<{ failure: string | null }>(
      'select failure from orders where request_id = $1',
      [requestId],
    );
    assert.equal(row?.failure, failed ? `the gift ${messages[nth]} is cursed` : null);
    const status = await workspace.status(requestId);
    if (failed) {
      const { requestId: _, ...rest } = record;
      const page = { page: 0, size: 1000, totalElements: 0, totalPages: 0 };
      assert.deepEqual(rest, { ...page, id: null, state: 'FAILED', status: 'FAILED', certificates: [] });
      assert.deepEqual([status.requestStatus, status.orderStep, status.orderId], ['FAILED', 'FAILED', null]);
    } else {
      assert.deepEqual([record.state, record.status, record.totalElements], ['COMPLETED', 'COMPLETE', 2]);
      assert.deepEqual([status.requestStatus, status.orderStep, status.orderId], ['COMPLETED', 'COMPLETED', record.id]);
    }
  }
  assert.equal((await listMembers(api.database, workspace.id)).length, 6, 'a failed order adds nobody');
  await checkBooks(api.database, workspace.id, 10);
  await worker.stop();
});

test('an order is retried after a temporary failure, and completes', async () => {
  const workspace = await openWorkspace(service);
  const record = await workspace.outcome(await workspace.submit([aGift({ message: 'flaky' })]));
  assert.equal(record.state, 'COMPLETED');
  assert.equal((await workspace.status(record.requestId)).requestStatus, 'COMPLETED');
  const [tried] = await database.query<{ attempts: number }>('select last_value as attempts from flaky_attempts');
  assert.ok((tried?.attempts ?? 0) >= 2);
  await checkBooks(database, workspace.id, 1);
});

test('an order that fails temporarily for ever does not delay the others', async () => {
  const api = await startService({ tokenKey, role: 'api' });
  await curse(api.database);
  const workspace = await openWorkspace(api);
  const messages = ['one', 'endless', 'two', 'three'];
  const requestIds: string[] = [];
  for (const message of messages) requestIds.push(await workspace.submit([aGift({ message })]));
  const worker = await startNode(api, 'worker');
  try {
    for (const [nth, requestId] of requestIds.entries())
      if (messages[nth] !== 'endless') assert.equal((await workspace.outcome(requestId)).state, 'COMPLETED');
  } finally {
    await worker.stop();
  }
});

test('a duplicate notification changes nothing', async () => {
  const workspace = await openWorkspace(service);
  const requestIds = [
    await workspace.submit([aGift(), aGift()]),
    await workspace.submit([aGift({ message: 'poison' })]),
  ];
  const everything = async () => [
    await Promise.all(requestIds.map(workspace.outcome)),
    await listMembers(database, workspace.id),
    (await workspace.activity('?size=1000')).activities.reverse(),
    await database.query('select * from orders where workspace_id = $1 order by request_id', [workspace.id]),
    await database.query('select total, declined, latest from activity_counters where workspace_id = $1', [
      workspace.id,
    ]),
  ];
  const before = await everything();
  for (let time = 0; time < 5; time++) await notify(workspace.id, [1, 2, 2, 1, 1_000_000]);
  // An order that is accepted later is fulfilled after the workers have heard of all that.
  const later = await openWorkspace(service);
  assert.equal((await later.outcome(await later.submit([aGift()]))).state, 'COMPLETED');
  assert.deepEqual(await everything(), before);
  await checkBooks(database, workspace.id, 2);
});

test('an order of which no worker was notified is fulfilled', async () => {
  const api = await startService({ tokenKey, role: 'api' });
  const workspace = await openWorkspace(api);
  const requestIds = await Promise.all(Array.from({ length: 20 }, () => workspace.submit([aGift()])));
  const worker = await startNode(api, 'worker');
  for (const requestId of requestIds) assert.equal((await workspace.outcome(requestId)).state, 'COMPLETED');
  await checkBooks(api.database, workspace.id, 20);
  await worker.stop();
});

test('a request goes from ACCEPTED to COMPLETED or FAILED and stays there, whatever workers are notified of', async () => {
  // The service's own worker takes part, and every outcome has its event from both.
  const { fulfil } = createSteps({
    metrics: createMetrics(),
    log: pino({ level: 'silent' }),
    mailsGifts: false,
    rush: new Rush(),
  });
  const keys = parseKeys(tokenKey);
  const fulfilment = new Fulfilment({ database, keys, checkSchema, steps: fulfil, onPostponed() {} });
  const submit = fc.record({ do: fc.constant('submit' as const), poison: fc.boolean(), to: fc.nat(2) });
  const other = fc.record({ do: fc.constantFrom('notify' as const, 'search' as const) });
  const steps = fc.array(fc.oneof({ weight: 2, arbitrary: submit }, { weight: 1, arbitrary: other }), {
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (plan, together) => {
      const workspace: TestWorkspace = await openWorkspace(service);
      const orders: { requestId: string; poison: boolean; seen: string[] }[] = [];
      const look = async () => {
        for (const { requestId, seen } of orders) {
          const { requestStatus, orderStep, orderId } = await workspace.status(requestId);
          const now = `${requestStatus} ${orderStep} ${orderId === null ? null : 'id'}`;
          if (seen.at(-1) !== now) seen.push(now);
        }
      };
      const search = async () => {
        await fulfilment.wakeAll();
        await fulfilment.idle();
      };
      const take = async (step: (typeof plan)[number]) => {
        if (step.do === 'submit') {
          const message = step.poison ? 'poison' : 'fine';
          const requestId = await workspace.submit([aGift({ message, recipient: { employeeNumber: `${step.to}` } })]);
          orders.push({ requestId, poison: step.poison, seen: ['ACCEPTED PENDING null'] });
        } else if (step.do === 'notify') await notify(workspace.id, [0, 1_000_000]);
        else await search();
      };
      if (together) await Promise.all(plan.map(take));
      else
        for (const step of plan) {
          await take(step);
          await look();
        }
      await look();
      await search();
      await look();
      await notify(workspace.id, [0]);
      await search();
      await look();
      for (const { poison, seen } of orders)
        assert.deepEqual(seen, ['ACCEPTED PENDING null', poison ? 'FAILED FAILED null' : 'COMPLETED COMPLETED id']);
    }),
    { numRuns: runs(15) },
  );
});

test('two nodes with concurrent orders for the same people keep the books exact', async () => {
  const node = await startNode(service);
  const workspace = await openWorkspace(service);
  const people = Array.from({ length: 6 }, (_, nth) =>
    nth % 2 ? { employeeNumber: `${nth}` } : { email: `p${nth}@example.com`, employeeNumber: `${nth}` },
  );
  const submitter = async (nth: number) => {
    const requestIds: string[] = [];
    for (let order = 0; order < 12; order++) {
      const gifts = Array.from({ length: 1 + ((nth + order) % 4) }, (_, gift) =>
        aGift({ recipient: people[(nth * 5 + order * 3 + gift) % people.length] }),
      );
      requestIds.push(await workspace.submit(gifts, (nth + order) % 2 ? node : service));
    }
    return requestIds;
  };
  const requestIds = (await Promise.all(Array.from({ length: 8 }, (_, nth) => submitter(nth)))).flat();
  const records = await Promise.all(requestIds.map(workspace.outcome));
  assert.ok(records.every(({ state }) => state === 'COMPLETED'));
  assert.equal(new Set(records.map(({ id }) => id)).size, requestIds.length);
  assert.deepEqual(
    (await listMembers(database, workspace.id)).map(({ employeeNumber }) => employeeNumber).sort(),
    people.map(({ employeeNumber }) => employeeNumber),
  );
  await checkBooks(
    database,
    workspace.id,
    records.reduce((sum, { totalElements }) => sum + totalElements, 0),
  );
  await node.stop();
});
