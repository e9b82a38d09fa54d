import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendEvents } from '../../src/company/events/log.ts';
import { addWebhook } from '../../src/company/events/webhooks/endpoints.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { createWorkspace } from '../../src/company/workspaces/workspaces.ts';
import { createTestDatabase } from '../support/database.ts';
import { startDispatcher } from '../support/deliveries.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';

const database = await createTestDatabase();
const flood = 20_000;

async function openWorkspace(url: string): Promise<number> {
  const workspace = { name: 'Acme', language: 'EN_CA', refusesUnknownEmployeeNumbers: false };
  const { id } = await database.transaction((tx) => createWorkspace(tx, theService, workspace));
  await inWorkspace(database, id, (tx) => addWebhook(tx, theService, id, { url }, 1));
  return id;
}

test("a flood of one workspace's events does not delay another workspace's webhook", async () => {
  const [flooded, other] = [await startReceiver(), await startReceiver()];
  const many = await openWorkspace(flooded.url);
  const few = await openWorkspace(other.url);
  const append = (id: number, count: number) =>
    inWorkspace(database, id, (tx) =>
      appendEvents(
        tx,
        id,
        new Date(),
        Array.from({ length: count }, (_, nth) => ({ type: 'member.added', data: { id: nth + 1 } })),
      ),
    );
  await append(many, flood);
  startDispatcher(database);
  await eventually(async () => flooded.received.length > 0);
  await append(few, 1);
  await eventually(async () => other.received.length > 0);
  assert.ok(flooded.received.length < flood, 'the other event came only after the flood');
});
