import type { Queryable } from '../database/database.ts';
import type { FinishedOrders } from './steps.ts';

export interface IssuedGift {
  requestId: string;
  position: number;
  certificateId: number;
  memberId: number;
  amount: number;
  message: string;
}

/** Reads the gifts that a step of fulfilment was told of, in the order of the orders and their gifts. */
export function readIssuedGifts(tx: Queryable, { workspaceId, completed }: FinishedOrders): Promise<IssuedGift[]> {
  return tx.query<IssuedGift>(giftsSql, [workspaceId, completed.map(({ requestId }) => requestId)]);
}

const giftsSql = `
  select c.request_id as "requestId",
         c.position,
         c.id         as "certificateId",
         c.member_id  as "memberId",
         c.amount,
         c.message
    from unnest($2::uuid[]) with ordinality as asked (request_id, nth)
   cross join lateral (select *
                         from certificates
                        where workspace_id = $1
                          and request_id = asked.request_id
                        order by position
                        limit 1000) c
   order by asked.nth, c.position`;
