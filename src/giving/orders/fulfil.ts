import { resolveRecipients } from '../../company/directory/recipients.ts';
import { seal } from '../../company/workspaces/seals.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { slowHistoryBase } from '../../ground/database/history.ts';
import { issuingCertificates, newShortTokenHashes } from '../gifts/certificates.ts';
import { giftRecord, giftRecordKey } from '../gifts/sealed.ts';
import type { GiftTokenKeys } from '../gifts/token-keys.ts';
import { recordingRecognition } from '../recognition/record.ts';
import { lookUp } from './look-up.ts';
import { giftCount } from './order-body.ts';
import type { CompletedOrder, FailedOrder } from './order-steps.ts';
import { orderRecord } from './sealed.ts';

/** An order to fulfil, and when that happens. The moments never go back. */
export interface DueOrder {
  requestId: string;
  gifts: number;
  moment: string;
}

/**
 * Fulfils orders of one workspace: finds or adds the people, issues certificates, records recognition, writes the outcomes.
 * The caller holds the workspace's lock.
 */
export async function fulfilOrders(
  tx: Queryable,
  keys: GiftTokenKeys,
  workspaceId: number,
  orders: readonly DueOrder[],
): Promise<CompletedOrder[]> {
  const requestIds = orders.map(({ requestId }) => requestId);
  const memberIds = await resolveRecipients(tx, workspaceId, { sql: recipientsSql, values: [workspaceId, requestIds] });
  const ids = await takeIds(tx, workspaceId, orders);
  const gifts = ids.flatMap(({ requestId, certificateIds, edition }) =>
    certificateIds.map((id, position) => ({ id, requestId, position, edition })),
  );
  const facts = await tx.query<Facts>(fulfilSql, [
    workspaceId,
    requestIds,
    ids.map(({ orderId }) => orderId),
    orders.map(({ gifts }) => gifts),
    memberIds,
    gifts.map(({ id }) => id),
    newShortTokenHashes(keys, gifts),
    keys.current,
    orders.map(({ moment }) => moment),
    ids.map(({ edition }) => edition),
  ]);
  await seal(
    tx,
    workspaceId,
    { record: orderRecord, keys: requestIds },
    { record: giftRecord, keys: gifts.map(giftRecordKey) },
  );
  const factsOf = new Map(facts.map((one) => [one.requestId, one]));
  return ids.map(({ edition: _edition, ...order }) => ({ ...order, ...(factsOf.get(order.requestId) as Facts) }));
}

/** What else is known of an order when its gifts are issued. */
type Facts = Pick<CompletedOrder, 'requestId' | 'customerRequestId' | 'total' | 'currency' | 'traceparent'>;
type TakenIds = Omit<CompletedOrder, keyof Facts> & { requestId: string; edition: number };

/** Writes that an order has failed, with the reason. Returns null if the order has an outcome already. */
export async function failOrder(
  tx: Queryable,
  workspaceId: number,
  moment: string,
  requestId: string,
  reason: string,
): Promise<FailedOrder | null> {
  const [failed] = await tx.query<Pick<FailedOrder, 'customerRequestId' | 'traceparent'>>(failSql, [
    workspaceId,
    requestId,
    reason,
    moment,
  ]);
  return failed ? { requestId, reason, ...failed } : null;
}

/** Takes the ids of the orders and their certificates, before the statements that insert them. */
async function takeIds(tx: Queryable, workspaceId: number, orders: readonly DueOrder[]): Promise<TakenIds[]> {
  const total = orders.reduce((sum, { gifts }) => sum + gifts, 0);
  const { orderIds, certificateIds, editionBase } = await queryOne<NewIds>(tx, idsSql, [orders.length, total]);
  const earlier = editionBase === 0 ? new Set() : await findEarlier(tx, workspaceId, orders);
  return orders.map(({ requestId, gifts }, nth) => ({
    requestId,
    orderId: orderIds[nth] as number,
    certificateIds: certificateIds.splice(0, gifts),
    edition: earlier.has(requestId) ? editionBase : 0,
  }));
}

interface NewIds {
  orderIds: number[];
  certificateIds: number[];
  editionBase: number;
}

// As doubles, because the driver reads an array of bigint as texts.
const idsSql = `
  select array(select nextval('order_ids')       from generate_series(1, $1::int))::float8[] as "orderIds",
         array(select nextval('certificate_ids') from generate_series(1, $2::int))::float8[] as "certificateIds",
         ${slowHistoryBase} as "editionBase"`;

/**
 * The orders that were accepted before the current history. A lost history may have fulfilled them already and emailed their links, maybe
 * to other people, so their gifts get another edition. The hour is for clocks that differ.
 */
