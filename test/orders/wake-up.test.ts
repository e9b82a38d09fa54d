import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkspaceGrant } from '../../src/company/access/grants.ts';
import { Acceptance } from '../../src/giving/orders/accept.ts';
import { Fulfilment } from '../../src/giving/orders/fulfilment.ts';
import { ordersChannel } from '../../src/giving/orders/queue.ts';
import { wakeNamed } from '../../src/giving/orders/wake-up.ts';
import { Listener } from '../../src/ground/database/listener.ts';
import { checkSchema } from '../../src/ground/database/schema.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { createGrant } from '../support/grant.ts';
import { parseKeys } from '../support/keys.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const tokenKey = 'the-key-that-all-nodes-of-this-file-share';
const api = await startService({ tokenKey, role: 'api' });
const { database } = api;
const createFulfilment = () =>
  new Fulfilment({ database, keys: parseKeys(tokenKey), checkSchema, steps: [], onPostponed() {} });

const numbersOf = async (workspaceId: number) =>
  (
    await database.query<{ number: number }>(
      'select number from pending_orders where workspace_id = $1 order by number',
      [workspaceId],
    )
  ).map(({ number }) => number);

test('a batch of orders is one notification, which names each workspace with its first order', async () => {
  const heard: string[] = [];
  const listener = new Listener(database.url, ordersChannel, (names) => names !== null && heard.push(names));
  cleanUp(() => listener.close());
  await eventually(async () => listener.hasHeardAll(60_000), Boolean);
  const acceptance = new Acceptance(database);
  const [one, other] = [await createGrant(database), await createGrant(database)];
  const submission = { tokenId: 1, customerRequestId: null, idempotencyKey: null, order: anOrder() as never };
  const workspaces = [one, other, one, other, other];
  await Promise.all(workspaces.map((workspace) => acceptance.accept({ ...submission, workspace })));
  await eventually(
    async () => heard,
    ({ length }) => length > 0,
  );
  const first = async ({ workspaceId }: WorkspaceGrant) => `${workspaceId} ${(await numbersOf(workspaceId))[0]}`;
  assert.deepEqual(
    heard.map((names) => names.split('\n').sort()),
    [[await first(one), await first(other)].sort()],
  );
});

test('a notification wakes the workspaces that it names, and all that wait where it names none', async () => {
  const [named, also, unnamed] = [await openWorkspace(api), await openWorkspace(api), await openWorkspace(api)];
  const requestIds = await Promise.all([named, also, unnamed].map(({ submit }) => submit([aGift()])));
  const fulfilment = createFulfilment();
  const steps = async () =>
    Promise.all(
      [named, also, unnamed].map(async ({ status }, nth) => (await status(requestIds[nth] as string)).orderStep),
    );
  const lines = [named, also].map(async ({ id }) => `${id} ${(await numbersOf(id))[0]}`);
  await wakeNamed(fulfilment, (await Promise.all(lines)).join('\n'));
  await fulfilment.idle();
  assert.deepEqual(await steps(), ['COMPLETED', 'COMPLETED', 'PENDING']);
  await wakeNamed(fulfilment, null);
  await fulfilment.idle();
  assert.deepEqual(await steps(), ['COMPLETED', 'COMPLETED', 'COMPLETED']);
  // Another node that begins to listen sends itself a word.
  const later = await unnamed.submit([aGift()]);
  await wakeNamed(fulfilment, '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f');
  await fulfilment.idle();
  assert.equal((await unnamed.status(later)).orderStep, 'COMPLETED');
});

test('a worker whose connection for notifications was lost fulfils what was accepted meanwhile', async () => {
  const worker = await startService({ tokenKey, role: 'worker', databaseUrl: database.url });
  const workspace = await openWorkspace(api);
  const first = await workspace.submit([aGift()]);
  assert.equal((await workspace.outcome(first)).state, 'COMPLETED');
  await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'giftwire listener' and datname = current_database()`,
  );
  const requestIds = await Promise.all(Array.from({ length: 5 }, () => workspace.submit([aGift()])));
  for (const requestId of requestIds) assert.equal((await workspace.outcome(requestId)).state, 'COMPLETED');
  await worker.stop();
});
