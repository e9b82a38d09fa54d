import { Batcher } from '../database/batcher.ts';
import { type Database, isConflict, isTransient, type Queryable } from '../database/database.ts';
import { addUnknownRecipients } from '../directory/recipients.ts';
import { type GiftTokenKeys, shortTokenHash } from './gift-tokens.ts';

/** Accepted requests, as the wake-up names them. */
export interface Claim {
  workspaceIds: number[];
  requestIds: string[];
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

/**
 * Fulfils accepted requests: people found or added, certificates issued, activity recorded, outcome written, in one
 * transaction. Claims that wait at the same time share one; what is finished already is passed over, so that a doubled
 * or stale claim changes nothing.
 */
export class Fulfilment {
  readonly #database: Database;
  readonly #keys: GiftTokenKeys;
  readonly #events: FulfilmentEvents;
  readonly #batcher: Batcher<Claim, undefined>;

  constructor(database: Database, keys: GiftTokenKeys, events: FulfilmentEvents) {
    this.#database = database;
    this.#keys = keys;
    this.#events = events;
    this.#batcher = new Batcher({
      run: async (claims) => {
        await this.#fulfilOrIsolate(merge(claims));
        return claims.map(() => undefined);
      },
      maxItems: 64,
      maxWeight: 1_000,
      weigh: (claim) => claim.requestIds.length,
      // In a workspace only one can run at a time, and waiting makes larger batches.
      concurrency: 1,
      maxWaiting: 10_000,
    });
  }

  async fulfil(claim: Claim): Promise<void> {
    await this.#batcher.add(claim);
  }

  /** One bad order fails alone: a batch that fails is halved until the culprit stands by itself. */
  async #fulfilOrIsolate(claim: Claim): Promise<void> {
    try {
      const { orders, gifts } = await this.#database.transaction((tx) => fulfilAll(tx, this.#keys, claim));
      if (orders > 0) this.#events.onCompleted(orders, gifts);
    } catch (error) {
      const count = claim.requestIds.length;
      if (isTransient(error) && (count === 1 || !isConflict(error))) throw error;
      if (count > 1) {
        const middle = count >> 1;
        const failures: unknown[] = [];
        for (const half of [slice(claim, 0, middle), slice(claim, middle, count)])
          await this.#fulfilOrIsolate(half).catch((reason) => failures.push(reason));
        if (failures.length > 0) throw failures[0];
      } else {
        const reason = error instanceof Error ? error.message : String(error);
        const failed = await this.#database.query(failSql, [claim.workspaceIds[0], claim.requestIds[0], reason]);
        if (failed.length > 0) this.#events.onFailed(claim.requestIds[0] as string, reason);
      }
    }
  }
}

async function fulfilAll(tx: Queryable, keys: GiftTokenKeys, claim: Claim): Promise<{ orders: number; gifts: number }> {
  await tx.query(lockSql, [claim.workspaceIds]);
  // A statement of its own: it has to see what was committed while this one waited for the lock.
  const pending = await tx.query<Pending>(pendingSql, [claim.workspaceIds, claim.requestIds]);
  if (pending.length === 0) return { orders: 0, gifts: 0 };
  const workspaceIds = pending.map((order) => order.workspaceId);
  const requestIds = pending.map((order) => order.requestId);
  await addUnknownRecipients(tx, workspaceIds, requestIds);
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

// In the order of the workspaces, so that two batches never wait for each other.
const lockSql = `
  select workspace_id
    from activity_counters
   where workspace_id = any($1::bigint[])
   order by workspace_id
     for update`;

const pendingSql = `
  select r.workspace_id as "workspaceId",
         r.request_id   as "requestId",
         nextval('order_ids') as "orderId",
         array(select nextval('certificate_ids')
                 from generate_series(1, jsonb_array_length(r.body -> 'orderItems')))::float8[] as "certificateIds"
    from (select distinct * from unnest($1::bigint[], $2::uuid[]) as asked (workspace_id, request_id)) as asked
    join order_requests r using (workspace_id, request_id)
   where not exists (select from orders o
                      where o.workspace_id = r.workspace_id and o.request_id = r.request_id)
   order by r.workspace_id, r.request_id`;

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
           coalesce(by_email.id, by_number.id)     as member_id,
           row_number() over (partition by p.workspace_id order by p.ordinality, item.ordinality) as nth
      from pending p
      join order_requests r using (workspace_id, request_id)
     cross join jsonb_array_elements(r.body -> 'orderItems') with ordinality as item
      left join members by_email
             on by_email.workspace_id = p.workspace_id
            and lower(by_email.email) = lower(item.value #>> '{recipient,email}')
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
     where c.workspace_id = g.workspace_id
    returning c.workspace_id, c.total - g.gifts as before, c.latest
  ),
  issued as (
    insert into certificates (workspace_id, request_id, position, id, member_id, amount, message,
                              key_version, short_token_hash)
    select workspace_id, request_id, position, certificate_id, member_id, amount, message, $7, short_token_hash
      from gifts
  ),
  recorded as (
    insert into activities (workspace_id, number, type, status, sender_id, receiver_id, request_id, position, created_on)
    select g.workspace_id, c.before + g.nth, 'GIFT', 'APPROVED', g.sender_id, g.member_id, g.request_id, g.position, c.latest
      from gifts g
      join counted c using (workspace_id)
  ),
  recognized as (
    update members m
       set recognition_count  = m.recognition_count + g.gifts,
           last_recognized_on = (c.latest at time zone 'utc')::date,
           last_recognized_by = 'GIFT'
      from (select workspace_id, member_id, count(*) as gifts from gifts group by workspace_id, member_id) g
      join counted c using (workspace_id)
     where m.id = g.member_id
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

function merge(claims: Claim[]): Claim {
  return {
    workspaceIds: claims.flatMap((claim) => claim.workspaceIds),
    requestIds: claims.flatMap((claim) => claim.requestIds),
  };
}

function slice({ workspaceIds, requestIds }: Claim, from: number, to: number): Claim {
  return { workspaceIds: workspaceIds.slice(from, to), requestIds: requestIds.slice(from, to) };
}
