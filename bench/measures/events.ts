import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { type EventRow, eventColumns, eventRecord } from '../../src/company/events/log.ts';
import { readLatest } from '../../src/company/events/read.ts';
import { createGuardedAgent } from '../../src/company/events/webhooks/connector.ts';
import { WebhookDispatcher } from '../../src/company/events/webhooks/dispatcher.ts';
import { addWebhook } from '../../src/company/events/webhooks/endpoints.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { giftTokenKeys } from '../../src/giving/gifts/token-keys.ts';
import { Fulfilment } from '../../src/giving/orders/fulfilment.ts';
import type { FulfilStep } from '../../src/giving/orders/order-steps.ts';
import type { Database } from '../../src/ground/database/database.ts';
import { migrate } from '../../src/ground/database/migrate.ts';
import { checkSchema } from '../../src/ground/database/schema.ts';
import { appendOrderEvents, settle } from '../../src/steps.ts';
import { type Bench, createAccess, type Program, type Service } from '../programs.ts';
import { inRounds, type Series } from '../series.ts';
import type { Sizes } from '../sizes.ts';
import { medianTime } from './pages.ts';
import { anOrder } from './throughput.ts';

export const secret = 'the key of the benchmark'.repeat(2);

/** Orders a second that are fulfilled out of a backlog, with the event log and without it. Both have their entries in the ledger. */
export async function measureLogging(bench: Bench, sizes: Sizes): Promise<Series> {
  const database = await bench.createDatabase('fulfilling');
  await migrate(database);
  const { workspaceId } = await createAccess(database, 1);
  const measures = {
    fulfilledWithLog: () => fulfil(database, workspaceId, sizes.backlog, [appendOrderEvents, settle]),
    fulfilledWithoutLog: () => fulfil(database, workspaceId, sizes.backlog, [settle]),
  };
  await inRounds(1, measures);
  return inRounds(sizes.rounds * 2, measures);
}

/** Fulfils so many orders of one gift; orders a second. */
export async function fulfil(
  database: Database,
  workspaceId: number,
  orders: number,
  steps: readonly FulfilStep[],
): Promise<number> {
  await fillBacklog(database, workspaceId, orders, 1);
  const keys = giftTokenKeys([{ version: 1, secret }]);
  const fulfilment = new Fulfilment({
    database,
    keys,
    checkSchema,
    steps,
    onPostponed: (_workspaceId, _requestId, error) => console.error(error),
  });
  const begun = performance.now();
  fulfilment.wake(workspaceId);
  await fulfilment.idle();
  const rate = (orders / (performance.now() - begun)) * 1_000;
  await fulfilment.stop();
  return rate;
}

/** So many orders that wait to be fulfilled. */
export async function fillBacklog(database: Database, workspaceId: number, orders: number, gifts: number) {
  await database.query(backlogSql, [workspaceId, orders, JSON.stringify(anOrder(gifts)), gifts]);
}

const backlogSql = `
  with sender as (
    select token_id, member_id from api_token_workspaces where workspace_id = $1
  ),
  accepted as (
    insert into order_requests (workspace_id, request_id, token_id, sender_id, sender_name, currency, language, body)
    select $1, uuidv7(), token_id, member_id, 'Bench', 'CAD', 'EN_CA', $3::jsonb
      from sender, generate_series(1, $2::int)
    returning workspace_id, request_id
  )
  insert into pending_orders (workspace_id, request_id, gifts)
  select workspace_id, request_id, $4::int from accepted`;

/**
 * Events a second that reach a receiver: delivered as webhooks, posted by a bare loop with the same HTTP client, and
 * delivered while another endpoint of the workspace hangs.
 */
export async function measureDeliveries(bench: Bench, sizes: Sizes): Promise<Series> {
  const receiver = await bench.startComparison('receiver.ts', {});
  const database = await bench.createDatabase('delivering');
  await migrate(database);
  const { workspaceId } = await createAccess(database, 2);
  const beside = workspaceId + 1;
  for (const workspace of [workspaceId, beside]) {
    await database.query(eventsSql, [workspace, 0, sizes.deliveries]);
    await add(database, workspace, `${receiver.url}/hook`);
  }
  await add(database, beside, `${receiver.url}/hang`);
  const bodies = await readBodies(database, workspaceId);
  const measures = {
    delivered: () => deliver(database, workspaceId, sizes.deliveries),
    posted: () => post(receiver, bodies),
    deliveredBesideHanging: () => deliver(database, beside, sizes.deliveries),
  };
  await inRounds(1, measures);
  return inRounds(sizes.rounds * 2, measures);
}

