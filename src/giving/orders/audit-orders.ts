import { audit } from '../../company/workspaces/audit.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { workspaceOf } from '../../ground/database/one-workspace.ts';
import { giftCount, noteOf } from './order-body.ts';
import type { ConcernedOrder } from './order-steps.ts';

interface SentOrder {
  workspaceId: number;
  requestId: string;
  actor: Actor;
  gifts: number;
  currency: string;
  note: string | null;
  /** The member whom the order names as its sender. */
  senderId: number | null;
}

/**
 * Whether the audit log notes an order: those that people send, those in the name of another, and those that say what they are
 * for. Other orders of tokens are not noted: the order itself says which token sent it, and there can be thousands in a second.
 */
export function isAudited({ workspace, order }: ConcernedOrder): boolean {
  return workspace.role !== null || !!order.note || !!order.sender;
}

/** Notes which orders of a workspace were sent, in the transaction that stores them. */
export async function auditOrders(
  tx: Queryable,
  orders: readonly { workspaceId: number; requestId: string; actor?: Actor | undefined }[],
): Promise<void> {
  const sent = await tx.query<SentOrder>(
    `select o.workspace_id as "workspaceId", o.request_id as "requestId",
            json_build_object('is', case when u.id is null then 'TOKEN' else 'USER' end,
                              'id', o.token_id, 'name', coalesce(u.name, t.name)) as actor,
            ${giftCount('o.body')} as gifts, o.currency, ${noteOf('o.body')} as note,
            case when o.body ? 'sender' then o.sender_id end as "senderId"
       from unnest($2::uuid[]) as stored (request_id)
       join order_requests o on o.workspace_id = $1 and o.request_id = stored.request_id
       left join users u      on u.id = o.token_id
       left join api_tokens t on t.id = o.token_id`,
    [workspaceOf(orders), orders.map(({ requestId }) => requestId)],
  );
  const named = new Map(orders.map(({ requestId, actor }) => [requestId, actor]));
  const entries = sent.map(({ workspaceId, requestId, actor, gifts, currency, note, senderId }) => ({
    workspaceId,
    actor: named.get(requestId) ?? actor,
    action: 'order.created' as const,
    subject: { id: requestId, name: null },
    detail: { gifts, currency, ...(note !== null && { note }), ...(senderId !== null && { senderId }) },
  }));
  await audit(tx, ...entries);
}
