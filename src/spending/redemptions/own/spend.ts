import { recordsOf } from '../../../company/directory/who.ts';
import type { GiftDesk } from '../../../giving/gifts/claim.ts';
import { type Gift, readGiftsById } from '../../../giving/gifts/gift.ts';
import { moveGifts } from '../../../giving/gifts/moves.ts';
import type { SpendableGift } from '../../../giving/gifts/own/spendable.ts';
import type { Claimant } from '../../../giving/gifts/own/standing.ts';
import type { Actor } from '../../../ground/contract/actor.ts';
import type { NewSpending } from '../../../ground/contract/my-spending.ts';
import type { Queryable } from '../../../ground/database/database.ts';
import { Failure } from '../../../ground/errors.ts';
import { amountText } from '../../../ground/values/money.ts';
import { kindsWith, spendingKinds } from '../../../ground/values/spending-kinds.ts';
import { giveCode } from '../../code-pools/give.ts';
import { checkParts } from '../parts.ts';
import { findEarlier } from '../redeem.ts';
import { writeRedemptions } from '../write.ts';
import { type Chosen, choose } from './choose.ts';

/** A spending that a person asks for, once for their key. */
export interface OwnSpending extends NewSpending {
  idempotencyKey: string;
  /** The caller who acts for the recipient; absent: the recipient. */
  by?: Actor | undefined;
}

const kinds = kindsWith('whyAlone', null);

/**
 * Spends one amount of a person's gifts: all parts or none. Each gift has a redemption of its own; several name the first of them. Opened gifts that are
 * not claimed yet are claimed. With the key of an earlier spending nothing happens. The caller holds the workspace's lock.
 */
export async function spendOwnGifts(
  tx: Queryable,
  { mails }: Pick<GiftDesk, 'mails'>,
  recipient: Claimant,
  { idempotencyKey, by, ...asked }: OwnSpending,
): Promise<{ id: number; replayed: boolean }> {
  const { workspaceId, memberId } = recipient;
  const keys = await readKeys(tx, recipient, idempotencyKey);
  const earlier = await findEarlier(tx, workspaceId, { kinds, idempotencyKey: keys, body: { ...asked } });
  if (earlier !== null) return { id: earlier, replayed: true };
  const { option, draws } = await choose(tx, recipient, asked);
  const gifts = await claimed(
    tx,
    mails,
    workspaceId,
    draws.map(({ from }) => from),
    by,
  );
  const parts = draws.map(({ amount }, nth) => ({
    gift: gifts[nth] as Gift,
    amount,
    option,
    by,
    detail: detailOf(option, asked),
    ...(spendingKinds[option.kind].fulfilledBy === 'code' && { retailer: asked.retailer ?? null }),
    // The first has the key for all.
    ...(nth === 0 && { idempotencyKey: keyOf(memberId, idempotencyKey), body: { ...asked } }),
  }));
  await checkParts(tx, workspaceId, parts);
  const [id] = (await writeRedemptions(tx, workspaceId, parts)) as [number];
  await giveCard(tx, workspaceId, option, asked, id);
  return { id, replayed: false };
}

/** A person's keys are apart from those of others, and of the page of a gift. A repeated request may come after a merge of their records. */
async function readKeys(tx: Queryable, { workspaceId, memberId }: Claimant, key: string): Promise<string[]> {
  const records = await tx.query<{ id: number }>(recordsOf('$1', '$2'), [workspaceId, memberId]);
  return records.map(({ id }) => keyOf(id, key));
}

function keyOf(memberId: number, key: string): string {
  return `me:${memberId}:${key}`;
}

/** The gifts as they are then. */
async function claimed(
  tx: Queryable,
  mails: GiftDesk['mails'],
  workspaceId: number,
  sources: readonly SpendableGift[],
  by: Actor | undefined,
): Promise<Gift[]> {
  const gifts = await readGiftsById(
    tx,
    workspaceId,
    sources.map(({ id }) => id),
  );
  const unclaimed = gifts.filter(({ claimedAt }) => claimedAt === null);
  const moves = unclaimed.map((gift) => ({ type: 'CLAIMED', gift, by }) as const);
  if (moves.length > 0) await moveGifts(tx, workspaceId, moves);
  for (const gift of unclaimed) await mails?.withdraw(tx, gift);
  return gifts;
}

type Option = Chosen['option'];

function detailOf({ kind }: Option, { retailer, requestText }: NewSpending): Record<string, unknown> {
  const { fulfilledBy } = spendingKinds[kind];
  return {
    ...(fulfilledBy === 'code' && { retailer }),
    ...(fulfilledBy === 'colleague' && requestText && { requestText }),
  };
}

/** One code for the whole amount. The first redemption has it. */
async function giveCard(
  tx: Queryable,
  workspaceId: number,
  { kind, poolId }: Option,
  { amount, currency, retailer = '' }: NewSpending,
  id: number,
): Promise<void> {
  if (spendingKinds[kind].fulfilledBy !== 'code') return;
  const wanted = { poolId: poolId ?? 0, retailer, value: amount, currency };
  if (await giveCode(tx, workspaceId, wanted, id)) return;
  throw new Failure(
    'conflict',
    `Nothing was spent: no gift card of ${retailer} over ${amountText(amount, currency)} is left. Choose another amount or retailer.`,
  );
}
