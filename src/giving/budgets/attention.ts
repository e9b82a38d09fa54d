import type { Attention } from '../../ground/contract/overview.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { percentReached } from './levels.ts';

type Low = Pick<Attention, 'lowBudgets' | 'exhaustedBudgets'>;

/** Open budgets that have reached a threshold, and those that are exhausted, among `most` of them. */
export function countLowBudgets(on: Queryable, workspaceId: number, most: number): Promise<Low> {
  return queryOne<Low>(
    on,
    `select count(*) filter (where percent between 1 and 99) as "lowBudgets",
            count(*) filter (where percent = 0)              as "exhaustedBudgets"
       from (select ${percentReached} as percent
               from budgets b
              where b.workspace_id = $1
                and b.kind <> 'UNLIMITED'
                and b.closed_at is null
              limit $2::int) levels`,
    [workspaceId, most],
  );
}
