import { recordsOf } from '../../company/directory/who.ts';
import { momentOf } from '../../company/workspaces/lock.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { amountText } from '../../ground/values/money.ts';
import { postLines } from './books.ts';
import { lapseFirst } from './lapse-before.ts';
import { announceLevels } from './levels.ts';
import { lockDrawnBudgets } from './lock-budgets.ts';
import type { Line } from './post.ts';

/** A gift, as the ledger knows it. */
export type GiftLine = Line & { position: number };

/** Gives back to their budgets what gifts cost that have expired or were cancelled. The caller holds the workspace's lock. */
export async function returnGifts(
  tx: Queryable,
  workspaceId: number,
  moment: string,
  gifts: readonly GiftLine[],
): Promise<void> {
  const moved = await postLines(tx, workspaceId, moment, 'RETURNED', gifts);
  await announceLevels(tx, workspaceId, moment, moved);
}

/** Takes from their budgets what gifts cost that had expired and can be claimed again. Refused where too little is left. */
export async function reviveGifts(
  tx: Queryable,
  workspaceId: number,
  moment: string,
  gifts: readonly GiftLine[],
): Promise<void> {
  if (gifts.length > 1)
    await lockDrawnBudgets(
      tx,
      workspaceId,
      gifts.map(({ requestId }) => requestId),
    );
  for (const gift of gifts) {
    await refuseRevival(tx, workspaceId, gift);
    const moved = await postLines(tx, workspaceId, moment, 'REVIVED', [gift]);
    await announceLevels(tx, workspaceId, moment, moved);
  }
}

/** Moves what recipients have spent, or have back. The entry names the redemptions in the sequence of its lines. */
export async function postRedemptions(
  tx: Queryable,
  workspaceId: number,
  moment: string,
  type: 'REDEEMED' | 'REVERSED',
  lines: readonly GiftLine[],
): Promise<void> {
  await postLines(tx, workspaceId, moment, type, lines, (some) => ({
    redemptions: some.map(({ redemptionId }) => redemptionId),
  }));
}

async function refuseRevival(tx: Queryable, workspaceId: number, { requestId, amount }: GiftLine): Promise<void> {
  const lockBudget = () => queryOptional<Revivable>(tx, lockSql, [workspaceId, requestId, momentOf(tx, workspaceId)]);
  let budget = await lockBudget();
  if (budget?.isDue) {
    await lapseFirst(tx, workspaceId, [budget.id]);
    budget = await lockBudget();
  }
  if (!budget) return;
  const { available, personLeft, currency } = budget;
  const costs = `The gift costs ${amountText(amount, currency)}, which went back to its budget when it expired, and`;
  const left = amountText(Math.max(0, Math.min(available, personLeft ?? available)), currency);
  if (available < amount)
    throw new Failure('overBudget', `${costs} ${left} is left there: have the budget raised, then extend the gift.`);
  if (personLeft !== null && personLeft < amount)
    throw new Failure(
      'overBudget',
      `${costs} its sender can draw ${left} more on the budget in the month of the order: have the cap for each person raised, then extend the gift.`,
    );
}

interface Revivable {
  id: number;
  available: number;
  /** What the sender can still draw in the month in which the order counts; null: no cap. */
  personLeft: number | null;
  currency: string;
  isDue: boolean | null;
}

const lockSql = `
  select b.id, b.available, b.currency,
         case when o.share_member_id is not null then
           b.person_cap - (select coalesce(sum(s.amount), 0)
                             from (${recordsOf('$1', 'o.share_member_id')}) own
                             join budget_shares s on s.workspace_id = $1 and s.budget_id = o.budget_id
                                                 and s.member_id = own.id and s.month = o.share_month) end as "personLeft",
         b.lapses_at <= $3::timestamptz as "isDue"
    from order_budgets o
    join budgets b on b.workspace_id = o.workspace_id and b.id = o.budget_id
   where o.workspace_id = $1
     and o.request_id = $2
     for update of b`;
