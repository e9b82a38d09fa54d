import { appendEvents } from '../../company/events/log.ts';
import { momentOf } from '../../company/workspaces/lock.ts';
import type { MoneyGrant } from '../../ground/contract/budget.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { announceLevels } from './levels.ts';
import { type Posting, post } from './post.ts';

export interface GrantRequest extends MoneyGrant {
  idempotencyKey?: string | null;
}

/** Posts a withdrawal. The caller holds the workspace's lock, and has compared the amount with what is available. */
export async function withdraw(tx: Queryable, workspaceId: number, id: number, request: GrantRequest): Promise<void> {
  const moment = momentOf(tx, workspaceId);
  await post(tx, workspaceId, moment, [{ type: 'WITHDRAWN', ...postingOf(id, request) }]);
  await announceLevels(tx, workspaceId, moment, [id]);
}

/** Posts a grant or an allowance, and says so. The caller holds the workspace's lock. */
export async function refill(
  tx: Queryable,
  workspaceId: number,
  id: number,
  type: 'GRANTED' | 'ALLOTTED',
  request: GrantRequest,
): Promise<void> {
  const moment = momentOf(tx, workspaceId);
  await post(tx, workspaceId, moment, [{ type, ...postingOf(id, request) }]);
  const [budget] = await tx.query<{ memberId: number | null; currency: string; available: number }>(
    `update budgets
        set refilled = available
      where workspace_id = $1
        and id = $2
     returning member_id as "memberId", currency, available`,
    [workspaceId, id],
  );
  if (!budget) return;
  const data = { budgetId: id, ...budget, amount: request.amount };
  await appendEvents(tx, workspaceId, moment, [{ type: 'budget.granted', data }]);
  await announceLevels(tx, workspaceId, moment, [id]);
}

function postingOf(budgetId: number, { amount, note, idempotencyKey }: GrantRequest): Omit<Posting, 'type'> {
  const detail = note === undefined ? {} : { note };
  return { budgetId, isUnlimited: false, amount, detail, idempotencyKey: idempotencyKey ?? null };
}
