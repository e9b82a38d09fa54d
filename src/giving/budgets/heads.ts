import { readNewest } from '../../company/workspaces/each.ts';
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

/** The latest hash of every chain, of one workspace or of all, those with the newest entries first. */
export function readHeads(
  on: Queryable,
  limit: number | null = null,
  workspaceId: number | null = null,
): Promise<Head[]> {
  const ids = workspaceId === null ? undefined : [workspaceId];
  return readNewest<Head>(on, limit, (id) => on.query(headsSql, [id, limit]), ids);
}

const headsSql = `
  select b.workspace_id as "workspaceId", b.id as "budgetId", b.currency, ${entryCount} as entries, encode(b.head, 'hex') as head,
         (extract(epoch from b.latest_at) * 1000000)::bigint as at
    from budgets b
   where b.workspace_id = $1
     and b.latest > 0
   order by b.latest_at desc, b.id
   limit $2`;
