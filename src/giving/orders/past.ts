import type { OrderRequest } from '../../ground/contract/order.ts';
import type { Queryable } from '../../ground/database/database.ts';

/** An order of a history, with the moment at which it was accepted. */
export interface PastOrder {
  workspaceId: number;
  requestId: string;
  tokenId: number;
  senderId: number;
  senderName: string;
  language: string;
  acceptedAt: Date;
  order: OrderRequest;
}

/** Stores orders that were accepted in the past. They are not listed as pending: the caller fulfils them. */
export async function storePastOrders(tx: Queryable, orders: readonly PastOrder[]): Promise<void> {
  await tx.query(storeSql, [JSON.stringify(orders)]);
}

const storeSql = `
  insert into order_requests (workspace_id, request_id, token_id, sender_id, sender_name, currency, language, body, accepted_at)
  select "workspaceId", "requestId", "tokenId", "senderId", "senderName", "order" ->> 'currency', language, "order", "acceptedAt"
    from jsonb_to_recordset($1::jsonb) as past (
           "workspaceId" bigint, "requestId" uuid, "tokenId" bigint, "senderId" bigint, "senderName" text, language text,
           "acceptedAt" timestamptz, "order" jsonb)`;
