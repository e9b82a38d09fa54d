import { Batcher } from '../database/batcher.ts';
import { type Database, isConflict, isOwnFault, type Queryable } from '../database/database.ts';
import { lookUp } from '../database/look-up.ts';
import { lockWorkspaces } from '../directory/lock.ts';
import { addUnknownRecipients } from '../directory/recipients.ts';
import { type GiftTokenKeys, shortTokenHash } from './gift-tokens.ts';

/** An accepted request that waits for its gifts. */
export interface Waiting {
  workspaceId: number;
  requestId: string;
  gifts: number;
}

export interface FulfilmentEvents {
  onCompleted(orders: number, gifts: number): void;
  onFailed(requestId: string, reason: string): void;
}

interface Pending {
  workspaceId: number;
  requestId: string;
  orderId: number;
  certificateIds: number[];
}

// Workspaces share lanes by their id: one whose counter is locked for long holds up its lane, not all.
const lanes = 4;
const maxBatchRequests = 500;
const maxBatchGifts = 5_000;

/**
 * Fulfils accepted requests: people found or added, certificates issued, activity recorded, outcome written, in one
 * transaction for a workspace's requests that wait at the same time. What is finished already is passed over, so that a
 * doubled or stale wake-up changes nothing.
 *
 * | What goes wrong | What happens |
 * |---|---|
 * | the order's own fault (data, constraints) | the batch is halved until the order stands alone, then it is FAILED |
 * | a conflict or a time-out | the batch is halved, and what still fails is retried later |
 * | the database or the program | retried later, as it is |
 */
export class Fulfilment {
  readonly #database: Database;
  readonly #keys: GiftTokenKeys;
  readonly #events: FulfilmentEvents;
  readonly #lanes: Batcher<Waiting, unknown>[];

  constructor(database: Database, keys: GiftTokenKeys, events: FulfilmentEvents) {
    this.#database = database;
    this.#keys = keys;
    this.#events = events;
    this.#lanes = Array.from(
      { length: lanes },
      () =>
        new Batcher({
          run: (requests) => this.#fulfilByWorkspace(requests),
          maxItems: maxBatchRequests,
          weigh: ({ gifts }) => gifts,
          maxWeight: maxBatchGifts,
          concurrency: 1,
          maxWaiting: 100_000,
        }),
    );
  }

  /** Resolves when all of them are finished; fails where some have to be tried again. */
  async fulfil(requests: readonly Waiting[]): Promise<void> {
    const errors = await Promise.all(
      requests.map((request) => (this.#lanes[request.workspaceId % lanes] as Batcher<Waiting, unknown>).add(request)),
    );
    const error = errors.find((one) => one !== null);
    if (error !== undefined) throw error;
  }

  /** For each request null, or why it has to be tried again. */
  async #fulfilByWorkspace(requests: Waiting[]): Promise<unknown[]> {
    const errors = new Map<Waiting, unknown>();
    for (const group of Map.groupBy(requests, ({ workspaceId }) => workspaceId).values())
      await this.#fulfilOrHalve(group, errors);
    return requests.map((request) => errors.get(request) ?? null);
  }

  async #fulfilOrHalve(requests: Waiting[], errors: Map<Waiting, unknown>): Promise<void> {
    try {
      const { orders, gifts } = await this.#database.transaction((tx) => fulfilAll(tx, this.#keys, requests));
      if (orders > 0) this.#events.onCompleted(orders, gifts);
    } catch (error) {
      const mayBeOneOrder = isOwnFault(error) || isConflict(error);
      if (requests.length > 1 && mayBeOneOrder) {
        const middle = requests.length >> 1;
        await this.#fulfilOrHalve(requests.slice(0, middle), errors);
        await this.#fulfilOrHalve(requests.slice(middle), errors);
      } else if (requests.length === 1 && isOwnFault(error)) {
        await this.#fail(requests[0] as Waiting, error as Error).catch((reason) => note(errors, requests, reason));
      } else {
        note(errors, requests, error);
      }
    }
  }

  async #fail({ workspaceId, requestId }: Waiting, { message }: Error): Promise<void> {
    const failed = await this.#database.query(failSql, [workspaceId, requestId, message]);
    if (failed.length > 0) this.#events.onFailed(requestId, message);
  }
}

function note(errors: Map<Waiting, unknown>, requests: Waiting[], error: unknown): void {
  for (const request of requests) errors.set(request, error);
}

async function fulfilAll(tx: Queryable, keys: GiftTokenKeys, requests: Waiting[]) {
  const asked = requests.map(({ workspaceId }) => workspaceId);
  await lockWorkspaces(tx, asked);
  // A statement of its own: it has to see what was committed while this one waited for the lock.
  const pending = await tx.query<Pending>(pendingSql, [asked, requests.map(({ requestId }) => requestId)]);
  if (pending.length === 0) return { orders: 0, gifts: 0 };
  const workspaceIds = pending.map((order) => order.workspaceId);
  const requestIds = pending.map((order) => order.requestId);
  await addUnknownRecipients(tx, { sql: recipientsSql, values: [workspaceIds, requestIds] });
  const certificateIds = pending.flatMap((order) => order.certificateIds);
  await tx.query(issueSql, [
    workspaceIds,
    requestIds,
    pending.map((order) => order.orderId),
    pending.map((order) => order.certificateIds.length),
    certificateIds,
    certificateIds.map((id) => shortTokenHash(keys, keys.current, id).toString()),
    keys.current,
  ]);
  return { orders: pending.length, gifts: certificateIds.length };
}

