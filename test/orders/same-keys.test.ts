import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Acceptance } from '../../src/giving/orders/accept.ts';
import { openDatabase } from '../../src/ground/database/database.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createGrant } from '../support/grant.ts';
import { anOrder } from '../support/orders.ts';

const database = await createTestDatabase();
const { url, query, transaction } = database;
const workspace = await createGrant(database);

/** A node that accepts orders. What it gets in one turn of the event loop is one batch. */
function openNode() {
  const database = openDatabase({ url, name: 'node', maxConnections: 2, statementTimeoutMs: 30_000, byKey: true });
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= database.close();
    return closed;
  };
  cleanUp(close);
  const batches: number[] = [];
  const acceptance = new Acceptance(database, [{ afterCommit: ({ submitted }) => batches.push(submitted) }]);
  const submit = (idempotencyKey: string) => {
    const order = anOrder() as never;
    return acceptance.accept({ tokenId: 1, workspace, customerRequestId: null, idempotencyKey, order });
  };
  return {
    batches,
    submitAll: (keys: readonly string[]) => Promise.all(keys.map(submit)),
    close,
  };
}

/** How many statements wait for another transaction. */
const countWaiting = async () =>
  (
    await query(`select from pg_stat_activity
                  where datname = current_database() and application_name = 'giftwire node' and wait_event_type = 'Lock'`)
  ).length;

const countNodes = async () =>
  (
    await query(`select from pg_stat_activity
                  where datname = current_database() and application_name = 'giftwire node'`)
  ).length;

test('batches of the same keys in opposite sequences wait for each other and never deadlock', async () => {
  const keys = Array.from({ length: 9 }, (_, nth) => `key ${nth}`);
  const [one, other] = [openNode(), openNode()];
  // Both are held at the key in the middle. Had each begun at its own end, each would then wait for what the other has.
  const both = await transaction(async (tx) => {
    await tx.query(
      `insert into order_requests (workspace_id, request_id, token_id, sender_id, sender_name, idempotency_key, currency,
                                   language, body)
       values ($1, gen_random_uuid(), 1, $2, 'Payroll', $3, 'CAD', 'EN_CA', '{}')`,
      [workspace.workspaceId, workspace.memberId, keys[4]],
    );
    const submissions = [one.submitAll(keys), other.submitAll(keys.toReversed())];
    const settled = Promise.allSettled(submissions);
    await eventually(countWaiting, (waiting) => waiting === 2);
    await tx.query(`delete from order_requests where workspace_id = $1`, [workspace.workspaceId]);
    return { settled };
  });
  const [first, second] = (await both.settled).map((outcome) => {
    assert.equal(outcome.status, 'fulfilled', String('reason' in outcome && outcome.reason?.cause));
    return (outcome as PromiseFulfilledResult<Awaited<ReturnType<typeof one.submitAll>>>).value;
  });
  const ids = first?.map(({ record }) => record.requestId);
  assert.deepEqual(
    second?.map(({ record }) => record.requestId),
    ids?.toReversed(),
  );
  assert.equal([...(first ?? []), ...(second ?? [])].filter(({ replayed }) => !replayed).length, keys.length);
  assert.deepEqual([one.batches, other.batches], [[keys.length], [keys.length]], 'each was one batch');
  // PostgreSQL counts a deadlock when its connection is closed, at the latest.
  for (const { close } of [one, other]) await close();
  const deadlocks = 'select deadlocks::int as count from pg_stat_database where datname = current_database()';
  await eventually(countNodes, (open) => open === 0);
  assert.deepEqual(await query(deadlocks), [{ count: 0 }]);
});

test('orders of one batch are accepted in the sequence they came, whatever their keys', async () => {
  const node = openNode();
  const accepted = await node.submitAll(['c', 'a', 'd', 'b']);
  const pending = await query<{ id: string }>(
    `select p.request_id as id
       from pending_orders p
       join order_requests r using (workspace_id, request_id)
      where r.idempotency_key = any($1)
      order by p.number`,
    [['a', 'b', 'c', 'd']],
  );
  assert.deepEqual(
    pending.map(({ id }) => id),
    accepted.map(({ record }) => record.requestId),
  );
  assert.deepEqual(node.batches, [4]);
});
