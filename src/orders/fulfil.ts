import type { Queryable } from '../database/database.ts';
import { dayChange, moveDays } from '../directory/days.ts';
import { resolveRecipients } from '../directory/recipients.ts';
import type { GiftTokenKeys } from '../gifts/token-keys.ts';
import { shortTokenHash } from '../gifts/tokens.ts';
import { lookUp } from './look-up.ts';
import type { Claimed } from './pending.ts';

/**
 * Fulfils pending orders of one workspace: finds or adds the people, issues certificates, records activity, writes the
 * outcomes. The caller holds the workspace's lock. Returns the number of gifts.
 */
export async function issueGifts(
  tx: Queryable,
  keys: GiftTokenKeys,
  workspaceId: number,
  orders: readonly Claimed[],
): Promise<number> {
  const requestIds = orders.map(({ requestId }) => requestId);
  const memberIds = await resolveRecipients(tx, workspaceId, { sql: recipientsSql, values: [workspaceId, requestIds] });
  const certificateIds = orders.flatMap((order) => order.certificateIds);
  await tx.query(issueSql, [
    workspaceId,
    requestIds,
    orders.map(({ orderId }) => orderId),
    orders.map((order) => order.certificateIds.length),
    certificateIds,
    certificateIds.map((id) => shortTokenHash(keys, keys.current, id).toString()),
    keys.current,
    memberIds,
  ]);
  return certificateIds.length;
}

/** Writes that an order has failed, with the reason. Returns false if the order has an outcome already. */
export async function failOrder(
  tx: Queryable,
  workspaceId: number,
  requestId: string,
  reason: string,
): Promise<boolean> {
  const failed = await tx.query(failSql, [workspaceId, requestId, reason]);
  return failed.length > 0;
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
   cross join lateral (${lookUp('order_requests', 'asked')}) r
   cross join jsonb_array_elements(r.body -> 'orderItems') with ordinality as item`;

const issueSql = `
  with pending as (
    select $1::bigint as workspace_id, *, sum(gifts) over (order by ordinality) - gifts as gifts_before
      from unnest($2::uuid[], $3::bigint[], $4::int[]) with ordinality as p (request_id, order_id, gifts, ordinality)
  ),
  gifts as (
    select p.workspace_id, p.request_id, r.sender_id,
           (item.ordinality - 1)::int              as position,
           (item.value ->> 'amount')::numeric      as amount,
           item.value ->> 'message'                as message,
           ($5::bigint[])[p.gifts_before + item.ordinality] as certificate_id,
           ($6::bigint[])[p.gifts_before + item.ordinality] as short_token_hash,
           ($8::bigint[])[p.gifts_before + item.ordinality] as member_id,
           row_number() over (order by p.ordinality, item.ordinality) as nth
      from pending p
     cross join lateral (${lookUp('order_requests', 'p')}) r
     cross join jsonb_array_elements(r.body -> 'orderItems') with ordinality as item
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
      join members before on before.workspace_id = r.workspace_id and before.id = r.member_id
     where m.workspace_id = before.workspace_id
       and m.id = before.id
    returning ${dayChange('before', 'm')}
  ),
  days as (${moveDays('recognized')})
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
