import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { listAttempts } from '../../src/company/events/webhooks/attempts.ts';
import { enableWebhook, findWebhook, rotateSecret } from '../../src/company/events/webhooks/endpoints.ts';
import { replayEvents } from '../../src/company/events/webhooks/replay.ts';
import { webhookSecret } from '../../src/company/events/webhooks/signature.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import type { Webhook } from '../../src/ground/contract/webhook.ts';
import type { Database } from '../../src/ground/database/database.ts';
import { createTestDatabase } from '../support/database.ts';
import { deriveSecret, openLog, startDispatcher } from '../support/deliveries.ts';
import { eventually } from '../support/eventually.ts';
import { holdPauses } from '../support/held-time.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

const database = await createTestDatabase();
const disabled: string[] = [];
const start = () => startDispatcher(database, { onDisabled: ({ id }, reason) => disabled.push(`${id} ${reason}`) });
const openWorkspace = () => openLog(database);
const dispatcher = start();

const upTo = (count: number) => Array.from({ length: count }, (_, nth) => nth + 1);
const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);

async function arrived(receiver: Receiver, count: number): Promise<void> {
  await eventually(
    async () => new Set(receiver.numbers()).size,
    (size) => size === count,
  );
}

test('every event reaches a healthy endpoint once, and public verifiers accept each signature', async () => {
  const { id, add, append, find } = await openWorkspace();
  const receiver = await startReceiver();
  const webhook = await add({ url: receiver.url });
  await append(450);
  await arrived(receiver, 450);
  assert.deepEqual(sorted(receiver.numbers()), upTo(450));
  const secret = webhookSecret(deriveSecret, { workspaceId: id, ...webhook });
  for (const { headers, body, event } of receiver.received) {
    new StandardWebhook(secret).verify(body, headers as Record<string, string>);
    new SvixWebhook(secret).verify(body, headers as Record<string, string>);
    assert.equal(headers['webhook-id'], `evt_${id}_${event.number}`);
    assert.ok(Buffer.byteLength(body) < 20_000);
  }
  await eventually(
    () => find(webhook.id),
    ({ deliveredThrough }) => deliveredThrough === 450,
  );
  assert.deepEqual(await database.query('select from webhook_attempts where workspace_id = $1', [id]), []);
  assert.equal((await listAttempts(database, id, webhook.id, 50)).length, 20);
});

test('for a day after a rotation both secrets sign, then the new one alone', async () => {
  const { id, add, append } = await openWorkspace();
  const receiver = await startReceiver();
  const before = await add({ url: receiver.url });
  const after = await inWorkspace(database, id, (tx) => rotateSecret(tx, theService, id, before.id, 1));
  const verify = (webhook: typeof before) => {
    const { headers, body } = receiver.received.at(-1) as Receiver['received'][0];
    new StandardWebhook(webhookSecret(deriveSecret, { workspaceId: id, ...webhook })).verify(
      body,
      headers as Record<string, string>,
    );
  };
  const verifies = (webhook: typeof before) => {
    try {
      verify(webhook);
      return true;
    } catch (error) {
      assert.match((error as Error).message, /No matching signature/);
      return false;
    }
  };
  await append(1);
  await arrived(receiver, 1);
  verify(before);
  verify(after);
  await database.query(`update webhooks set rotated_at = rotated_at - interval '25 hours' where workspace_id = $1`, [
    id,
  ]);
  // A turn that is still under way has read when the secret was rotated.
  let sent = 1;
  await eventually(async () => {
    await append(1);
    await arrived(receiver, ++sent);
    verify(after);
    return !verifies(before);
  });
});

test('only the chosen types are posted, and the cursor moves on past the others', async () => {
  const { add, append, find } = await openWorkspace();
  const receiver = await startReceiver();
  const { id } = await add({ url: receiver.url, types: ['member.left'] });
  await append(5);
  await append(1, 'member.left');
  await append(3);
  await eventually(
    () => find(id),
    ({ deliveredThrough }) => deliveredThrough === 9,
  );
  assert.deepEqual(receiver.numbers(), [6]);
});

