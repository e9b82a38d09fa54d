import type { Queryable } from '../../ground/database/database.ts';
import { entryCountIn } from './entry-numbers.ts';

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
export async function readHeads(
  on: Queryable,
  limit: number | null = null,
  workspaceId: number | null = null,
): Promise<Head[]> {
  if (workspaceId !== null) return on.query<Head>(headsSql('$2::bigint'), [limit, workspaceId]);
  if (!on.isCluster) return on.query<Head>(headsSql('b.workspace_id'), [limit]);
  const heads: Head[] = [];
  for (const one of await on.query<{ workspaceId: number }>(newestSql, [limit]))
    heads.push(...(await readHeads(on, limit, one.workspaceId)));
  return heads.slice(0, limit ?? undefined);
}

const headsSql = (workspace: string) => `
  select b.workspace_id as "workspaceId", b.id as "budgetId", b.currency, ${entryCountIn(workspace)} as entries, encode(b.head, 'hex') as head
    from budgets b
   where b.latest > 0
     and b.workspace_id = ${workspace}
   order by b.latest_at desc, b.workspace_id, b.id
   limit $1`;

/** The workspaces with the newest entries. */
const newestSql = `
  select workspace_id as "workspaceId"
    from budgets
   where latest > 0
   group by workspace_id
   order by max(latest_at) desc, workspace_id
   limit $1`;
