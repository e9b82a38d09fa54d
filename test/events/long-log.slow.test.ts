import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEvents } from '../../src/company/events/read.ts';
import { type ClaimedWebhook, claimedColumns, claimWebhooks } from '../../src/company/events/webhooks/claim.ts';
import { createGuardedAgent } from '../../src/company/events/webhooks/connector.ts';
import { deliverNext } from '../../src/company/events/webhooks/deliver.ts';
import { addWebhook } from '../../src/company/events/webhooks/endpoints.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { createWorkspace } from '../../src/company/workspaces/workspaces.ts';
import type { EventType } from '../../src/ground/contract/event.ts';
import type { Queryable } from '../../src/ground/database/database.ts';
import { cleanUp } from '../support/cleanup.ts';
import { createTestDatabase } from '../support/database.ts';
import { deriveSecret } from '../support/deliveries.ts';

const events = 100_000;
const rareEvery = 10_000;
const size = 20;
const database = await createTestDatabase({ mayDisagree: 'its events stand for nothing in the tables' });
const { id: workspaceId } = await database.transaction((tx) =>
  createWorkspace(tx, theService, { name: 'Acme', language: 'EN_CA', refusesUnknownEmployeeNumbers: false }),
);
await database.query('insert into event_counters (workspace_id, latest, latest_at) values ($1, $2, now())', [
  workspaceId,
  events,
]);
await database.query(
  `insert into events (workspace_id, number, type, created_at, data)
   select $1, number, case when number % $3 = 0 then 'member.merged' else 'order.completed' end, now(), '{}'
     from generate_series(1, $2::int) as number`,
  [workspaceId, events, rareEvery],
);
// Of all rows: a sample may miss the ten rare ones, and the planner would then not know that they are rare.
await database.pool.query('set default_statistics_target = 1000; analyze');

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Relation Name'?: string;
  Plans?: Plan[];
}

/** How many rows of tables the statements read that the work runs. */
async function countRead(work: (on: Queryable) => Promise<unknown>): Promise<number> {
  let read = 0;
  const count = (plan: Plan): void => {
    const rows = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
    if (plan['Relation Name']) read += rows * plan['Actual Loops'];
    for (const below of plan.Plans ?? []) count(below);
  };
  await work({
    async query<Row>(sql: string, values: readonly unknown[] = []) {
      const [explained] = await database.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `explain (analyze, format json) ${sql}`,
        values,
        'once',
      );
      for (const { Plan: plan } of explained?.['QUERY PLAN'] ?? []) count(plan);
      return database.query<Row>(sql, values);
    },
  });
  return read;
}

/** The rows that say how far the log reaches: the counter and the current history. */
const perPage = 2;

const page = (after: number, types: EventType[] | null) => (on: Queryable) =>
  readEvents(on, workspaceId, { after, size, types });

test('a page at the end of a long log reads as few rows as one at its beginning', async () => {
  const first = await countRead(page(0, null));
  const last = await countRead(page(events - size, null));
  assert.equal(last, first);
  assert.ok(first <= size + perPage, `${first} rows for ${size} events`);
});

test('a page of a rare type reads its own rows alone', async () => {
  const rare = events / rareEvery;
  const read = await countRead(page(0, ['member.merged', 'member.left']));
  assert.ok(read <= rare + perPage, `${read} rows for ${rare} events`);
  const atTheEnd = await countRead(page(events - 5, ['member.merged']));
  assert.ok(atTheEnd <= 1 + perPage, `${atTheEnd} rows for 1 event`);
});

test('healthy endpoints with nothing to deliver cost a claim no look at the retries', async () => {
  for (let nth = 0; nth < 20; nth++)
    await inWorkspace(database, workspaceId, (tx) =>
      addWebhook(tx, theService, workspaceId, { url: `http://127.0.0.1/${nth}` }, 1),
    );
  await database.query(
    `insert into webhook_retries (workspace_id, webhook_id, number, attempts, next_at)
     select workspace_id, id, number, 1, now() + interval '1 hour' from webhooks, generate_series(1, 100) as number
      where id = (select min(id) from webhooks)`,
  );
  await database.query('update webhooks set has_retries = true where id = (select min(id) from webhooks)');
  await database.pool.query('analyze');
  const read = await countRead((on) => claimWebhooks(on, { all: 100, failing: 50 }));
  assert.ok(read <= 50, `${read} rows for 20 endpoints`);
});

test('retries that are not due cost a batch nothing, however many wait', async () => {
  await database.query('delete from webhooks');
  const { id } = await inWorkspace(database, workspaceId, (tx) =>
    addWebhook(tx, theService, workspaceId, { url: 'http://127.0.0.1/' }, 1),
  );
  await database.query(
    `insert into webhook_retries (workspace_id, webhook_id, number, attempts, next_at)
     select $1, $2, number, 1, now() + interval '1 hour' from generate_series(1, $3::int) as number`,
    [workspaceId, id, events],
  );
  await database.query('update webhooks set has_retries = true where id = $1', [id]);
  await database.pool.query('analyze');
  const [webhook] = await database.query<ClaimedWebhook>(`select ${claimedColumns} from webhooks w where id = $1`, [
    id,
  ]);
  const agent = createGuardedAgent({ networks: { allowsLoopback: true, opened: [] } });
  cleanUp(() => agent.close());
  const delivery = {
    agent,
    deriveSecret,
    signal: new AbortController().signal,
    onAttempts: () => {},
    onDisabled: () => {},
  };
  const read = await countRead(({ query }) =>
    deliverNext({ ...delivery, database: { ...database, query } }, webhook as ClaimedWebhook),
  );
  assert.ok(read <= 10, `${read} rows for nothing to deliver`);
});