async function add(database: Database, workspaceId: number, url: string): Promise<void> {
  await inWorkspace(database, workspaceId, (tx) => addWebhook(tx, theService, workspaceId, { url }, 1));
}

/** Every webhook of the workspace begins at the first event; the first one is watched until it has them all. */
async function deliver(database: Database, workspaceId: number, events: number): Promise<number> {
  await database.query('delete from webhook_retries where workspace_id = $1', [workspaceId]);
  await database.query(
    'update webhooks set cursor = 0, lease_until = null, failing_since = null where workspace_id = $1',
    [workspaceId],
  );
  const { agent, dispatcher } = startDispatcher(database);
  const begun = performance.now();
  while ((await readCursor(database, workspaceId)) < events) await sleep(10);
  const rate = (events / (performance.now() - begun)) * 1_000;
  await dispatcher.stop();
  await agent.destroy();
  await database.query('update webhooks set cursor = $2 where workspace_id = $1', [workspaceId, events]);
  return rate;
}

function startDispatcher(database: Database) {
  const agent = createGuardedAgent({ networks: { allowsLoopback: true, opened: [] } });
  const dispatcher = new WebhookDispatcher({
    database,
    agent,
    deriveSecret: (purpose) => createHmac('sha256', 'the key of the benchmark').update(purpose).digest(),
    onAttempts: () => {},
    onDisabled: () => {},
    onProblem: console.error,
  });
  return { agent, dispatcher };
}

async function readCursor(database: Database, workspaceId: number): Promise<number> {
  const [webhook] = await database.query<{ cursor: number }>(
    'select cursor from webhooks where workspace_id = $1 order by id limit 1',
    [workspaceId],
  );
  return webhook?.cursor ?? 0;
}

/** As many at a time as the dispatcher has under way. */
const concurrency = 10;

async function post({ url }: Program, bodies: readonly string[]): Promise<number> {
  const agent = new Agent();
  const waiting = bodies.values();
  const begun = performance.now();
  const postInTurn = async () => {
    for (const body of waiting) {
      const headers = { 'content-type': 'application/json' };
      const response = await request(`${url}/hook`, { dispatcher: agent, method: 'POST', headers, body });
      await response.body.dump();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, postInTurn));
  const rate = (bodies.length / (performance.now() - begun)) * 1_000;
  await agent.close();
  return rate;
}

async function readBodies(database: Database, workspaceId: number): Promise<string[]> {
  const rows = await database.query<EventRow>(
    `select ${eventColumns} from events e where e.workspace_id = $1 order by e.number`,
    [workspaceId],
  );
  return rows.map((row) => JSON.stringify(eventRecord(workspaceId, row)));
}

const chunk = 250_000;

/** Milliseconds for the first and the last page of a long log. */
export async function measureLog(service: Service, sizes: Sizes): Promise<Series> {
  const before = await readLatest(service.database, [service.workspaceId]);
  const start = before.get(service.workspaceId) ?? 0;
  for (let first = 0; first < sizes.events; first += chunk)
    await service.database.query(eventsSql, [
      service.workspaceId,
      start + first,
      Math.min(chunk, sizes.events - first),
    ]);
  await service.database.pool.query('vacuum (analyze) events');
  const page = (after: number) => service.call('GET', `/api/v1/events?size=100&after=${after}`);
  const measures = {
    eventsFirst: () => medianTime(service, page(0), sizes.pages),
    eventsLast: () => medianTime(service, page(start + sizes.events - 100), sizes.pages),
  };
  await inRounds(1, measures);
  return inRounds(sizes.rounds, measures);
}

/** Appends events to a workspace's log. Under the workspace's lock, as every writer of events: the service appends its own meanwhile. */
export async function addEvents(database: Database, workspaceId: number, count: number): Promise<void> {
  await inWorkspace(database, workspaceId, async (tx) => {
    const latest = (await readLatest(tx, [workspaceId])).get(workspaceId) ?? 0;
    await tx.query(eventsSql, [workspaceId, latest, count]);
  });
}

/** As an order's events are: $3 of them, behind the first $2. */
const eventsSql = `
  with counter as (
    insert into event_counters as c (workspace_id, latest, latest_at)
    values ($1::bigint, $2::bigint + $3::bigint, now())
        on conflict (workspace_id) do update set latest = excluded.latest, latest_at = excluded.latest_at
  )
  insert into events (workspace_id, number, type, created_at, data)
  select $1::bigint, number, 'order.completed', now(),
         json_build_object('requestId', gen_random_uuid(), 'customerRequestId', 'bonus-' || number, 'orderId', number,
                            'gifts', 1, 'total', 25, 'currency', 'CAD')
    from generate_series($2::bigint + 1, $2::bigint + $3::bigint) as number`;
