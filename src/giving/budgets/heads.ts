import type { Queryable } from '../../ground/database/database.ts';

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
    `select workspace_id as "workspaceId", id as "budgetId", currency, latest as entries, encode(head, 'hex') as head
       from budgets
      where latest > 0
        and ($2::bigint is null or workspace_id = $2)
      order by latest_at desc, workspace_id, id
      limit $1`,
    [limit, workspaceId],
  );
}
