import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { removeOldEvents } from '../../src/company/events/retention.ts';
import { listAttempts } from '../../src/company/events/webhooks/attempts.ts';
import { claimWebhooks } from '../../src/company/events/webhooks/claim.ts';
import { createGuardedAgent } from '../../src/company/events/webhooks/connector.ts';
import { deliverNext } from '../../src/company/events/webhooks/deliver.ts';
import { changeWebhook, disableWebhook, enableWebhook } from '../../src/company/events/webhooks/endpoints.ts';
import { replayEvents } from '../../src/company/events/webhooks/replay.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { deriveSecret, openLog, startDispatcher } from '../support/deliveries.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';

const database = await createTestDatabase();
const upTo = (count: number) => Array.from({ length: count }, (_, nth) => nth + 1);
const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);

/** A receiver that refuses these events, all of them at first, until it is told that it is well. */
async function startUnwell(isRefused: (number: number) => boolean = () => true) {
  const state = { isWell: false };
  const receiver = await startReceiver(({ event }, response) => {
    response.writeHead(state.isWell || !isRefused(event.number) ? 204 : 500).end();
  });
  return { receiver, state };
}

/** Receivers and dispatchers are in this process: what a receiver has written is read in one of the next turns of the event loop. */
async function answersArrive(): Promise<void> {
  for (let nth = 0; nth < 20; nth++) await turn();
}

const replayOne = (workspaceId: number, webhookId: number, number: number) =>
  inWorkspace(database, workspaceId, (tx) =>
    replayEvents(tx, theService, workspaceId, webhookId, { eventId: `evt_${workspaceId}_${number}` }),
  );

test('with strict ordering, a replay that fails leaves out no event before it', async () => {
  const { id, add, append, find, hurry } = await openLog(database);
  const { receiver, state } = await startUnwell();
  const webhook = await add({ url: receiver.url, ordering: 'strict' });
  await append(6);
  await replayOne(id, webhook.id, 6);
  const dispatcher = startDispatcher(database);
  await eventually(
    () => listAttempts(database, id, webhook.id, 10),
    ({ length }) => length > 0,
  );
  assert.equal((await find(webhook.id)).deliveredThrough, 0);
  state.isWell = true;
  await eventually(
    async () => {
      await hurry();
      return find(webhook.id);
    },
    ({ deliveredThrough, waitingRetries }) => deliveredThrough === 6 && waitingRetries === 0,
  );
  assert.deepEqual(receiver.numbers().slice(-6), upTo(6));
  await dispatcher.stop();
});

test('with strict ordering, a retry that is due does not overtake an earlier one, and costs no claims until then', async () => {
  const { id, add, append, find } = await openLog(database);
  const { receiver, state } = await startUnwell((number) => [2, 4, 6].includes(number));
  const webhook = await add({ url: receiver.url });
  await append(6);
  const dispatcher = startDispatcher(database);
  await eventually(
    () => find(webhook.id),
    ({ deliveredThrough, waitingRetries }) => deliveredThrough === 6 && waitingRetries === 3,
  );
  const wait = (number: number, seconds: number) =>
    database.query(
      `update webhook_retries set next_at = now() + make_interval(secs => $3) where workspace_id = $1 and number = $2`,
      [id, number, seconds],
    );
  for (const number of [2, 4, 6]) await wait(number, 3_600);
  const lease = () =>
    database.query<{ owner: string | null; until: Date }>(
      'select lease_owner as owner, lease_until as until from webhooks where workspace_id = $1',
      [id],
    );
  const before = await eventually(lease, ([webhook]) => webhook?.owner === null);
  await inWorkspace(database, id, (tx) => changeWebhook(tx, theService, id, webhook.id, { ordering: 'strict' }));
  state.isWell = true;
  await append(1);
  await wait(6, 0);
  await sleep(1_000);
  assert.deepEqual(await lease(), before);
  const arrivedBefore = receiver.received.length;
  await wait(2, 0);
  await eventually(
    () => find(webhook.id),
    ({ waitingRetries }) => waitingRetries === 2,
  );
  await eventually(lease, ([webhook]) => webhook?.owner === null);
  await wait(4, 0);
  await eventually(
    () => find(webhook.id),
    ({ deliveredThrough, waitingRetries }) => deliveredThrough === 7 && waitingRetries === 0,
  );
  assert.deepEqual(receiver.numbers().slice(arrivedBefore), [2, 4, 6, 7]);
  await dispatcher.stop();
});

