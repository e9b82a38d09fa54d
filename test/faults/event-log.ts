import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { EventRecord } from '../../src/ground/contract/event.ts';
import type { EventPage } from '../../src/ground/contract/event-list.ts';
import { within } from '../support/eventually.ts';
import type { Client } from './client.ts';
import type { Receiver } from './receivers.ts';
import type { Rig } from './rig.ts';

const pulledWithinMs = 60_000;
const deliveredWithinMs = 90_000;

/** A reader that pulls all along and waits for what comes next. It knows nothing but the number that it got last. */
export class Reader {
  readonly events: EventRecord[] = [];
  readonly #client: Client;
  #next = 0;

  constructor(client: Client) {
    this.#client = client;
    void this.#pull();
  }

  async reaches(number: number): Promise<boolean> {
    return within(pulledWithinMs * this.#client.journal.patience, async () => this.#next >= number);
  }

  async #pull(): Promise<void> {
    while (!this.#client.isClosed) {
      const page = await pull(this.#client, this.#next, 5);
      if (page === null) await sleep(100);
      else {
        this.events.push(...page.events);
        this.#next = page.next;
      }
    }
  }
}

/** Null while the service does not answer. */
async function pull(client: Client, after: number, wait: number): Promise<EventPage | null> {
  const address = `${client.url}/api/v1/events?after=${after}&wait=${wait}&size=100`;
  const response = await fetch(address, { headers: client.headers(), signal: AbortSignal.timeout(15_000) }).catch(
    () => null,
  );
  if (!response?.ok) return null;
  return response.json().catch(() => null) as Promise<EventPage | null>;
}

/** Pulls the log from its beginning. */
async function pullAll(client: Client): Promise<EventRecord[]> {
  const events: EventRecord[] = [];
  for (let next = 0; ; ) {
    const page = await pull(client, next, 0);
    if (page === null) throw new Error('the events cannot be pulled');
    events.push(...page.events);
    next = page.next;
    if (next >= page.latest) return events;
  }
}

/** Checks the promises of the log: dense numbers, nothing lost on any way, and a state that can be rebuilt from it. */
export async function checkEvents(
  rig: Rig,
  client: Client,
  reader: Reader,
  receivers: { well: Receiver[]; unwell: Receiver[] },
): Promise<void> {
  const { journal } = client;
  await within(pulledWithinMs * journal.patience, async () => (await rig.pending()) === 0);
  const events = await pullAll(client);
  const hasReached = await reader.reaches(events.length);
  journal.require(hasReached, `A reader who waits did not get event ${events.length}.`);
  for (const pulled of [events, reader.events])
    journal.require(
      pulled.every(({ number }, nth) => number === nth + 1),
      `The ${pulled.length} events that were pulled are not numbered 1, 2, 3 ….`,
    );
  await compareOrders(rig, client, events);
  await compareShoutouts(rig, client, events);
  for (const receiver of receivers.well) await checkDelivered(rig, client, receiver, events.length);
  for (const receiver of receivers.unwell) await checkKept(rig, client, receiver, events.length);
}

async function compareOrders(rig: Rig, { journal, workspaceId }: Client, events: EventRecord[]): Promise<void> {
  const told = events
    .filter(({ type }) => type.startsWith('order.'))
    .map(({ type, data }) => ({ type, ...data }) as { type: string; requestId: string });
  const held = await rig.database.query<{ completed: object | null; failed: object | null }>(
    `select case when o.id is not null then
              jsonb_build_object('type', 'order.completed', 'requestId', r.request_id, 'customerRequestId', r.customer_request_id,
                                 'orderId', o.id, 'gifts', o.gift_count, 'currency', r.currency,
                                 'total', (select sum(c.amount) from certificates c
                                            where c.workspace_id = o.workspace_id and c.request_id = o.request_id)) end as completed,
            case when o.id is null then
              jsonb_build_object('type', 'order.failed', 'requestId', r.request_id, 'customerRequestId', r.customer_request_id) end as failed
       from orders o
       join order_requests r using (workspace_id, request_id)
      where workspace_id = $1`,
    [workspaceId],
  );
  const byRequestId = new Map(told.map((one) => [one.requestId, one]));
  journal.require(byRequestId.size === told.length, 'The log has two events of one order.');
  journal.require(told.length === held.length, `The log has ${told.length} orders, and the tables ${held.length}.`);
  for (const { completed, failed } of held) {
    const order = (completed ?? failed) as { requestId: string };
    if (!isDeepStrictEqual(byRequestId.get(order.requestId), order))
      journal.violated(`The log tells something else about order ${order.requestId} than the tables.`);
  }
}

interface KnownShoutout {
  id: number;
  senderId: number | null;
  receiverId: number | null;
  status: string;
  isPrivate: boolean;
}

async function compareShoutouts(rig: Rig, { journal, workspaceId }: Client, events: EventRecord[]): Promise<void> {
  const told = new Map<number, KnownShoutout>();
  for (const { type, data } of events) {
    const shoutout = data as unknown as KnownShoutout;
    if (type === 'shoutout.given') told.set(shoutout.id, { ...shoutout });
    if (type === 'shoutout.approved') Object.assign(told.get(shoutout.id) ?? {}, { status: 'APPROVED' });
    if (type === 'shoutout.declined') Object.assign(told.get(shoutout.id) ?? {}, { status: 'DECLINED' });
  }
  const held = await rig.database.query<KnownShoutout>(
    `select number as id, case when not is_private then sender_id end as "senderId",
            case when not is_private then receiver_id end as "receiverId", status, is_private as "isPrivate"
       from activities
      where workspace_id = $1
        and type = 'SHOUTOUT'
      order by number`,
    [workspaceId],
  );
  const rebuilt = [...told.values()].sort((a, b) => a.id - b.id);
  if (!isDeepStrictEqual(rebuilt, held))
    journal.violated(`The ${rebuilt.length} shoutouts of the log are not the ${held.length} of the tables.`);
}

/** A healthy endpoint has got every event, and could verify each. */
async function checkDelivered(rig: Rig, { journal }: Client, receiver: Receiver, latest: number): Promise<void> {
  const { id, taken, secrets, verified } = receiver;
  const hasAll = await within(deliveredWithinMs * journal.patience, async () => {
    // The second retry comes after five minutes only.
    await rig.database.query('update webhook_retries set next_at = now() where webhook_id = $1', [id]).catch(() => {});
    return taken.size >= latest;
  });
  journal.require(hasAll, `A healthy endpoint got ${taken.size} of ${latest} events.`);
  journal.require(receiver.unverified === 0, `A receiver could not verify ${receiver.unverified} deliveries.`);
  journal.require(
    secrets.every((_, nth) => (verified[nth] ?? 0) > 0),
    'No delivery was signed with the secret of a rotation.',
  );
}

/** An endpoint that fails has got every event, or the service still has it in hand. */
async function checkKept(rig: Rig, { journal, workspaceId }: Client, receiver: Receiver, latest: number) {
  const [webhook] = await rig.database.query<{ cursor: number; retries: { number: number }[] }>(
    `select cursor, (select coalesce(jsonb_agg(r), '[]') from webhook_retries r where r.webhook_id = w.id) as retries
       from webhooks w
      where workspace_id = $1
        and id = $2`,
    [workspaceId, receiver.id],
  );
  const waiting = new Set(webhook?.retries.map(({ number }) => number));
  const delivered = Array.from({ length: Math.min(webhook?.cursor ?? 0, latest) }, (_, nth) => nth + 1);
  const lost = delivered.filter((number) => !receiver.taken.has(number) && !waiting.has(number));
  journal.require(lost.length === 0, `${lost.length} events were not taken by an endpoint, and are not tried again.`);
}
