import { type Queryable, queryCount } from '../../ground/database/database.ts';
import { firstUuidAt } from '../../ground/values/uuid.ts';

const dayMs = 86_400_000;
const days = 30;

/**
 * Orders of the last 30 days that have failed, up to `most`. Orders that an approver declined, or that no approver decided in time, are
 * no failures that need attention.
 */
export function countFailed(on: Queryable, workspaceId: number, most: number): Promise<number> {
  return queryCount(
    on,
    `select count(*)
       from (select
               from orders o
              where workspace_id = $1
                and failure is not null
                and request_id >= $3::uuid
                and not exists (select from order_approvals a
                                 where a.workspace_id = o.workspace_id
                                   and a.request_id = o.request_id
                                   and a.state in ('DECLINED', 'EXPIRED'))
              limit $2::int) failed`,
    [workspaceId, most, firstUuidAt(Date.now() - days * dayMs)],
  );
}