test('an event that is replayed before it was delivered is posted once, and its failure can be written down', async () => {
  const { id, add, append, find, hurry } = await openLog(database);
  const { receiver, state } = await startUnwell();
  const webhook = await add({ url: receiver.url });
  await append(3);
  await replayOne(id, webhook.id, 2);
  const problems: unknown[] = [];
  const dispatcher = startDispatcher(database, { onProblem: (error) => problems.push(error) });
  await eventually(
    () => find(webhook.id),
    ({ deliveredThrough, waitingRetries }) => deliveredThrough === 3 && waitingRetries === 3,
  );
  assert.deepEqual(sorted(receiver.numbers().slice(0, 3)), upTo(3));
  assert.deepEqual(problems, []);
  state.isWell = true;
  await eventually(
    async () => {
      await hurry();
      return find(webhook.id);
    },
    ({ waitingRetries }) => waitingRetries === 0,
  );
  await dispatcher.stop();
});

const age = (workspaceId: number, through: number) =>
  database.query(
    `update events set created_at = created_at - interval '91 days' where workspace_id = $1 and number <= $2`,
    [workspaceId, through],
  );

test('an event that is removed while it is posted is not tried again', async () => {
  const { id, add, append, find } = await openLog(database);
  const held: ServerResponse[] = [];
  const receiver = await startReceiver((_received, response) => held.push(response));
  const webhook = await add({ url: receiver.url });
  await append(2);
  const dispatcher = startDispatcher(database);
  await eventually(
    async () => held.length,
    (length) => length === 2,
  );
  await age(id, 1);
  assert.equal(await removeOldEvents(database, 90), 1);
  for (const response of held) response.writeHead(500).end();
  await eventually(
    () => find(webhook.id),
    ({ deliveredThrough }) => deliveredThrough === 2,
  );
  await dispatcher.stop();
  const waiting = await database.query('select number from webhook_retries where workspace_id = $1', [id]);
  assert.deepEqual(waiting, [{ number: 2 }]);
});

test('a retry that was written down after its event was removed goes with the next events', async () => {
  const { id, add, append } = await openLog(database);
  const webhook = await add({ url: 'http://127.0.0.1:9/' });
  await append(3);
  await age(id, 1);
  await removeOldEvents(database, 90);
  await database.query(
    `insert into webhook_retries (workspace_id, webhook_id, number, attempts, next_at) values ($1, $2, 1, 1, now())`,
    [id, webhook.id],
  );
  await age(id, 2);
  await removeOldEvents(database, 90);
  assert.deepEqual(await database.query('select number from webhook_retries where workspace_id = $1', [id]), []);
});

for (const ordering of ['none', 'strict'] as const)
  test(`a stop writes down what was answered (ordering: ${ordering})`, async () => {
    const { id, add, append, find } = await openLog(database);
    let hangs = true;
    const receiver = await startReceiver(({ event }, response) => {
      if (!hangs || event.number !== 4) response.writeHead(204).end();
    });
    const webhook = await add({ url: receiver.url, ordering });
    await append(10);
    const stopped = startDispatcher(database);
    await eventually(
      async () => receiver.received.length,
      (length) => length === (ordering === 'none' ? 10 : 4),
    );
    await answersArrive();
    await stopped.stop();
    assert.partialDeepStrictEqual(await find(webhook.id), {
      deliveredThrough: 3,
      waitingRetries: 0,
      failingSince: null,
    });
    const attempts = await listAttempts(database, id, webhook.id, 20);
    assert.ok(attempts.every(({ succeeded }) => succeeded));
    hangs = false;
    const next = startDispatcher(database);
    await eventually(
      () => find(webhook.id),
      ({ deliveredThrough }) => deliveredThrough === 10,
    );
    const times = upTo(10).map((number) => receiver.numbers().filter((one) => one === number).length);
    assert.deepEqual(times.slice(0, 4), [1, 1, 1, 2]);
    await next.stop();
  });

