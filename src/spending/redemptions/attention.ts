import { type Queryable, queryCount } from '../../ground/database/database.ts';

/** Requests of recipients that are neither done nor declined, up to `most`. One that draws on several gifts is one. */
export function countOpenRequests(on: Queryable, workspaceId: number, most: number): Promise<number> {
  return queryCount(
    on,
    `select count(*)
       from (select
               from redemptions
              where workspace_id = $1
                and state = 'REQUESTED'
                and (spending_id is null or spending_id = id)
              limit $2::int) asked`,
    [workspaceId, most],
  );
}
