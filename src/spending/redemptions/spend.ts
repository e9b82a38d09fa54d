import { atDesk, type GiftDesk } from '../../giving/gifts/claim.ts';
import type { Gift } from '../../giving/gifts/gift.ts';
import type { Redemption } from '../../ground/contract/redemption.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { spendingKinds } from '../../ground/values/spending-kinds.ts';
import { giveCode } from '../code-pools/give.ts';
import { TooManyParts } from './parts.ts';
import { type Redeemed, redeem } from './redeem.ts';
import { readSpendingOption } from './spending-options.ts';

/** What a recipient chose on the gift page. */
export interface Choice {
  /** The id of a spending option. */
  option: string;
  amount: number;
  /** Of a pool: whose code. */
  retailer?: string;
  /** Of a request: what the recipient would like. */
  requestText?: string;
}

/**
 * What came of a choice. `spent`: the redemption is there, now or since the same choice was sent before. The others have changed nothing.
 * `no code`: the pool has none left. `too many parts`: only all that is left can be spent. `refused`: the gift or the spending option does not allow it.
 * `gone`: the gift's link was replaced.
 */
export type Spent =
  | { outcome: 'spent'; gift: Gift; redemption: Redemption }
  | { outcome: 'no code' | 'too many parts' | 'refused' | 'gone'; gift: Gift };

/** Spends a gift as its recipient asks for. Sent again with the same key, nothing more happens. */
export async function spendGift(desk: GiftDesk, found: Gift, choice: Choice, key: string): Promise<Spent> {
  let spent: Redeemed | null = null;
  try {
    const { outcome, gift } = await atDesk(desk, found, async (tx, current) => {
      spent = await spendAsOwner(tx, current, choice, `page:${current.id}:${key}`);
      return 'spent' as const;
    });
    if (outcome === 'gone' || spent === null) return { outcome: 'gone', gift };
    return { outcome, gift, redemption: (spent as Redeemed).redemption };
  } catch (error) {
    if (error instanceof NoCode) return { outcome: 'no code', gift: found };
    if (error instanceof TooManyParts) return { outcome: 'too many parts', gift: found };
    if (error instanceof Failure && refusals.has(error.kind)) return { outcome: 'refused', gift: found };
    throw error;
  }
}

const refusals: ReadonlySet<string> = new Set(['conflict', 'overBudget', 'invalid', 'mismatch', 'missing']);

/** Rolls back the redemption that would have got no code. */
class NoCode extends Error {}

/** The same in a transaction that holds the workspace's lock, with the gift as it is there. Throws what it refuses. */
export async function spendAsOwner(
  tx: Queryable,
  gift: Gift,
  choice: Choice,
  idempotencyKey: string,
): Promise<Redeemed> {
  const { workspaceId, currency } = gift;
  const option = await readSpendingOption(tx, workspaceId, choice.option);
  const { fulfilledBy } = spendingKinds[option.kind];
  if (fulfilledBy === 'till')
    throw new Failure('conflict', 'This option works only at a till: show the gift code there.');
  const { amount, retailer, requestText } = choice;
  const isPool = fulfilledBy === 'code';
  const spent = await redeem(tx, workspaceId, {
    gift,
    option,
    amount,
    idempotencyKey,
    ...(isPool && { retailer: retailer ?? null }),
    detail: { ...(isPool && { retailer }), ...(fulfilledBy === 'colleague' && requestText && { requestText }) },
  });
  if (!isPool || spent.replayed) return spent;
  const wanted = { poolId: option.poolId ?? 0, retailer: retailer ?? '', value: amount, currency };
  if (!(await giveCode(tx, workspaceId, wanted, spent.redemption.id))) throw new NoCode();
  return spent;
}
