import { appendEvents } from '../../company/events/log.ts';
import { momentOf } from '../../company/workspaces/lock.ts';
import type { Gift } from '../../giving/gifts/gift.ts';
import { moveGifts } from '../../giving/gifts/moves.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { NewEvent } from '../../ground/contract/event.ts';
import type { Redemption } from '../../ground/contract/redemption.ts';
import type { SpendingOption } from '../../ground/contract/spending-option.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { takeFromSequence } from '../../ground/database/ids.ts';
import { Failure } from '../../ground/errors.ts';
import { mismatch } from '../../ground/values/differences.ts';
import { type SpendingOptionKind, spendingKinds } from '../../ground/values/spending-kinds.ts';
import { amountToSpend } from './amounts.ts';
import { checkParts } from './parts.ts';
import { readRedemption } from './read.ts';
import { redemptionRecord } from './sealed.ts';

/** Something to spend. */
export interface Spending {
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

export interface Redeemed {
  redemption: Redemption;
  replayed: boolean;
}

/**
 * Spends a gift or a part of it: writes the redemption, moves the balance and the state of the gift, its log, the ledger and the events.
 * What a colleague has to fulfil is REQUESTED, everything else DONE. The caller holds the workspace's lock. With the key of an earlier
 * redemption nothing happens.
 */
export async function redeem(tx: Queryable, workspaceId: number, spending: Spending): Promise<Redeemed> {
  const { idempotencyKey, body = bodyOf(spending) } = spending;
  const asked = { kinds: [spending.option.kind], idempotencyKey, body };
  const earlier = await findEarlier(tx, workspaceId, asked);
  if (earlier !== null) return { redemption: await readRedemption(tx, workspaceId, earlier), replayed: true };
  const { gift, option, by } = spending;
  const amount = amountToSpend(gift, option, spending.amount);
  await checkParts(tx, gift, amount);
  const [id] = (await takeFromSequence(tx, 'redemption_ids', 1)) as [number];
  const state = spendingKinds[option.kind].fulfilledBy === 'colleague' ? 'REQUESTED' : 'DONE';
  await insertRedemption(tx, workspaceId, id, state, amount, spending);
  const data = { redemptionId: id, kind: option.kind, spendingOption: option.id, amount, currency: gift.currency };
  const seals = { record: redemptionRecord, keys: [id] };
  const moved = await moveGifts(tx, workspaceId, [{ type: 'REDEEMED', gift, by, detail: data, data, seals }]);
  // What the gift allows was checked above, so this is a caller without the lock or with an old record.
  if (moved.length === 0) throw new Error(`gift ${gift.id} was not redeemed: it has changed meanwhile`);
  if (state === 'REQUESTED') {
    const { id: giftId, requestId, memberId } = gift;
    const event: NewEvent = { type: 'redemption.requested', data: { giftId, requestId, memberId, ...data } };
    await appendEvents(tx, workspaceId, momentOf(tx, workspaceId), [event]);
  }
  return { redemption: await readRedemption(tx, workspaceId, id), replayed: false };
}

/** What was asked for under a key, to compare a repeated request with. */
function bodyOf({ gift, option, amount, detail = {} }: Spending): Record<string, unknown> {
  return { giftId: gift.id, spendingOption: option.id, ...(amount !== undefined && { amount }), ...detail };
}

interface Asked {
  kinds: readonly SpendingOptionKind[];
  idempotencyKey?: string | null | undefined;
  body: Record<string, unknown>;
}

/** The redemption that was made under the key; null: none. Throws if it was asked for with another body. */
export async function findEarlier(
  tx: Queryable,
  workspaceId: number,
  { kinds, idempotencyKey, body }: Asked,
): Promise<number | null> {
  if (!idempotencyKey) return null;
  const earlier = await queryOptional<{ id: number; body: unknown }>(
    tx,
    `select id, body
       from redemptions
      where workspace_id = $1
        and kind = any($2)
        and idempotency_key = $3`,
    [workspaceId, kinds, idempotencyKey],
  );
  if (!earlier) return null;
  const difference = mismatch(earlier.body, body);
  if (difference !== null) throw new Failure('mismatch', ...difference);
  return earlier.id;
}

async function insertRedemption(
  tx: Queryable,
  workspaceId: number,
  id: number,
  state: 'REQUESTED' | 'DONE',
  amount: number,
  spending: Spending,
): Promise<void> {
  const { gift, option, by, idempotencyKey = null, detail = {}, body = bodyOf(spending) } = spending;
  const { retailer = spendingKinds[option.kind].hasRetailer ? option.name : null } = spending;
  await tx.query(
    `insert into redemptions (workspace_id, id, request_id, position, spending_option, kind, spending_option_name, tax_type, retailer, amount, state,
                              idempotency_key, body, at, finished_at, detail, redeemed_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::timestamptz,
             case $11 when 'DONE' then $14::timestamptz end, $15, $16)`,
    [
      workspaceId,
      id,
      gift.requestId,
      gift.position,
      option.id,
      option.kind,
      option.name,
      option.taxType,
      retailer,
      amount,
      state,
      idempotencyKey,
      JSON.stringify(body),
      momentOf(tx, workspaceId),
      JSON.stringify(detail),
      by ? JSON.stringify(by) : null,
    ],
  );
}
