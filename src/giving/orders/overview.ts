import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { noteOf } from './order-body.ts';
import { orderColumns, statusRecord } from './status.ts';

export interface OrderOverview {
  requestId: string;
  requestStatus: string;
  orderStep: string;
  orderId: number | null;
  customerRequestId: string | null;
  workspaceId: number;
  senderName: string;
  currency: string;
  acceptedAt: Date;
  finishedAt: Date | null;
  failure: string | null;
  note: string | null;
  gifts: {
    certificateId: number | null;
    recipient: string;
    amount: number;
    message: string;
    deliverAt: string | null;
    language: string;
  }[];
}

/** Reads an order for an operator, from any workspace. */
export async function readOrderOverview(database: Queryable, requestId: string): Promise<OrderOverview | null> {
  const row = await queryOptional<OrderOverview & { finished: boolean }>(database, overviewSql, [requestId]);
  if (!row) return null;
  const { finished, ...overview } = row;
  return { ...statusRecord({ ...overview, finished }), ...overview };
}

const overviewSql = `
  select ${orderColumns},
         ${noteOf('r.body')} as note,
         (select json_agg(json_build_object(
                   'certificateId', c.id,
                   'recipient', coalesce(item.value #>> '{recipient,email}', item.value #>> '{recipient,employeeNumber}'),
                   'amount', item.value -> 'amount',
                   'message', item.value ->> 'message',
                   'deliverAt', coalesce(item.value ->> 'deliverAt', whole.deliver_at),
                   'language', coalesce(item.value ->> 'language', r.language)) order by item.ordinality)
            from jsonb_array_elements(r.body -> 'orderItems') with ordinality as item
            left join certificates c
                   on c.workspace_id = r.workspace_id
                  and c.request_id = r.request_id
                  and c.position = item.ordinality - 1) as gifts
    from workspaces w
    join order_requests r on r.workspace_id = w.id and r.request_id = $1
   cross join lateral (select r.body ->> 'deliverAt' as deliver_at offset 0) whole
    left join orders o    on o.workspace_id = r.workspace_id and o.request_id = r.request_id`;
