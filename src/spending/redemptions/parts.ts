import { type Gift, leftOf } from '../../giving/gifts/gift.ts';
import type { Redemption } from '../../ground/contract/redemption.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { amountText } from '../../ground/values/money.ts';

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

/** Refuses one part more than gifts can have. The caller holds the workspace's lock. */
export async function checkParts(
  tx: Queryable,
  workspaceId: number,
  parts: readonly { gift: Gift; amount: number }[],
): Promise<void> {
  const partly = parts.filter(({ gift, amount }) => amount !== leftOf(gift)).map(({ gift }) => gift);
  if (partly.length === 0) return;
  const full = await tx.query<{ nth: number }>(
    `select asked.nth
       from unnest($2::uuid[], $3::int[]) with ordinality as asked (request_id, position, nth)
      cross join lateral (select count(*) as parts
                            from redemptions d
                           where d.workspace_id = $1
                             and d.request_id = asked.request_id
                             and d.position = asked.position
                             and ${standing}) counted
      where counted.parts >= $4
      order by asked.nth`,
    [workspaceId, partly.map(({ requestId }) => requestId), partly.map(({ position }) => position), mostParts],
  );
  const gift = full[0] && partly[full[0].nth - 1];
  if (!gift) return;
  throw new TooManyParts(
    'conflict',
    `The gift was spent in ${mostParts} parts already: spend all that is left, ${amountText(leftOf(gift), gift.currency)}.`,
  );
}
