import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { addMembers } from '../../src/company/directory/save.ts';
import { addWebhook } from '../../src/company/events/webhooks/endpoints.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { queryOne } from '../../src/ground/database/database.ts';
import { load } from '../load.ts';
import { type Bench, freePort, type Service } from '../programs.ts';
import { inRounds, median, type Series } from '../series.ts';
import type { Sizes } from '../sizes.ts';
import { addEvents, fillBacklog } from './events.ts';
import { send } from './pages.ts';
import { anOrder } from './throughput.ts';

/** What one workspace does while another one is measured. */
interface Flood {
  begin(): Promise<void>;
  /** False if it was over too early: then nothing was measured. */
  isOn(): Promise<boolean>;
  end(): Promise<void>;
}

/** The workspace that is flooded, and its neighbour, which sends one thing at a time. */
interface Stage {
  service: Service;
  flooded: number;
  neighbour: number;
  sizes: Sizes;
  /** Resolves when the neighbour's webhook gets its next event. */
  nextEvent(): Promise<void>;
}

/**
 * Milliseconds until one thing of a workspace is done: on an idle service, and while another workspace has a flood of the same. On one
 * node, and on two.
 */
export async function measureFairness(bench: Bench, sizes: Sizes): Promise<Series> {
  const measures: Record<string, () => Promise<number>> = {};
  for (const nodes of [1, 2]) {
    const stage = await setStage(bench, sizes, nodes);
    for (const [name, { flood, ask }] of Object.entries(subjects(stage))) {
      measures[`${name} idle ${nodes}`] = () => medianOf(sizes.fairness.asked, ask);
      measures[`${name} flooded ${nodes}`] = () => whileFlooded(name, flood, () => medianOf(sizes.fairness.asked, ask));
    }
  }
  await inRounds(1, measures);
  return inRounds(sizes.rounds, measures);
}

function subjects(stage: Stage): Record<string, { flood: Flood; ask: () => Promise<void> }> {
  return {
    order: { flood: ordersWaiting(stage), ask: () => completeOrder(stage.service, stage.neighbour) },
    shoutout: { flood: shoutoutsGiven(stage), ask: () => giveShoutout(stage) },
    webhook: { flood: eventsWaiting(stage), ask: () => getEvent(stage) },
    mail: { flood: mailsWaiting(stage), ask: () => sendMail(stage) },
    erasures: { flood: peopleErased(stage), ask: () => completeOrder(stage.service, stage.neighbour) },
    beside: { flood: lockHeld(stage), ask: () => completeOrder(stage.service, stage.neighbour) },
  };
}

async function setStage(bench: Bench, sizes: Sizes, nodes: number): Promise<Stage> {
  const name = `fairness_${nodes}`;
  const port = await freePort();
  await bench.startComparison('mail-receiver.ts', { SMTP_PORT: String(port) });
  const env = { GIFTWIRE_SMTP_URL: `smtp://127.0.0.1:${port}`, GIFTWIRE_MAIL_FROM: 'gifts@example.com' };
  const service = await bench.startService(name, env);
  if (nodes === 2) await bench.startNode(name, env);
  const [flooded, neighbour] = [service.workspaceId + 1, service.workspaceId];
  const receiver = await bench.startComparison('receiver.ts', {});
  const own = await startOwnReceiver();
  await addEndpoint(service, flooded, `${receiver.url}/hook`);
  await addEndpoint(service, neighbour, own.url);
  return { service, flooded, neighbour, sizes, nextEvent: own.nextEvent };
}

async function addEndpoint({ database }: Service, workspaceId: number, url: string): Promise<void> {
  await inWorkspace(database, workspaceId, (tx) =>
    addWebhook(tx, theService, workspaceId, { url, types: ['shoutout.given', 'order.completed'] }, 1),
  );
}

async function startOwnReceiver() {
  let arrived = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(204).end();
      arrived.resolve();
      arrived = Promise.withResolvers<void>();
    });
  }).listen(0, '127.0.0.1');
  server.unref();
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, nextEvent: () => arrived.promise };
}

