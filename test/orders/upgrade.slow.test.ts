import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrate } from '../../src/ground/database/migrate.ts';
import { administer } from '../support/database.ts';
import { restoreRelease } from '../support/releases.ts';

test('orders that an old version left in its queue of jobs are pending after the upgrade, each once, and the queue is gone', async () => {
  const { database, facts } = await restoreRelease('0.6.0');
  const pending = async () =>
    (await database.query<{ id: string }>('select request_id as id from pending_orders order by number')).map(
      ({ id }) => id,
    );
  assert.deepEqual(await pending(), [facts.waiting]);
  // A version without pending orders has accepted one order, and finished another that a newer one had listed.
  await database.query('delete from pending_orders');
  const { requestId } = facts.finished;
  await database.query('insert into pending_orders (workspace_id, request_id, gifts) values (1, $1, 1)', [requestId]);
  await database.query(`select graphile_worker.add_job('fulfil', $1::json)`, [
    JSON.stringify({ workspaceIds: [1], requestIds: [facts.waiting], gifts: [2] }),
  ]);
  // A role that owns nothing had rights to the queue.
  const role = `${database.name}_runner`;
  await administer(`create role ${role} login`);
  await database.pool.query(
    `grant usage on schema graphile_worker to ${role};
     grant select on all tables in schema graphile_worker to ${role};
     alter default privileges in schema graphile_worker grant select on tables to ${role};
     create policy runner on graphile_worker._private_jobs to ${role} using (true)`,
  );
  await migrate(database);
  assert.deepEqual(await pending(), [facts.waiting]);
  assert.deepEqual(
    await database.query(
      `select to_regnamespace('graphile_worker') as queue, to_regclass('fulfilment_progress') as progress`,
    ),
    [{ queue: null, progress: null }],
  );
});
