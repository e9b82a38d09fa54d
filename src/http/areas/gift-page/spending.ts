import { listPools } from '../../../code-pools/pools.ts';
import type { PoolStock } from '../../../contract/pool.ts';
import type { Redemption } from '../../../contract/redemption.ts';
import type { Queryable } from '../../../database/database.ts';
import type { Gift } from '../../../gifts/gift.ts';
import { isStanding, mostParts } from '../../../redemptions/parts.ts';
import { readRedemptionsOfGift } from '../../../redemptions/read.ts';
import { leftOf, type OfferedWay, waysFor } from '../../../redemptions/ways.ts';

/** A way that the recipient may choose, with the codes that a pool has for this gift. */
export interface WayToSpend extends OfferedWay {
  codes: PoolStock[];
}

/** What the owner of a gift can spend, and has spent. */
export interface Spending {
  left: number;
  ways: WayToSpend[];
  /** The newest first. */
  redemptions: Redemption[];
}

/** Null for gifts that nobody has claimed: nothing of it is theirs yet. */
export async function readSpending(on: Queryable, gift: Gift): Promise<Spending | null> {
  if (gift.claimedAt === null) return null;
  const redemptions = await readRedemptionsOfGift(on, gift.workspaceId, gift);
  const isSplit = redemptions.filter(isStanding).length >= mostParts;
  const offered = await waysFor(on, gift, isSplit);
  const pools = offered.some(({ kind }) => kind === 'POOL') ? await listPools(on, gift.workspaceId) : [];
  const ways = offered.map((way) => {
    const pool = pools.find(({ id, currency }) => id === way.poolId && currency === gift.currency);
    const isInReach = ({ value }: PoolStock) => value >= way.least && value <= way.most;
    return { ...way, codes: pool?.stocks.filter(isInReach) ?? [] };
  });
  return {
    left: leftOf(gift),
    ways,
    redemptions,
  };
}
