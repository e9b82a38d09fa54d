import { type Queryable, queryCount } from '../../ground/database/database.ts';

/** Requests of recipients that are neither done nor declined, up to `most`. */
export function countOpenRequests(on: Queryable, workspaceId: number, most: number): Promise<number> {
  return queryCount(
    on,
    `select count(*)
       from (select
               from redemptions
              where workspace_id = $1
                and state = 'REQUESTED'
              limit $2::int) asked`,
    [workspaceId, most],
  );
}
