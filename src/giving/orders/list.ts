import { lastUuid } from '../../company/workspaces/span.ts';
import type { OrderRequestStatus } from '../../ground/contract/order.ts';
import { type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { firstUuidAt } from '../../ground/values/uuid.ts';
import { orderTotal } from '../budgets/cost.ts';
import { lookUp } from './look-up.ts';
import { giftCount, noteOf } from './order-body.ts';
import { allWaiting } from './queue.ts';
import { orderColumns, requestStatus, statusRecord } from './status.ts';

export interface ListedOrder extends OrderRequestStatus {
  workspaceId: number;
  senderName: string;
  acceptedAt: Date;
  finishedAt: Date | null;
  gifts: number;
  total: number;
  currency: string;
  failure: string | null;
  note: string | null;
}

export interface OrderQuery {
  /** Null: all workspaces. */
  workspaceId: number | null;
  /** Null: any. */
  status: OrderRequestStatus['requestStatus'] | null;
  limit: number;
  /** List orders older than this requestId; null: begin at the newest order. */
  before: string | null;
  /** The smallest requestId that is listed; absent: the first order. */
  first?: string;
}

export interface OrderList {
  orders: ListedOrder[];
  /** How many orders, from the newest on, were read to find the listed ones. */
  examined: number;
  /** The `before` that continues the list; null if nothing older is left. */
  next: string | null;
}

/** Of all workspaces, statuses have no index, so a search reads at most this many orders, in about a second. `next` continues it. */
const mostExamined = 50_000;

/**
 * Lists orders, newest first. The statements read the newest end of an index, so the time depends on how many orders are
 * read, not on how many exist. Orders of one workspace are sorted by their ids, which begin with the time.
 */
export async function listOrders(
  database: Queryable,
  query: OrderQuery,
  examinedAtMost = mostExamined,
): Promise<OrderList> {
  const { status, limit } = query;
  const window = status === null ? limit : examinedAtMost;
  const start = await startOf(database, query, query.before);
  const rows = await database.query<Row>(listSql(sourceOf(query)), [...start, window, status, limit]);
  const orders = rows.map(({ finished, position, ...order }) => ({
    ...statusRecord({ ...order, finished }),
    ...order,
  }));
  const last = rows.at(-1);
  if (!last || rows.length < limit) {
    const { examined, oldest } = await readWindow(database, query, start, window);
    return { orders, examined, next: examined === window ? oldest : null };
  }
  const behind = await startOf(database, query, last.requestId);
  const { examined: older } = await readWindow(database, query, behind, 1);
  return { orders, examined: last.position, next: older > 0 ? last.requestId : null };
}

type Row = Omit<ListedOrder, 'requestStatus' | 'orderStep'> & {
  finished: boolean;
  /** Counted from the newest order that was read. */
  position: number;
};

/** The first three parameters of a statement: where reading begins, and where it ends. */
type Start = readonly [unknown, string, string];

async function startOf(database: Queryable, { workspaceId, first }: OrderQuery, before: string | null): Promise<Start> {
  const end = first ?? firstUuidAt(0);
  if (workspaceId !== null) return [workspaceId, before ?? lastUuid, end];
  return [...(await startOfAll(database, before)), end];
}

function sourceOf({ workspaceId, status }: OrderQuery): Source {
  if (workspaceId === null) return newestOfAll;
  if (status === 'FAILED') return failedOfOne;
  return status === 'ACCEPTED' ? waitingOfOne : newestOfOne;
}

/** How many orders there are from the start on, at most as many as the window has, and the oldest of them. */
function readWindow(database: Queryable, query: OrderQuery, start: Start, window: number) {
  return queryOne<{ examined: number; oldest: string | null }>(database, windowSql(sourceOf(query)), [
    ...start,
    window,
  ]);
}

interface Source {
  /** The workspace of a row, as an SQL expression. */
  workspace: (row: string) => string;
  table: string;
  condition: string;
  order: string;
}

const ofOne = 'workspace_id = $1::bigint and request_id < $2::uuid and request_id >= $3::uuid';

const newestOfOne: Source = {
  workspace: () => '$1::bigint',
  table: 'order_requests',
  condition: ofOne,
  order: 'request_id desc',
};

/** Failed orders are few, and have an index. */
const failedOfOne: Source = { ...newestOfOne, table: 'orders', condition: `${ofOne} and failure is not null` };

/** So are those that wait, for fulfilment or for a decision. */
const waitingOfOne: Source = { ...newestOfOne, table: `${allWaiting} waiting` };

const newestOfAll: Source = {
  workspace: (row) => `${row}.workspace_id`,
  table: 'order_requests',
  condition: '(accepted_at, request_id) < ($1::timestamptz, $2::uuid) and request_id >= $3::uuid',
  order: 'accepted_at desc, request_id desc',
};

async function startOfAll(database: Queryable, before: string | null): Promise<readonly [string, string]> {
  if (before === null) return ['infinity', lastUuid];
  // As text, because a Date would cut the microseconds off.
  const row = await queryOptional<{ acceptedAt: string }>(
    database,
    `select r.accepted_at::text as "acceptedAt"
       from workspaces w
       join order_requests r on r.workspace_id = w.id and r.request_id = $1`,
    [before],
  );
  if (!row) throw new Failure('missing', `There is no order request ${before} to begin before.`);
  return [row.acceptedAt, before];
}

/** The outcome is looked up by key for each request: the limit inside keeps the planner from joining whole tables. */
const listSql = (source: Source) => `
  select ${orderColumns},
         r.position,
         ${giftCount('r.body')} as gifts,
         ${orderTotal('r.body')} as total,
         ${noteOf('r.body')} as note
    from (${requestsSql(source)}) r
    left join lateral (${lookUp('orders', 'r', source.workspace('r'))}) o on true
   where $5::text is null or ${requestStatus} = $5
   limit $6`;

/** The requests that are examined, with their position. */
function requestsSql({ workspace, table, condition, order }: Source): string {
  const examined = `
          select *, row_number() over (order by ${order}) as position
            from ${table}
           where ${condition}
           order by ${order}
           limit $4`;
  if (table === 'order_requests') return examined;
  return `select request.*, examined.position
            from (${examined}) examined
           cross join lateral (${lookUp('order_requests', 'examined', workspace('examined'))}) request`;
}

const windowSql = ({ table, condition, order }: Source) => `
  select count(*) as examined, (array_agg(request_id))[count(*)] as oldest
    from (select request_id
            from ${table}
           where ${condition}
           order by ${order}
           limit $4) r`;