test('a stop writes down what failed, and what was taken at another attempt', async () => {
  const { id, add, append, find } = await openLog(database);
  const receiver = await startReceiver(({ event }, response) => {
    if (event.number !== 4) response.writeHead(event.number === 2 ? 500 : 204).end();
  });
  const webhook = await add({ url: receiver.url });
  await append(4);
  await replayOne(id, webhook.id, 1);
  const dispatcher = startDispatcher(database);
  await eventually(
    async () => receiver.received.length,
    (length) => length === 4,
  );
  await answersArrive();
  await dispatcher.stop();
  assert.partialDeepStrictEqual(await find(webhook.id), { deliveredThrough: 3, waitingRetries: 1, failingSince: null });
  const waiting = await database.query('select number, attempts from webhook_retries where workspace_id = $1', [id]);
  assert.deepEqual(waiting, [{ number: 2, attempts: 1 }]);
});

/** Disables a webhook while its first event is under way, with another event behind it, and answers the first one with this status. */
async function disableUnderWay(status: number) {
  const log = await openLog(database);
  const held: ServerResponse[] = [];
  const receiver = await startReceiver((_received, response) => {
    if (held.length === 0) held.push(response);
    else response.writeHead(204).end();
  });
  const webhook = await log.add({ url: receiver.url, types: ['member.added'] });
  await log.append(1);
  const dispatcher = startDispatcher(database);
  await eventually(async () => held.length > 0);
  await log.append(1);
  await inWorkspace(database, log.id, (tx) => disableWebhook(tx, theService, log.id, webhook.id, 'BY_HAND'));
  held[0]?.writeHead(status).end();
  const free = 'select from webhooks where workspace_id = $1 and lease_owner is null';
  await eventually(
    () => database.query(free, [log.id]),
    ({ length }) => length === 1,
  );
  const enable = () => inWorkspace(database, log.id, (tx) => enableWebhook(tx, theService, log.id, webhook.id));
  return { ...log, webhook, receiver, dispatcher, enable };
}

test('a webhook that is disabled while it gets an event gets no further one until it is enabled', async () => {
  const { receiver, webhook, dispatcher, find, enable } = await disableUnderWay(204);
  assert.deepEqual([receiver.numbers(), (await find(webhook.id)).deliveredThrough], [[1], 0]);
  await enable();
  await eventually(
    () => find(webhook.id),
    ({ deliveredThrough }) => deliveredThrough === 3,
  );
  assert.deepEqual(receiver.numbers(), [1, 1, 2]);
  await dispatcher.stop();
});

test('what fails while a webhook is disabled is not kept as a retry: it comes as a first attempt again', async () => {
  const { id, receiver, webhook, dispatcher, find, enable } = await disableUnderWay(500);
  assert.deepEqual(await database.query('select from webhook_retries where workspace_id = $1', [id]), []);
  assert.deepEqual(await listAttempts(database, id, webhook.id, 20), []);
  await enable();
  await eventually(
    () => find(webhook.id),
    ({ deliveredThrough }) => deliveredThrough === 3,
  );
  assert.deepEqual(receiver.numbers(), [1, 1, 2]);
  await dispatcher.stop();
});

for (const status of [204, 500])
  test(`a dispatcher that has lost its lease writes nothing down (${status})`, async () => {
    const own = await createTestDatabase();
    const { id, add, append, find } = await openLog(own);
    const receiver = await startReceiver((_received, response) => response.writeHead(status).end());
    const webhook = await add({ url: receiver.url });
    await append(2);
    const [claimed] = await claimWebhooks(own, { all: 1, failing: 0 });
    assert.ok(claimed);
    // It ends the lease, and begins once more.
    await inWorkspace(own, id, (tx) => replayEvents(tx, theService, id, webhook.id, { from: 1 }));
    const agent = createGuardedAgent({ networks: { allowsLoopback: true, opened: [] } });
    cleanUp(() => agent.destroy());
    const { signal } = new AbortController();
    const delivery = { database: own, agent, deriveSecret, signal, onAttempts: () => {}, onDisabled: () => {} };
    assert.equal(await deliverNext(delivery, claimed), null);
    assert.deepEqual(sorted(receiver.numbers()), [1, 2]);
    const { deliveredThrough, waitingRetries } = await find(webhook.id);
    assert.deepEqual([deliveredThrough, waitingRetries], [0, 0]);
    assert.deepEqual(await listAttempts(own, id, webhook.id, 20), []);
  });
