import { shownFirstName, shownLastName } from '../../company/directory/names.ts';
import { survivorOf } from '../../company/directory/who.ts';
import { readSpan } from '../../company/workspaces/span.ts';
import type { OrderDetails, OrderListQuery, OrderPage, OrderSummary } from '../../ground/contract/order-list.ts';
import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { type Page, pageFields } from '../../ground/values/page.ts';
import { orderTotal } from '../budgets/cost.ts';
import { type ListedOrder, listOrders } from './list.ts';
import { giftCount, noteOf } from './order-body.ts';
import { statusColumns, statusRecord } from './status.ts';

/** How many orders a page examines at most, in about 100 ms. */
const examinedAtMost = 5_000;

/** A page of a workspace's orders, as the API shows them, the newest first. */
export async function listSummaries(on: Queryable, workspaceId: number, query: OrderListQuery): Promise<OrderPage> {
  const { first, end } = await readSpan(on, workspaceId, query);
  const { after } = query;
  const before = after !== undefined && after.toLowerCase() < end ? after.toLowerCase() : end;
  const asked = { workspaceId, status: query.status ?? null, limit: query.size, before, first };
  const { orders, next } = await listOrders(on, asked, examinedAtMost);
  return { orders: orders.map(summaryOf), next };
}

/** One order with a page of its lines, as it was sent; null where the workspace has none with this id. */
export async function readOrderDetails(
  on: Queryable,
  workspaceId: number,
  requestId: string,
  page: Page,
): Promise<Omit<OrderDetails, 'approval'> | null> {
  const row = await queryOptional<Row>(on, detailsSql, [workspaceId, requestId, page.page * page.size, page.size]);
  if (!row) return null;
  const { lines, finished, ...order } = row;
  return { ...summaryOf({ ...statusRecord(row), ...order }), ...pageFields(page, row.gifts), lines };
}

type Listed = Omit<ListedOrder, 'workspaceId'>;
type Row = Omit<Listed, 'requestStatus' | 'orderStep'> & { finished: boolean; lines: OrderDetails['lines'] };

function summaryOf(order: Listed): OrderSummary {
  return {
    requestId: order.requestId,
    requestStatus: order.requestStatus,
    orderStep: order.orderStep,
    orderId: order.orderId,
    customerRequestId: order.customerRequestId,
    senderName: order.senderName,
    acceptedAt: order.acceptedAt.toISOString(),
    finishedAt: order.finishedAt === null ? null : order.finishedAt.toISOString(),
    gifts: order.gifts,
    total: order.total,
    currency: order.currency,
    failure: order.failure,
    note: order.note,
  };
}

const detailsSql = `
  select ${statusColumns},
         r.sender_name           as "senderName",
         r.currency,
         r.accepted_at           as "acceptedAt",
         o.finished_at           as "finishedAt",
         o.failure,
         ${noteOf('r.body')}     as note,
         ${giftCount('r.body')}  as gifts,
         ${orderTotal('r.body')} as total,
         (select coalesce(json_agg(json_build_object(
                   'giftId', c.id,
                   'firstName', coalesce(line.value #>> '{recipient,firstName}', ${shownFirstName('m')}),
                   'lastName', coalesce(line.value #>> '{recipient,lastName}', ${shownLastName('m')}),
                   'email', line.value #>> '{recipient,email}',
                   'employeeNumber', line.value #>> '{recipient,employeeNumber}',
                   'amount', line.value -> 'amount',
                   'message', line.value ->> 'message',
                   'deliverAt', coalesce(line.value ->> 'deliverAt', whole.deliver_at),
                   'language', coalesce(line.value ->> 'language', r.language)) order by line.ordinality), '[]')
            from (select *
                    from jsonb_array_elements(r.body -> 'orderItems') with ordinality
                  offset $3::bigint
                   limit $4::bigint) line
            left join certificates c
                   on c.workspace_id = $1
                  and c.request_id = r.request_id
                  and c.position = line.ordinality - 1
            left join members named on named.workspace_id = $1 and named.id = c.member_id
            left join members m     on m.workspace_id = $1 and m.id = ${survivorOf('named')}) as lines
    from order_requests r
   cross join lateral (select r.body ->> 'deliverAt' as deliver_at offset 0) whole
    left join orders o on o.workspace_id = r.workspace_id and o.request_id = r.request_id
   where r.workspace_id = $1
     and r.request_id = $2`;
