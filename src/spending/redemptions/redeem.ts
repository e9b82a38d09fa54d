import { mismatchWith } from '../../company/workspaces/erased-bodies.ts';
import type { Redemption } from '../../ground/contract/redemption.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import type { SpendingOptionKind } from '../../ground/values/spending-kinds.ts';
import { amountToSpend } from './amounts.ts';
import { checkParts } from './parts.ts';
import { readRedemption } from './read.ts';
import { type NewRedemption, writeRedemptions } from './write.ts';

export interface Redeemed {
  redemption: Redemption;
  replayed: boolean;
}

/**
 * Spends a gift or a part of it: writes the redemption, moves the balance and the state of the gift, its log, the ledger and the events.
 * What a colleague has to fulfil is REQUESTED, everything else DONE. The caller holds the workspace's lock. With the key of an earlier
 * redemption nothing happens.
 */
export async function redeem(tx: Queryable, workspaceId: number, spending: NewRedemption): Promise<Redeemed> {
  const { idempotencyKey, body = bodyOf(spending) } = spending;
  const asked = { kinds: [spending.option.kind], idempotencyKey, body };
  const earlier = await findEarlier(tx, workspaceId, asked);
  if (earlier !== null) return { redemption: await readRedemption(tx, workspaceId, earlier), replayed: true };
  const { gift, option } = spending;
  const amount = amountToSpend(gift, option, spending.amount);
  await checkParts(tx, workspaceId, [{ gift, amount }]);
  const [id] = (await writeRedemptions(tx, workspaceId, [{ ...spending, amount, body }])) as [number];
  return { redemption: await readRedemption(tx, workspaceId, id), replayed: false };
}

/** What was asked for under a key, to compare a repeated request with. */
function bodyOf({ gift, option, amount, detail = {} }: NewRedemption): Record<string, unknown> {
  return { giftId: gift.id, spendingOption: option.id, ...(amount !== undefined && { amount }), ...detail };
}

interface Asked {
  kinds: readonly SpendingOptionKind[];
  /** Several: the same key of records that were merged. */
  idempotencyKey?: string | readonly string[] | null | undefined;
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
        and idempotency_key = any($3::text[])`,
    [workspaceId, kinds, [idempotencyKey].flat()],
  );
  if (!earlier) return null;
  const difference = await mismatchWith(tx, earlier.body, body);
  if (difference !== null) throw new Failure('mismatch', ...difference);
  return earlier.id;
}
