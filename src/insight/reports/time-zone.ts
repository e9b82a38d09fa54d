import { recountDays } from '../../giving/recognition/days.ts';
import type { Queryable } from '../../ground/database/database.ts';

/** Counts again what the reports count by day, after the workspace got another time zone. The caller holds the workspace's lock. */
export function followTimeZone(tx: Queryable, workspaceId: number): Promise<void> {
  return recountDays(tx, workspaceId, approvedSql);
}

const approvedSql = `
  select a.created_on, a.type, o.currency, c.amount
    from activities a
    left join certificates c   on c.workspace_id = a.workspace_id and c.request_id = a.request_id and c.position = a.position
    left join order_requests o on o.workspace_id = a.workspace_id and o.request_id = a.request_id
   where a.workspace_id = $1::bigint
     and a.status = 'APPROVED'`;