async function medianOf(times: number, ask: () => Promise<void>): Promise<number> {
  const taken: number[] = [];
  while (taken.length < times) {
    const begun = performance.now();
    await ask();
    taken.push(performance.now() - begun);
    await sleep(20);
  }
  return median(taken);
}

async function whileFlooded(name: string, flood: Flood, measure: () => Promise<number>): Promise<number> {
  await flood.begin();
  try {
    const taken = await measure();
    if (!(await flood.isOn()))
      throw new Error(`the flood beside "${name}" was over before everything was measured: make it larger`);
    return taken;
  } finally {
    await flood.end();
  }
}

/** Sends an order of a workspace, and waits until it is completed. */
export async function completeOrder(service: Service, workspaceId: number): Promise<void> {
  const { body } = await send(service, service.call('POST', '/api/v1/orders', anOrder(1), workspaceId));
  const status = service.call('GET', `/api/v1/orders/status/${body.requestId}`, undefined, workspaceId);
  while ((await send(service, status)).body.requestStatus !== 'COMPLETED') await sleep(1);
}

const shoutout = { recipient: { email: 'ada@example.com' }, message: 'Well done!' };

async function giveShoutout({ service, neighbour }: Stage): Promise<void> {
  await send(service, service.call('POST', '/api/v1/shoutouts', shoutout, neighbour));
}

async function getEvent(stage: Stage): Promise<void> {
  const arrived = stage.nextEvent();
  await giveShoutout(stage);
  await arrived;
}

async function sendMail({ service, neighbour }: Stage): Promise<void> {
  const { body } = await send(service, service.call('POST', '/api/v1/orders', anOrder(1), neighbour));
  const isSent = () =>
    service.database.query(`select from mails where workspace_id = $1 and request_id = $2 and state = 'SENT'`, [
      neighbour,
      body.requestId,
    ]);
  while ((await isSent()).length === 0) await sleep(5);
}

/** Orders of 20 gifts that wait to be fulfilled. Those that were left when a flood ended wait again in the next one. */
function ordersWaiting({ service: { database }, flooded, sizes }: Stage): Flood {
  const count = async () => {
    const sql = 'select count(*) as orders from pending_orders where workspace_id = $1';
    return (await database.query<{ orders: number }>(sql, [flooded]))[0]?.orders ?? 0;
  };
  const orders = sizes.fairness.gifts / 20;
  return {
    async begin() {
      await fillBacklog(database, flooded, orders - (await count()), 20);
      while ((await count()) === orders) await sleep(20);
    },
    isOn: async () => (await count()) > 0,
    async end() {
      await database.query('delete from pending_orders where workspace_id = $1', [flooded]);
      await quiet(database, flooded);
    },
  };
}

/** Many callers who give one shoutout after the other. */
function shoutoutsGiven({ service, flooded, sizes }: Stage): Flood {
  let underWay: Promise<unknown> | null = null;
  const call = service.call('POST', '/api/v1/shoutouts', shoutout, flooded);
  return {
    async begin() {
      // Some may be refused with 503, which is no fault of a flood.
      const shoutouts = load({ url: service.url, calls: [call], seconds: sizes.fairness.seconds }).catch(() => {});
      underWay = shoutouts.finally(() => {
        underWay = null;
      });
      await sleep(500);
    },
    isOn: async () => underWay !== null,
    async end() {
      await underWay;
      await quiet(service.database, flooded);
    },
  };
}

/** Events that a webhook has yet to get. */
function eventsWaiting({ service: { database }, flooded, sizes }: Stage): Flood {
  const behind = async () => {
    const [found] = await database.query<{ events: number }>(
      `select c.latest - w.cursor as events from webhooks w join event_counters c using (workspace_id) where w.workspace_id = $1`,
      [flooded],
    );
    return found?.events ?? 0;
  };
  return {
    async begin() {
      await addEvents(database, flooded, sizes.fairness.events);
      while ((await behind()) >= sizes.fairness.events) await sleep(20);
    },
    isOn: async () => (await behind()) > 0,
    end: () => quiet(database, flooded),
  };
}

