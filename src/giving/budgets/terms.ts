import { momentOf } from '../../company/workspaces/lock.ts';
import type { Budget } from '../../ground/contract/budget.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure, invalid } from '../../ground/errors.ts';
import { decimalsProblem } from '../../ground/values/money.ts';
import { lapseFirst } from './lapse-before.ts';
import { readBudget } from './read.ts';

/**
 * The budget, if it is one that people manage: not closed, and not the book of gifts without a budget. Locks it, after what is due of it has lapsed. The caller
 * holds the workspace's lock.
 */
export async function readOpenBudget(tx: Queryable, workspaceId: number, id: number): Promise<Budget> {
  const [locked] = await tx.query<{ isDue: boolean | null }>(
    'select lapses_at <= $3::timestamptz as "isDue" from budgets where workspace_id = $1 and id = $2 for update',
    [workspaceId, id, momentOf(tx, workspaceId)],
  );
  if (locked?.isDue) await lapseFirst(tx, workspaceId, [id]);
  const budget = await readBudget(tx, workspaceId, id);
  if (budget.kind === 'UNLIMITED')
    throw new Failure(
      'conflict',
      'This account tracks gifts sent without a budget and cannot be changed: set a budget first.',
    );
  if (budget.closedAt !== null)
    throw new Failure('conflict', 'This budget is closed: set it again for the same owner and currency.');
  return budget;
}

/** An amount has at most the decimals of its currency. */
export function checkAmount(path: string, amount: number | null | undefined, currency: string): void {
  const problem = typeof amount === 'number' ? decimalsProblem(amount, currency) : null;
  if (problem !== null) throw invalid([{ path, problem }]);
}
