import { momentOf } from '../../company/workspaces/lock.ts';
import { seal } from '../../company/workspaces/seals.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { takeIds } from '../../ground/database/ids.ts';
import { type GiftLine, returnGifts } from '../budgets/gift-entries.ts';
import { currencyOf, type GiftKey, type GiftState } from './gift.ts';
import type { MoveType } from './moves.ts';
import { giftRecord, giftRecordKey } from './sealed.ts';

/** What happened to a gift of a history, at its own moment, and where the gift stands after all of it. */
export interface PastGift extends GiftKey {
  state: GiftState;
  /** The end of the last day on which it can be claimed; null: it does not expire. */
  expiresAt: Date | null;
  thanks: string | null;
  log: readonly { type: MoveType; at: Date; detail: Record<string, unknown> }[];
}

/** Stores what happened to gifts in the past. Nothing is announced: there are no events of it. The caller holds the workspace's lock. */
export async function storePastGifts(tx: Queryable, workspaceId: number, gifts: readonly PastGift[]): Promise<void> {
  const stored = await tx.query<GiftLine & { isEnded: boolean }>(statesSql, [workspaceId, JSON.stringify(gifts)]);
  const ended = stored.filter(({ isEnded }) => isEnded);
  await seal(tx, workspaceId, { record: giftRecord, keys: gifts.map(giftRecordKey) });
  await returnGifts(tx, workspaceId, momentOf(tx, workspaceId), ended);
  const entries = gifts
    .flatMap(({ requestId, position, log }) => log.map((entry) => ({ requestId, position, ...entry })))
    .sort((one, other) => one.at.getTime() - other.at.getTime());
  const ids = await takeIds(tx, 'gift_log', entries.length);
  const rows = entries.map((entry, nth) => ({ id: ids[nth], ...entry }));
  await tx.query(logSql, [workspaceId, JSON.stringify(rows)]);
}

const statesSql = `
  update certificates c
     set state      = past.state,
         expires_at = past."expiresAt",
         thanks     = past.thanks,
         viewed_at  = (select min((entry ->> 'at')::timestamptz)
                         from jsonb_array_elements(past.log) entry where entry ->> 'type' = 'VIEWED'),
         claimed_at = (select min((entry ->> 'at')::timestamptz)
                         from jsonb_array_elements(past.log) entry where entry ->> 'type' = 'CLAIMED')
    from jsonb_to_recordset($2::jsonb) as past (
           "requestId" uuid, position int, state text, "expiresAt" timestamptz, thanks text, log jsonb)
   where c.workspace_id = $1
     and c.request_id = past."requestId"
     and c.position = past.position
  returning c.request_id as "requestId", c.position, c.amount, ${currencyOf('c')} as currency,
            c.state in ('EXPIRED', 'CANCELLED') as "isEnded"`;

const logSql = `
  insert into gift_log (workspace_id, id, request_id, position, type, at, detail)
  select $1, id, "requestId", position, type, at, detail
    from jsonb_to_recordset($2::jsonb) as past (
           id bigint, "requestId" uuid, position int, type text, at timestamptz, detail jsonb)`;