test('an event that fails is tried again, and others go on beside it', async () => {
  const { id, add, append, find, hurry } = await openWorkspace();
  let isWell = false;
  const receiver = await startReceiver(({ event }, response) => {
    response.writeHead(event.number !== 2 || isWell ? 200 : 500).end(`no <${event.number}>`);
  });
  const webhook = await add({ url: receiver.url });
  await append(4);
  await eventually(
    () => find(webhook.id),
    ({ deliveredThrough, waitingRetries }) => deliveredThrough === 4 && waitingRetries === 1,
  );
  const [failure] = await listAttempts(database, id, webhook.id, 1_000).then((all) =>
    all.filter((one) => !one.succeeded),
  );
  assert.partialDeepStrictEqual(failure, {
    eventId: `evt_${id}_2`,
    status: 500,
    error: 'answered 500',
    answer: 'no <2>',
  });
  isWell = true;
  await hurry();
  await eventually(
    () => find(webhook.id),
    ({ waitingRetries }) => waitingRetries === 0,
  );
  assert.deepEqual(sorted(receiver.numbers()), [1, 2, 2, 3, 4]);
});

test('with strict ordering an event that fails holds up the next, and all arrive in their sequence', async () => {
  const { add, append, find, hurry } = await openWorkspace();
  let failures = 3;
  const receiver = await startReceiver(({ event }, response) => {
    const fails = event.number === 3 && failures-- > 0;
    response.writeHead(fails ? 503 : 200).end();
  });
  const { id } = await add({ url: receiver.url, ordering: 'strict' });
  await append(6);
  await eventually(
    async () => {
      await hurry();
      return find(id);
    },
    ({ deliveredThrough, waitingRetries }) => deliveredThrough === 6 && waitingRetries === 0,
  );
  assert.deepEqual(receiver.numbers(), [1, 2, 3, 3, 3, 3, 4, 5, 6]);
});

test('an endpoint that hangs takes nothing from the others', async () => {
  const { add, append } = await openWorkspace();
  const hanging = await startReceiver(() => {});
  const healthy = await startReceiver();
  await add({ url: hanging.url });
  await add({ url: healthy.url });
  await append(300);
  await arrived(healthy, 300);
  assert.equal(hanging.received.length, 10, 'as many as are posted at the same time');
});

test('410 disables an endpoint with an event; enabled again, it gets what it has missed', async () => {
  const { id, add, append, find } = await openWorkspace();
  let status = 410;
  const receiver = await startReceiver((_received, response) => response.writeHead(status).end());
  const webhook = await add({ url: receiver.url, types: ['member.added'] });
  await append(1);
  const gone = await eventually(
    () => find(webhook.id),
    ({ enabled }) => !enabled,
  );
  assert.equal(gone.disabledReason, 'GONE');
  await eventually(
    async () => disabled,
    (all) => all.includes(`${webhook.id} GONE`),
  );
  const events = await database.query('select number, type, data from events where workspace_id = $1 and number = 2', [
    id,
  ]);
  assert.deepEqual(events, [{ number: 2, type: 'webhook.disabled', data: { id: webhook.id, reason: 'GONE' } }]);
  await append(2);
  status = 200;
  await inWorkspace(database, id, (tx) => enableWebhook(tx, theService, id, webhook.id));
  await arrived(receiver, 3);
  assert.deepEqual(sorted([...new Set(receiver.numbers())]), [1, 3, 4]);
});

test('five days of nothing but failures disable an endpoint; after a success, or enabled again, it has five days again', async () => {
  const { id, add, append, find, hurry } = await openWorkspace();
  let status = 500;
  const receiver = await startReceiver((_received, response) => response.writeHead(status).end());
  const beginsToFail = () =>
    eventually(
      () => find(webhook.id),
      ({ failingSince }) => failingSince !== null,
    );
  /** What waits is tried at once, also what an attempt under way has just put off. */
  const hurried = (isReached: (found: Webhook) => boolean) =>
    eventually(async () => {
      await hurry();
      return find(webhook.id);
    }, isReached);
  const webhook = await add({ url: receiver.url });
  await append(1);
  await beginsToFail();
  const age = (interval: string) =>
    database.query(`update webhooks set failing_since = now() - $2::interval where workspace_id = $1`, [id, interval]);
  await age('4 days 23 hours');
  await hurry();
  await arrivals(receiver, 2);
  assert.equal((await find(webhook.id)).enabled, true);
  status = 200;
  await hurried(({ failingSince }) => failingSince === null);
  status = 500;
  await append(1);
  assert.equal((await beginsToFail()).enabled, true);
  await age('5 days 1 minute');
  const failing = await hurried(({ enabled }) => !enabled);
  assert.equal(failing.disabledReason, 'FAILING');
  const posted = receiver.received.length;
  const again = await inWorkspace(database, id, (tx) => enableWebhook(tx, theService, id, webhook.id));
  assert.equal(again.failingSince, null);
  await arrivals(receiver, posted + 1);
  assert.equal((await beginsToFail()).enabled, true);
});

