import type { Gift } from '../../giving/gifts/gift.ts';
import type { Redemption } from '../../ground/contract/redemption.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { amountText } from '../../ground/values/money.ts';
import { leftOf } from './spending-options.ts';

/**
 * In how many parts a gift can be spent. After that only all that is left can be: a recipient who spends cent by cent would make a page
 * that takes longer and longer, and a line of payroll for each cent.
 */
export const mostParts = 100;

/** The gift already has as many parts as it can have. */
export class TooManyParts extends Failure {}

/** Whether a redemption counts as spent, by its state. */
export function isStanding({ state }: Pick<Redemption, 'state'>): boolean {
  return state === 'REQUESTED' || state === 'DONE';
}

/** The same of `redemptions d`. */
export const standing = `d.state in ('REQUESTED', 'DONE')`;

/** Refuses one part more than a gift can have. The caller holds the workspace's lock. */
export async function checkParts(tx: Queryable, gift: Gift, amount: number): Promise<void> {
  const left = leftOf(gift);
  if (amount === left) return;
  const { parts } = await queryOne<{ parts: number }>(
    tx,
    `select count(*) as parts
       from redemptions d
      where d.workspace_id = $1
        and d.request_id = $2
        and d.position = $3
        and ${standing}`,
    [gift.workspaceId, gift.requestId, gift.position],
  );
  if (parts < mostParts) return;
  throw new TooManyParts(
    'conflict',
    `The gift was spent in ${mostParts} parts already: spend all that is left, ${amountText(left, gift.currency)}.`,
  );
}
