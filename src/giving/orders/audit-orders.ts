import { audit } from '../../company/workspaces/audit.ts';
import type { Queryable } from '../../ground/database/database.ts';

interface SentOrder {
  workspaceId: number;
  requestId: string;
  userId: number;
  name: string;
  gifts: number;
  currency: string;
}

/**
 * Notes which orders people have sent from the console, in the transaction that stores them. Orders of tokens are not noted: the
 * order itself says which token sent it, and there can be thousands in a second.
 */
export async function auditOrders(
  tx: Queryable,
  orders: readonly { workspaceId: number; requestId: string }[],
): Promise<void> {
  const sent = await tx.query<SentOrder>(
    `select o.workspace_id as "workspaceId", o.request_id as "requestId", u.id as "userId", u.name,
            jsonb_array_length(o.body -> 'orderItems') as gifts, o.currency
       from unnest($1::bigint[], $2::uuid[]) as stored (workspace_id, request_id)
       join order_requests o using (workspace_id, request_id)
       join users u on u.id = o.token_id`,
    [orders.map(({ workspaceId }) => workspaceId), orders.map(({ requestId }) => requestId)],
  );
  const entries = sent.map(({ workspaceId, requestId, userId, name, gifts, currency }) => ({
    workspaceId,
    actor: { is: 'USER', id: userId, name } as const,
    action: 'order.created' as const,
    subject: { id: requestId, name: null },
    detail: { gifts, currency },
  }));
  await audit(tx, ...entries);
}