async function arrivals(receiver: Receiver, count: number): Promise<void> {
  await eventually(
    async () => receiver.received.length,
    (length) => length >= count,
  );
}

test('after ten attempts an event is given up, and can be replayed', async () => {
  const { id, add, append, find, hurry } = await openWorkspace();
  let isWell = false;
  const receiver = await startReceiver((_received, response) => response.writeHead(isWell ? 200 : 500).end());
  const webhook = await add({ url: receiver.url });
  await append(1);
  await eventually(
    async () => {
      await hurry();
      return find(webhook.id);
    },
    ({ waitingRetries, deliveredThrough }) => deliveredThrough === 1 && waitingRetries === 0,
  );
  assert.equal(receiver.received.length, 10);
  isWell = true;
  await inWorkspace(database, id, (tx) => replayEvents(tx, theService, id, webhook.id, { eventId: `evt_${id}_1` }));
  await arrivals(receiver, 11);
  await eventually(
    () => find(webhook.id),
    ({ waitingRetries }) => waitingRetries === 0,
  );
});

test('everything from a number can be replayed', async () => {
  const { id, add, append } = await openWorkspace();
  const receiver = await startReceiver();
  const webhook = await add({ url: receiver.url });
  await append(10);
  await arrived(receiver, 10);
  await inWorkspace(database, id, (tx) => replayEvents(tx, theService, id, webhook.id, { from: 7 }));
  await arrivals(receiver, 14);
  assert.deepEqual(sorted(receiver.numbers().slice(10)), [7, 8, 9, 10]);
});

test('a redirect is a failure, and is not followed', async () => {
  const { id, add, append } = await openWorkspace();
  const target = await startReceiver();
  const receiver = await startReceiver((_received, response) =>
    response.writeHead(308, { Location: target.url }).end(),
  );
  const webhook = await add({ url: receiver.url });
  await append(1);
  const [attempt] = await eventually(
    () => listAttempts(database, id, webhook.id, 1),
    (attempts) => attempts.length > 0,
  );
  assert.match(attempt?.error ?? '', /^answered 308, and redirects are not followed/);
  assert.equal(target.received.length, 0);
});

test('what a dispatcher left behind when it was killed is delivered by another', async () => {
  const { id, add, append } = await openWorkspace();
  const receiver = await startReceiver();
  const webhook = await add({ url: receiver.url });
  // As a killed dispatcher leaves it: leased, with nothing written down.
  await database.query(
    `update webhooks set lease_owner = gen_random_uuid(), lease_until = now() + interval '1 second' where workspace_id = $1`,
    [id],
  );
  await append(3);
  await arrived(receiver, 3);
  assert.equal((await findWebhook(database, id, webhook.id)).enabled, true);
});

test('two dispatchers share the endpoints, and none gets an event twice', async () => {
  const other = start();
  const workspaces = await Promise.all(Array.from({ length: 4 }, openWorkspace));
  const receivers = await Promise.all(
    workspaces.map(async ({ add }) => {
      const receiver = await startReceiver();
      await add({ url: receiver.url });
      return receiver;
    }),
  );
  for (let round = 0; round < 5; round++) await Promise.all(workspaces.map(({ append }) => append(40)));
  for (const receiver of receivers) await arrived(receiver, 200);
  for (const receiver of receivers) assert.deepEqual(sorted(receiver.numbers()), upTo(200));
  await other.stop();
});

test('a stop ends what hangs', async () => {
  await dispatcher.stop();
  const leased = await database.query('select from webhooks where lease_owner is not null');
  assert.deepEqual(leased, []);
});

test('a dispatcher pauses between two looks for events', async (t) => {
  const pass = holdPauses(t);
  let looks = 0;
  const query: Database['query'] = async (sql) => {
    if (sql.includes('lease_owner')) looks++;
    return [];
  };
  const dispatcher = startDispatcher({ ...database, query });
  const seen: number[] = [];
  for (const ms of [199, 1, 199, 1]) {
    await pass(ms);
    seen.push(looks);
  }
  assert.deepEqual(seen, [1, 2, 2, 3]);
  await dispatcher.stop();
});
