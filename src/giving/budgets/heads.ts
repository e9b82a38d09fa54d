import type { Queryable } from '../../ground/database/database.ts';
import { entryCount } from './entry-numbers.ts';

export interface Head {
  workspaceId: number;
  budgetId: number;
  currency: string;
  entries: number;
  head: string;
}

/** The log has the heads of this many chains. */
export const mostHeads = 100;

/** The latest hash of every chain, those with the newest entries first. */
export function readHeads(
  on: Queryable,
  limit: number | null = null,
  workspaceId: number | null = null,
): Promise<Head[]> {
  return on.query<Head>(
    `select b.workspace_id as "workspaceId", b.id as "budgetId", b.currency, ${entryCount} as entries, encode(b.head, 'hex') as head
       from budgets b
      where b.latest > 0
        and ($2::bigint is null or b.workspace_id = $2)
      order by b.latest_at desc, b.workspace_id, b.id
      limit $1`,
    [limit, workspaceId],
  );
}
