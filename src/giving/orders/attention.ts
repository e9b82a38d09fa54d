import { type Queryable, queryCount } from '../../ground/database/database.ts';
import { firstUuidAt } from '../../ground/values/uuid.ts';

const dayMs = 86_400_000;
const days = 30;

/** Orders of the last 30 days that have failed, up to `most`. */
export function countFailed(on: Queryable, workspaceId: number, most: number): Promise<number> {
  return queryCount(
    on,
    `select count(*)
       from (select
               from orders
              where workspace_id = $1
                and failure is not null
                and request_id >= $3::uuid
              limit $2::int) failed`,
    [workspaceId, most, firstUuidAt(Date.now() - days * dayMs)],
  );
}