/** Mails about gifts that wait to be sent. */
function mailsWaiting({ service: { database }, flooded, sizes }: Stage): Flood {
  const waiting = async () =>
    (await database.query(`select from mails where workspace_id = $1 and state = 'QUEUED' limit 1`, [flooded])).length;
  return {
    async begin() {
      await database.query(
        `update mails set state = 'QUEUED', due_at = now(), sent_at = null
                             where (workspace_id, request_id, position) in (
                               select workspace_id, request_id, position from certificates
                                where workspace_id = $1 order by id limit ${sizes.fairness.mails})
                               and kind = 'GIFT'`,
        [flooded],
      );
      await database.query('update mail_queues set next_due = now() where workspace_id = $1', [flooded]);
    },
    isOn: async () => (await waiting()) > 0,
    async end() {
      // Mails that the sender has locked are left to it.
      while (await waiting())
        await database.query(
          `update mails set state = 'CANCELLED'
            where ctid in (select ctid from mails where workspace_id = $1 and state = 'QUEUED' for update skip locked)`,
          [flooded],
        );
    },
  };
}

/** People whose erasure is due. */
function peopleErased({ service: { database }, flooded, sizes }: Stage): Flood {
  let added = 0;
  const due = async () => {
    const sql = `select count(*) filter (where state = 'WAITING')::int as waiting, count(*) filter (where state = 'RUNNING')::int as running
                   from erasures where workspace_id = $1`;
    return queryOne<{ waiting: number; running: number }>(database, sql, [flooded]);
  };
  return {
    async begin() {
      const people = Array.from({ length: sizes.fairness.people }, () => ({
        email: `person.${added++}@erased.example.com`,
        firstName: 'Person',
        lastName: String(added),
      }));
      await inWorkspace(database, flooded, async (tx) => {
        const ids = await addMembers(tx, flooded, people);
        await tx.query(
          `insert into erasures (workspace_id, member_id, state, requested_by, requested_at, due_at)
           select $1, unnest($2::bigint[]), 'WAITING', $3, now(), now()`,
          [flooded, ids, theService],
        );
      });
      while ((await due()).waiting >= sizes.fairness.people) await sleep(20);
    },
    isOn: async () => (await due()).waiting > 0,
    async end() {
      await database.query(`update erasures set state = 'STOPPED' where workspace_id = $1 and state = 'WAITING'`, [
        flooded,
      ]);
      while ((await due()).running > 0) await sleep(100);
      await quiet(database, flooded);
    },
  };
}

/** The lock that an import or a large group of SCIM holds, while orders and shoutouts of that workspace wait for it. */
function lockHeld({ service, flooded }: Stage): Flood {
  const { database } = service;
  let release = () => {};
  let held: Promise<void> = Promise.resolve();
  let crowd: Promise<unknown> = Promise.resolve();
  return {
    async begin() {
      const [taken, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      release = released.resolve;
      held = inWorkspace(database, flooded, async (tx) => {
        await tx.query('set local idle_in_transaction_session_timeout = 0');
        taken.resolve();
        await released.promise;
      });
      await taken.promise;
      await fillBacklog(database, flooded, 100, 1);
      // Over connections of their own: the neighbour has one, and must not wait behind them there.
      const { path, ...request } = service.call('POST', '/api/v1/shoutouts', shoutout, flooded);
      crowd = Promise.all(Array.from({ length: 20 }, () => fetch(service.url + path, request).catch(() => {})));
      await send(service, service.call('POST', '/api/v1/orders', anOrder(1), flooded));
    },
    isOn: async () => true,
    async end() {
      release();
      await held;
      await crowd;
      await quiet(database, flooded);
    },
  };
}

/** Ends what is left of a flood: its mails, and its events for the webhook. Waits until nothing of it is under way. */
async function quiet(database: Service['database'], flooded: number): Promise<void> {
  await database.query(`update mails set state = 'CANCELLED' where workspace_id = $1 and state = 'QUEUED'`, [flooded]);
  await database.query(
    `update webhooks w set cursor = c.latest from event_counters c where w.workspace_id = $1 and c.workspace_id = $1`,
    [flooded],
  );
  await sleep(1_500);
}