const pendingSql = `
  select r.workspace_id as "workspaceId",
         r.request_id   as "requestId",
         nextval('order_ids') as "orderId",
         array(select nextval('certificate_ids')
                 from generate_series(1, jsonb_array_length(r.body -> 'orderItems')))::float8[] as "certificateIds"
    from (select distinct * from unnest($1::bigint[], $2::uuid[]) as asked (workspace_id, request_id)) as asked
   cross join lateral (${lookUp('order_requests', 'asked')}) r
    left join lateral (${lookUp('orders', 'asked')}) o on true
   where o.request_id is null
   order by r.workspace_id, r.request_id`;

/** The recipients of the requests in $1 and $2, numbered in the order in which they were sent. */
const recipientsSql = `
  select r.workspace_id,
         item.value #>> '{recipient,email}'                    as email,
         item.value #>> '{recipient,employeeNumber}'           as employee_number,
         coalesce(item.value #>> '{recipient,firstName}', '')  as first_name,
         coalesce(item.value #>> '{recipient,lastName}', '')   as last_name,
         row_number() over (order by r.request_id, item.ordinality) as sent
    from unnest($1::bigint[], $2::uuid[]) as asked (workspace_id, request_id)
   cross join lateral (${lookUp('order_requests', 'asked')}) r
   cross join jsonb_array_elements(r.body -> 'orderItems') with ordinality as item`;

// Who was merged with another is that other.
const issueSql = `
  with pending as (
    select *, sum(gifts) over (order by ordinality) - gifts as gifts_before
      from unnest($1::bigint[], $2::uuid[], $3::bigint[], $4::int[])
           with ordinality as p (workspace_id, request_id, order_id, gifts, ordinality)
  ),
  gifts as (
    select p.workspace_id, p.request_id, r.sender_id,
           (item.ordinality - 1)::int              as position,
           (item.value ->> 'amount')::numeric      as amount,
           item.value ->> 'message'                as message,
           ($5::bigint[])[p.gifts_before + item.ordinality] as certificate_id,
           ($6::bigint[])[p.gifts_before + item.ordinality] as short_token_hash,
           coalesce(by_email.merged_into, by_email.id, by_number.merged_into, by_number.id) as member_id,
           row_number() over (partition by p.workspace_id order by p.ordinality, item.ordinality) as nth
      from pending p
     cross join lateral (${lookUp('order_requests', 'p')}) r
     cross join jsonb_array_elements(r.body -> 'orderItems') with ordinality as item
      left join members by_email
             on by_email.workspace_id = p.workspace_id
            and by_email.email_key = lower(item.value #>> '{recipient,email}')
      left join members by_number
             on by_number.workspace_id = p.workspace_id
            and by_number.employee_number = item.value #>> '{recipient,employeeNumber}'
            and item.value #>> '{recipient,email}' is null
  ),
  counted as (
    update activity_counters c
       set total  = c.total + g.gifts,
           latest = greatest(c.latest, clock_timestamp())
      from (select workspace_id, count(*) as gifts from gifts group by workspace_id) g
      join workspaces w on w.id = g.workspace_id
     where c.workspace_id = g.workspace_id
    returning c.workspace_id, c.total - g.gifts as before, c.latest, w.default_reason_id
  ),
  issued as (
    insert into certificates (workspace_id, request_id, position, id, member_id, amount, message,
                              key_version, short_token_hash)
    select workspace_id, request_id, position, certificate_id, member_id, amount, message, $7, short_token_hash
      from gifts
  ),
  recorded as (
    insert into activities (workspace_id, number, type, status, sender_id, receiver_id, reason_id, request_id, position,
                            created_on)
    select g.workspace_id, c.before + g.nth, 'GIFT', 'APPROVED', g.sender_id, g.member_id, c.default_reason_id,
           g.request_id, g.position, c.latest
      from gifts g
      join counted c using (workspace_id)
  ),
  recognized as (
    update members m
       set recognition_count      = m.recognition_count + r.gifts,
           last_recognized_on     = (c.latest at time zone 'utc')::date,
           last_recognized_by     = 'GIFT',
           last_recognized_number = c.before + r.last_nth
      from (select workspace_id, member_id, count(*) as gifts, max(nth) as last_nth
              from gifts group by workspace_id, member_id) r
      join counted c using (workspace_id)
     where m.workspace_id = r.workspace_id
       and m.id = r.member_id
  )
  insert into orders (workspace_id, request_id, id, gift_count)
  select workspace_id, request_id, order_id, gifts from pending`;

const failSql = `
  insert into orders (workspace_id, request_id, gift_count, failure)
  select workspace_id, request_id, jsonb_array_length(body -> 'orderItems'), left($3, 1000)
    from order_requests
   where workspace_id = $1
     and request_id = $2
  on conflict do nothing
  returning 1`;