async function findEarlier(tx: Queryable, workspaceId: number, orders: readonly DueOrder[]): Promise<Set<string>> {
  const rows = await tx.query<{ requestId: string }>(
    `select request_id as "requestId"
       from order_requests
      where workspace_id = $1
        and request_id = any($2::uuid[])
        and accepted_at < (select max(started_at) from histories) + interval '1 hour'`,
    [workspaceId, orders.map(({ requestId }) => requestId)],
  );
  return new Set(rows.map(({ requestId }) => requestId));
}

/** The recipients of the requests in $2 of the workspace $1, numbered in the order in which they were accepted. */
const recipientsSql = `
  select asked.workspace_id,
         asked.nth                                             as request,
         item.value #>> '{recipient,email}'                    as email,
         item.value #>> '{recipient,employeeNumber}'           as employee_number,
         coalesce(item.value #>> '{recipient,firstName}', '')  as first_name,
         coalesce(item.value #>> '{recipient,lastName}', '')   as last_name,
         row_number() over (order by asked.nth, item.ordinality) as sent
    from (select $1::bigint as workspace_id, request_id, nth
            from unnest($2::uuid[]) with ordinality as asked (request_id, nth)) asked
   cross join lateral (${lookUp('order_requests', 'asked', '$1::bigint')}) r
   cross join jsonb_array_elements(r.body -> 'orderItems') with ordinality as item`;

// One statement, because the gifts are needed by each of its parts and stand in the requests' bodies. Two statements would
// read and unpack the bodies twice. A gift's text stands once, on its certificate. The time of delivery is read beside the look-up,
// with "offset 0", because PostgreSQL would otherwise unpack the whole body again for each gift.
const fulfilSql = `
  with completed as (
    select $1::bigint as workspace_id, *, sum(gifts) over (order by nth) - gifts as gifts_before
      from unnest($2::uuid[], $3::bigint[], $4::int[], $9::timestamptz[], $10::int[]) with ordinality
             as completed (request_id, order_id, gifts, moment, edition, nth)
  ),
  gifts as (
    select o.gifts_before + item.ordinality   as nth,
           'GIFT'                             as type,
           'APPROVED'                         as status,
           r.sender_id,
           r.customer_request_id,
           r.traceparent,
           r.currency,
           ($5::bigint[])[o.gifts_before + item.ordinality] as receiver_id,
           (item.value ->> 'reasonId')::bigint as reason_id,
           false                              as is_private,
           null::text                         as description,
           o.request_id,
           (item.ordinality - 1)::int         as position,
           o.moment                           as created_on,
           coalesce((item.value ->> 'deliverAt')::timestamptz, r.deliver_at) as deliver_at,
           item.value ->> 'language'          as language,
           (item.value ->> 'amount')::numeric as amount,
           item.value ->> 'message'           as message,
           ($6::bigint[])[o.gifts_before + item.ordinality] as certificate_id,
           ($7::bigint[])[o.gifts_before + item.ordinality] as short_token_hash,
           $8::int                            as key_version,
           o.edition
      from completed o
     cross join lateral (
           select *, (body ->> 'deliverAt')::timestamptz as deliver_at
             from (${lookUp('order_requests', 'o', '$1::bigint')}) found
           offset 0) r
     cross join jsonb_array_elements(r.body -> 'orderItems') with ordinality as item
  ),
  ${issuingCertificates('gifts')},
  ${recordingRecognition('gifts')},
  waited as (
    delete from pending_orders where workspace_id = $1::bigint and request_id = any($2::uuid[])
  ),
  waited_newer as (
    delete from newer_pending_orders where workspace_id = $1::bigint and request_id = any($2::uuid[])
  ),
  finished as (
    insert into orders (workspace_id, request_id, id, gift_count, finished_at)
    select workspace_id, request_id, order_id, gifts, moment from completed
  )
  select request_id as "requestId", min(customer_request_id) as "customerRequestId", min(currency) as currency,
         sum(amount) as total, min(traceparent) as traceparent
    from gifts
   group by request_id`;

const failSql = `
  with waited as (
    delete from pending_orders where workspace_id = $1 and request_id = $2
  ),
  waited_newer as (
    delete from newer_pending_orders where workspace_id = $1 and request_id = $2
  ),
  held as (
    delete from held_orders where workspace_id = $1 and request_id = $2
  ),
  failed as (
    insert into orders (workspace_id, request_id, gift_count, failure, finished_at)
    select workspace_id, request_id, ${giftCount('body')}, left($3, 1000), $4::timestamptz
      from order_requests
     where workspace_id = $1
       and request_id = $2
    on conflict do nothing
    returning request_id
  )
  select r.customer_request_id as "customerRequestId", r.traceparent
    from failed
    join order_requests r on r.workspace_id = $1 and r.request_id = failed.request_id`;
