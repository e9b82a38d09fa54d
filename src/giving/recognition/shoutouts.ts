import type { ShoutoutRequest } from '../../ground/contract/shoutout.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { historyBase } from '../../ground/database/history.ts';
import { recordingRecognition } from './record.ts';
import { shoutoutId } from './shoutout-ids.ts';
import type { GivenShoutout } from './shoutout-steps.ts';

/** A shoutout that has been checked. Its sender and its receiver are surviving records. */
export interface NewShoutout extends Omit<GivenShoutout, 'number' | 'id' | 'isPrivate'> {
  /** The token or the user that gives it; null for an employee. */
  tokenId: number | null;
  /** When it is given, as text of the database. It never goes back in a workspace. */
  moment: string;
  shoutout: ShoutoutRequest;
}

/** Records shoutouts of a workspace and returns them with their numbers. The caller holds the workspace's lock. */
export async function recordShoutouts(
  tx: Queryable,
  workspaceId: number,
  shoutouts: readonly NewShoutout[],
): Promise<GivenShoutout[]> {
  const rows = JSON.stringify(
    shoutouts.map(({ tokenId, idempotencyKey, senderId, receiverId, status, moment, shoutout }) => ({
      token_id: tokenId,
      idempotency_key: idempotencyKey,
      sender_id: senderId,
      receiver_id: receiverId,
      status,
      created_on: moment,
      body: shoutout,
    })),
  );
  const recorded = await tx.query<Pick<GivenShoutout, 'number' | 'id'>>(recordSql, [workspaceId, rows]);
  return shoutouts.map(({ status, senderId, receiverId, shoutout, idempotencyKey }, nth) => ({
    ...(recorded[nth] as Pick<GivenShoutout, 'number' | 'id'>),
    status,
    senderId,
    receiverId,
    isPrivate: shoutout.isPrivate,
    idempotencyKey,
  }));
}

// The table `shoutouts` keeps what was sent: to recognize a repeated idempotency key, and to compare its body.
const recordSql = `
  with given as (
    select nth, 'SHOUTOUT' as type, status, sender_id, receiver_id,
           (body ->> 'reasonId')::bigint   as reason_id,
           (body ->> 'isPrivate')::boolean as is_private,
           body ->> 'message'              as description,
           null::uuid as request_id, null::int as position, null::numeric as amount, null::text as currency, created_on,
           token_id, idempotency_key, body
      from rows from (jsonb_to_recordset($2::jsonb) as (
             body jsonb, token_id bigint, idempotency_key text, sender_id bigint, receiver_id bigint, status text,
             created_on timestamptz)) with ordinality
           as given (body, token_id, idempotency_key, sender_id, receiver_id, status, created_on, nth)
  ),
  ${recordingRecognition('given')}
  insert into shoutouts as s (workspace_id, number, base, token_id, idempotency_key, body)
  select $1::bigint, c.before + g.nth, ${historyBase}, g.token_id, g.idempotency_key, g.body
    from given g
   cross join counted c
   order by g.nth
  returning s.number, ${shoutoutId('s.number', 's')} as id`;
