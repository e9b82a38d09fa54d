import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { appendEvents } from '../../src/company/events/log.ts';
import { addWebhook } from '../../src/company/events/webhooks/endpoints.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { createWorkspace } from '../../src/company/workspaces/workspaces.ts';
import type { NewEvent } from '../../src/ground/contract/event.ts';
import { createTestDatabase } from '../support/database.ts';
import { startDispatcher } from '../support/deliveries.ts';
import { eventually } from '../support/eventually.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';

const database = await createTestDatabase();
const places = 4;

type Answer = (received: Received, response: ServerResponse) => void;

/** A workspace with endpoints that have something to get. */
async function openEndpoints(count: number, events: number, answer?: Answer): Promise<Receiver[]> {
  const workspace = { name: 'Acme', language: 'EN_CA', refusesUnknownEmployeeNumbers: false };
  const { id } = await database.transaction((tx) => createWorkspace(tx, theService, workspace));
  const receivers = await Promise.all(Array.from({ length: count }, () => startReceiver(answer)));
  const news = Array.from({ length: events }, (): NewEvent => ({ type: 'member.added', data: { id: 1 } }));
  await inWorkspace(database, id, async (tx, moment) => {
    for (const { url } of receivers) await addWebhook(tx, theService, id, { url }, 1);
    if (answer) await tx.query('update webhooks set failing_since = now() where workspace_id = $1', [id]);
    await appendEvents(tx, id, moment, news);
  });
  return receivers;
}

const reached = (receivers: readonly Receiver[]) => receivers.filter(({ received }) => received.length > 0).length;

test('endpoints that are known to fail take half of the places at most, and healthy ones find one', async () => {
  const held = new Map<string, number>();
  let mostHeld = 0;
  const hanging = await openEndpoints(6, 20, ({ headers: { host = '' } }, response) => {
    held.set(host, (held.get(host) ?? 0) + 1);
    response.once('close', () => held.set(host, (held.get(host) ?? 0) - 1));
    mostHeld = Math.max(mostHeld, [...held.values()].filter((posts) => posts > 0).length);
  });
  const dispatcher = startDispatcher(database, { places });
  await eventually(
    async () => reached(hanging),
    (count) => count >= places / 2,
  );
  const healthy = await openEndpoints(6, 5);
  await eventually(
    async () => healthy.map(({ received }) => received.length),
    (counts) => counts.every((count) => count === 5),
  );
  assert.equal(mostHeld, places / 2);
  await dispatcher.stop();
  await database.query('delete from webhooks');
});

test('endpoints that fail take turns, so that one that works again is noticed', async () => {
  let whenAllWereReached: number[] | null = null;
  // More than an endpoint that is alone gets before the dispatcher looks for others again.
  const events = 4_000;
  const failing = await openEndpoints(6, events, (_received, response) => {
    if (reached(failing) === failing.length)
      whenAllWereReached ??= failing.map(({ numbers }) => new Set(numbers()).size);
    response.writeHead(500).end();
  });
  const dispatcher = startDispatcher(database, { places });
  const counts = await eventually(async () => whenAllWereReached);
  assert.ok(
    counts.every((count) => count < events),
    `some had got everything before others got something: ${counts}`,
  );
  await dispatcher.stop();
});
