import { appendEvents } from '../../company/events/log.ts';
import { momentOf } from '../../company/workspaces/lock.ts';
import type { Gift } from '../../giving/gifts/gift.ts';
import { moveGifts } from '../../giving/gifts/moves.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { NewEvent } from '../../ground/contract/event.ts';
import type { SpendingOption } from '../../ground/contract/spending-option.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { takeFromSequence } from '../../ground/database/ids.ts';
import { spendingKinds } from '../../ground/values/spending-kinds.ts';
import { redemptionRecord } from './sealed.ts';

/** Something to spend. */
export interface NewRedemption {
  /** As it is while the caller holds the workspace's lock: claimed already. */
  gift: Gift;
  option: SpendingOption;
  /** The caller who redeems it at a till; absent: the recipient does, on the page of the gift. */
  by?: Actor | undefined;
  /** Absent: all that is left. */
  amount?: number | undefined;
  /** Unique among the redemptions of the spending option's kind in the workspace. */
  idempotencyKey?: string | null;
  /** Where it is spent; absent: the name of the spending option, if its kind says where. */
  retailer?: string | null;
  /** What else is kept, for instance the reference of a till. Never a code or a token. */
  detail?: Record<string, unknown>;
  /** What a repeated request under the same key must have again; absent: gift, spending option, amount and detail. */
  body?: Record<string, unknown>;
}

/** What is spent of a gift, after it was checked that the gift and the spending option allow it. */
export interface Part extends NewRedemption {
  amount: number;
  body?: Record<string, unknown>;
}

interface Written extends Part {
  id: number;
  state: 'REQUESTED' | 'DONE';
  spendingId: number | null;
}

/**
 * Writes what is spent of gifts, each of them once: the redemptions, the balances and states of the gifts, their logs, the ledger and the events. Several parts are
 * spent together, and name the first of them. What a colleague has to fulfil is REQUESTED, everything else DONE. The caller holds the workspace's lock.
 */
export async function writeRedemptions(
  tx: Queryable,
  workspaceId: number,
  parts: readonly Part[],
): Promise<readonly number[]> {
  const ids = await takeFromSequence(tx, 'redemption_ids', parts.length);
  const spendingId = parts.length > 1 ? (ids[0] as number) : null;
  const written = parts.map((part, nth): Written => {
    const state = spendingKinds[part.option.kind].fulfilledBy === 'colleague' ? 'REQUESTED' : 'DONE';
    return { ...part, id: ids[nth] as number, state, spendingId };
  });
  await tx.query(insertSql, [workspaceId, momentOf(tx, workspaceId), JSON.stringify(written.map(rowOf))]);
  const moves = written.map((part) => {
    const { gift, by, id } = part;
    const data = dataOf(part);
    return { type: 'REDEEMED', gift, by, detail: data, data, seals: { record: redemptionRecord, keys: [id] } } as const;
  });
  const moved = await moveGifts(tx, workspaceId, moves);
  // What the gifts allow was checked before, so this is a caller without the lock or with an old record.
  if (moved.length < moves.length) throw new Error('a gift was not redeemed: it has changed meanwhile');
  const requested = written.filter(({ state }) => state === 'REQUESTED').map(requestEvent);
  if (requested.length > 0) await appendEvents(tx, workspaceId, momentOf(tx, workspaceId), requested);
  return ids;
}

function dataOf({ id, option, amount, gift, spendingId }: Written) {
  return {
    redemptionId: id,
    ...(spendingId !== null && { spendingId }),
    kind: option.kind,
    spendingOption: option.id,
    amount,
    currency: gift.currency,
  };
}

function requestEvent(part: Written): NewEvent {
  const { id: giftId, requestId, memberId } = part.gift;
  return { type: 'redemption.requested', data: { giftId, requestId, memberId, ...dataOf(part) } };
}

function rowOf(part: Written) {
  const {
    id,
    gift,
    option,
    state,
    amount,
    by = null,
    idempotencyKey = null,
    detail = {},
    body = null,
    spendingId,
  } = part;
  const { retailer = spendingKinds[option.kind].hasRetailer ? option.name : null } = part;
  return {
    id,
    request_id: gift.requestId,
    position: gift.position,
    spending_option: option.id,
    kind: option.kind,
    spending_option_name: option.name,
    tax_type: option.taxType,
    retailer,
    amount,
    state,
    idempotency_key: idempotencyKey,
    body,
    detail,
    redeemed_by: by,
    spending_id: spendingId,
  };
}

const insertSql = `
  insert into redemptions (workspace_id, id, request_id, position, spending_option, kind, spending_option_name, tax_type, retailer, amount, state,
                           idempotency_key, body, at, finished_at, detail, redeemed_by, spending_id)
  select $1, id, request_id, position, spending_option, kind, spending_option_name, tax_type, retailer, amount, state,
         idempotency_key, body, $2::timestamptz, case state when 'DONE' then $2::timestamptz end, detail, redeemed_by, spending_id
    from jsonb_to_recordset($3::jsonb) as part (
           id bigint, request_id uuid, position int, spending_option text, kind text, spending_option_name text, tax_type text, retailer text,
           amount numeric, state text, idempotency_key text, body jsonb, detail jsonb, redeemed_by jsonb, spending_id bigint)`;
