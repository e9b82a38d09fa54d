import type { Queryable } from '../database/database.ts';
import { lookUp } from './look-up.ts';
import { orderTotal } from './order-body.ts';
import type { FinishedOrders } from './steps.ts';

export interface FinishedOrder {
  requestId: string;
  customerRequestId: string | null;
  /** Null if the order has failed. */
  orderId: number | null;
  failure: string | null;
  gifts: number;
  total: number;
  currency: string;
}

/** Reads the orders that a step of fulfilment was told of: those completed, then those failed. */
export function readFinishedOrders(tx: Queryable, finished: FinishedOrders): Promise<FinishedOrder[]> {
  return tx.query<FinishedOrder>(ordersSql, [finished.workspaceId, requestIdsOf(finished)]);
}

export interface IssuedGift {
  requestId: string;
  position: number;
  certificateId: number;
  memberId: number;
  amount: number;
  message: string;
}

/** Reads the gifts that were issued, in the order of the orders and their gifts. */
export function readIssuedGifts(tx: Queryable, finished: FinishedOrders): Promise<IssuedGift[]> {
  return tx.query<IssuedGift>(giftsSql, [finished.workspaceId, requestIdsOf(finished)]);
}

function requestIdsOf({ completed, failed }: FinishedOrders): string[] {
  return [...completed, ...failed].map(({ requestId }) => requestId);
}

const asked = `
    from (select $1::bigint as workspace_id, request_id, nth
            from unnest($2::uuid[]) with ordinality as asked (request_id, nth)) asked`;

const ordersSql = `
  select asked.request_id      as "requestId",
         r.customer_request_id as "customerRequestId",
         o.id                  as "orderId",
         o.failure,
         o.gift_count          as gifts,
         ${orderTotal('r.body')} as total,
         r.currency
    ${asked}
   cross join lateral (${lookUp('order_requests', 'asked')}) r
   cross join lateral (${lookUp('orders', 'asked')}) o
   order by asked.nth`;

const giftsSql = `
  select c.request_id as "requestId",
         c.position,
         c.id         as "certificateId",
         c.member_id  as "memberId",
         c.amount,
         c.message
    ${asked}
   cross join lateral (select *
                         from certificates
                        where workspace_id = asked.workspace_id
                          and request_id = asked.request_id
                        order by position
                        limit 1000) c
   order by asked.nth, c.position`;
