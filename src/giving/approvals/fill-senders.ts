import type { Filled } from '../../company/workspaces/backfills.ts';
import type { Queryable } from '../../ground/database/database.ts';

/** Notes who sent the orders that a rule let wait before their senders were noted with them. */
export async function fillSenders(
  tx: Queryable,
  workspaceId: number,
  after: string | null,
  most: number,
): Promise<Filled | null> {
  const filled = await tx.query<{ id: string }>(fillSql, [workspaceId, after, most]);
  const last = filled.map(({ id }) => id).sort();
  return last.length === 0 ? null : { rows: last.length, last: last.at(-1) as string };
}

const fillSql = `
  update order_approvals a
     set sender_id = r.sender_id
    from (select request_id
            from order_approvals
           where workspace_id = $1
             and ($2::uuid is null or request_id > $2::uuid)
           order by request_id
           limit $3) next
    join order_requests r on r.workspace_id = $1 and r.request_id = next.request_id
   where a.workspace_id = $1
     and a.request_id = next.request_id
  returning a.request_id as id`;
