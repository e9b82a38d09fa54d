import { type Gift, leftOf } from '../../../../giving/gifts/gift.ts';
import type { PoolStock } from '../../../../ground/contract/pool.ts';
import type { Redemption } from '../../../../ground/contract/redemption.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { listPools } from '../../../../spending/code-pools/pools.ts';
import { isStanding, mostParts } from '../../../../spending/redemptions/parts.ts';
import { readRedemptionsOfGift } from '../../../../spending/redemptions/read.ts';
import { type OfferedOption, optionsFor } from '../../../../spending/redemptions/spending-options.ts';

/** A spending option that the recipient may choose, with the codes that a pool has for this gift. */
export interface GiftOption extends OfferedOption {
  codes: PoolStock[];
}

/** What the owner of a gift can spend, and has spent. */
export interface SpendingView {
  left: number;
  spendingOptions: GiftOption[];
  /** The newest first. */
  redemptions: Redemption[];
}

/** Null for unclaimed gifts: the recipient cannot spend them yet. */
export async function readSpending(on: Queryable, gift: Gift): Promise<SpendingView | null> {
  if (gift.claimedAt === null) return null;
  const redemptions = await readRedemptionsOfGift(on, gift.workspaceId, gift);
  const isSplit = redemptions.filter(isStanding).length >= mostParts;
  const offered = await optionsFor(on, gift, isSplit);
  const pools = offered.some(({ poolId }) => poolId !== null) ? await listPools(on, gift.workspaceId) : [];
  const spendingOptions = offered.map((option) => {
    const pool = pools.find(({ id, currency }) => id === option.poolId && currency === gift.currency);
    const isInReach = ({ value }: PoolStock) => value >= option.least && value <= option.most;
    return { ...option, codes: pool?.stocks.filter(isInReach) ?? [] };
  });
  return {
    left: leftOf(gift),
    spendingOptions,
    redemptions,
  };
}
