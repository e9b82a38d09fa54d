import type { OrderRequestStatus } from '../contract/order.ts';
import type { Queryable } from '../database/database.ts';
import { Failure } from '../errors.ts';
import { statusRecord } from './status.ts';

export interface ListedOrder extends OrderRequestStatus {
  workspaceId: number;
  senderName: string;
  acceptedAt: Date;
  finishedAt: Date | null;
  gifts: number;
  total: number;
  currency: string;
  failure: string | null;
}

export interface OrderQuery {
  /** Null: all workspaces. */
  workspaceId: number | null;
  /** Null: any. */
  status: OrderRequestStatus['requestStatus'] | null;
  limit: number;
  /** List orders older than this requestId; null: begin at the newest order. */
  before: string | null;
}

export interface OrderList {
  orders: ListedOrder[];
  /** How many orders, from the newest on, were read to find those of the status. */
  examined: number;
  /** The `before` that continues the list; null if nothing older is left. */
  next: string | null;
}

/** The status has no index, so a search reads at most this many orders, in about a second. `next` continues it. */
const mostExamined = 50_000;

/**
 * Lists orders, newest first. Both statements read the newest end of an index, so the time depends on how many orders are
 * read, not on how many exist. Orders of one workspace are sorted by their ids, which begin with the time.
 */
export async function listOrders(database: Queryable, query: OrderQuery): Promise<OrderList> {
  const { workspaceId, status, limit, before } = query;
  const window = status === null ? limit : mostExamined;
  const start = workspaceId === null ? await startOfAll(database, before) : [workspaceId, before ?? lastUuid];
  const source = workspaceId === null ? newestOfAll : newestOfOne;
  const rows = await database.query<Row>(listSql(source), [...start, window, status, limit]);
  const orders = rows.map(({ finished, ...order }) => ({ ...statusRecord({ ...order, finished }), ...order }));
  if (orders.length === limit) return { orders, examined: window, next: orders.at(-1)?.requestId ?? null };
  const [looked] = await database.query<{ examined: number; oldest: string | null }>(windowSql(source), [
    ...start,
    window,
  ]);
  const { examined = 0, oldest = null } = looked ?? {};
  return { orders, examined, next: examined === window ? oldest : null };
}

type Row = Omit<ListedOrder, 'requestStatus' | 'orderStep'> & { finished: boolean };

const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const newestOfOne = `
  from order_requests
 where workspace_id = $1::bigint
   and request_id < $2::uuid
 order by request_id desc
 limit $3`;

const newestOfAll = `
  from order_requests
 where (accepted_at, request_id) < ($1::timestamptz, $2::uuid)
 order by accepted_at desc, request_id desc
 limit $3`;

async function startOfAll(database: Queryable, before: string | null): Promise<[unknown, string]> {
  if (before === null) return ['infinity', lastUuid];
  // As text, because a Date would cut the microseconds off.
  const [row] = await database.query<{ acceptedAt: string }>(
    `select r.accepted_at::text as "acceptedAt"
       from workspaces w
       join order_requests r on r.workspace_id = w.id and r.request_id = $1`,
    [before],
  );
  if (!row) throw new Failure('missing', `There is no order request ${before} to begin before.`);
  return [row.acceptedAt, before];
}

/** The outcome is looked up by key for each request: the limit inside keeps the planner from joining whole tables. */
const listSql = (source: string) => `
  select r.request_id          as "requestId",
         r.customer_request_id as "customerRequestId",
         o.id                  as "orderId",
         o.status is not null  as finished,
         r.workspace_id        as "workspaceId",
         r.sender_name         as "senderName",
         r.currency,
         r.accepted_at         as "acceptedAt",
         o.finished_at         as "finishedAt",
         o.failure,
         jsonb_array_length(r.body -> 'orderItems') as gifts,
         (select sum((item ->> 'amount')::numeric)
            from jsonb_array_elements(r.body -> 'orderItems') as item) as total
    from (select * ${source}) r
    left join lateral (
           select id, failure, finished_at, case when id is null then 'FAILED' else 'COMPLETED' end as status
             from orders
            where workspace_id = r.workspace_id
              and request_id = r.request_id
            limit 1
         ) o on true
   where $4::text is null or coalesce(o.status, 'ACCEPTED') = $4
   limit $5`;

const windowSql = (source: string) => `
  select count(*) as examined, (array_agg(request_id))[count(*)] as oldest
    from (select request_id ${source}) r`;
