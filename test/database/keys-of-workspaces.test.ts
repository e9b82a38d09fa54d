import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkspaceGrant } from '../../src/access/grants.ts';
import { openDatabase } from '../../src/database/database.ts';
import { Acceptance } from '../../src/orders/accept.ts';
import { readAhead } from '../../src/orders/ahead.ts';
import { Shoutouts } from '../../src/recognition/give.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { createGrant } from '../support/grant.ts';
import { anOrder } from '../support/orders.ts';
import { aShoutout } from '../support/workspace.ts';

const { url } = await createTestDatabase();
const database = openDatabase({ url, name: 'test', maxConnections: 4, statementTimeoutMs: 60_000, byKey: true });
cleanUp(() => database.close());

/** Two customers that happen to choose the same keys. */
const [acme, borealis] = (await Promise.all(['Acme', 'Borealis'].map((name) => createGrant(database, { name })))) as [
  WorkspaceGrant,
  WorkspaceGrant,
];
const idempotencyKey = 'monday';

test('orders of two workspaces under one key, in one batch, are two orders, and each is answered with its own', async () => {
  const batches: number[] = [];
  const acceptance = new Acceptance(database, (size) => batches.push(size));
  const submit = (workspace: WorkspaceGrant, order: unknown) =>
    acceptance.accept({ tokenId: 1, workspace, customerRequestId: null, idempotencyKey, order: order as never });
  // Submissions of one turn of the event loop share a batch.
  const both = (orders: [unknown, unknown]) => Promise.all([submit(acme, orders[0]), submit(borealis, orders[1])]);
  const ids = (accepted: Awaited<ReturnType<typeof both>>) => accepted.map(({ record }) => record.requestId);
  const bodies: [unknown, unknown] = [anOrder(), anOrder({ currency: 'USD' })];

  const first = await both(bodies);
  assert.deepEqual(
    first.map(({ replayed }) => replayed),
    [false, false],
  );
  assert.equal(new Set(ids(first)).size, 2);
  for (let round = 0; round < 3; round++) {
    const again = await both(bodies);
    assert.deepEqual(
      again.map(({ replayed }) => replayed),
      [true, true],
    );
    assert.deepEqual(ids(again), ids(first));
  }
  assert.deepEqual(batches, [2, 2, 2, 2], 'they did share a batch');
  for (const [nth, { workspaceId }] of [acme, borealis].entries()) {
    const rows = await database.query('select request_id as id from order_requests where workspace_id = $1', [
      workspaceId,
    ]);
    assert.deepEqual(rows, [{ id: ids(first)[nth] }]);
  }
});

test('shoutouts of two workspaces under one key, at one moment, are two, and each is answered with its own', async () => {
  const shoutouts = new Shoutouts(database, readAhead);
  const give = (workspace: WorkspaceGrant, message: string) =>
    shoutouts.give({ tokenId: 1, workspace, idempotencyKey, shoutout: { ...aShoutout(), message, isPrivate: false } });
  const both = () => Promise.all([give(acme, 'of Acme'), give(borealis, 'of Borealis')]);
  for (const replayed of [false, true, true]) {
    const answers = await both();
    assert.deepEqual(
      answers.map((answer) => [answer.record.description, answer.record.sender.firstName, answer.replayed]),
      [
        ['of Acme', 'Acme', replayed],
        ['of Borealis', 'Borealis', replayed],
      ],
    );
  }
});
