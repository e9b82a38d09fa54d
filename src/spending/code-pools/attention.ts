import { type Queryable, queryCount } from '../../ground/database/database.ts';

/** Retailers and values of which few codes are left, or none. */
export function countLowStocks(on: Queryable, workspaceId: number): Promise<number> {
  return queryCount(on, `select count(*) from pool_stocks where workspace_id = $1 and announced <> 'ENOUGH'`, [
    workspaceId,
  ]);
}
