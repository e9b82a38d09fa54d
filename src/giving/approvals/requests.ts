import { createHash, randomUUID } from 'node:crypto';
import type { Queryable } from '../../ground/database/database.ts';
import type { HeldOrder } from '../orders/order-steps.ts';

/*
 * Orders of one batch that wait for the same decision are one request to approvers. Orders join it as they are accepted. When all of them are
 * here, or none has come for a while, it is closed and approvers are asked: what they decide about does not change while they read it.
 */

/** A request that is not complete is closed when no order has joined it for this long. Orders that come later are a request of their own. */
const quietSeconds = 60;

/** Which request an order belongs to. */
export interface Joined {
  id: string;
  /** Whether it is the first order of the request. */
  isFirst: boolean;
}

/**
 * Adds orders to the open requests of their batches, or opens them. By requestId; an order without a batch, or one that is tried again, is a request of
 * its own and has no entry. Transactions join requests in the order of their keys, so that they do not block each other.
 */
export async function joinRequests(tx: Queryable, orders: readonly HeldOrder[]): Promise<ReadonlyMap<string, Joined>> {
  const joining = orders.flatMap((order) => {
    const { batch } = order.order;
    return batch && !order.hold.by ? [{ ...order, key: keyOf(order), expected: batch.orders }] : [];
  });
  const joined = new Map<string, Joined>();
  if (joining.length === 0) return joined;
  const byKey = Map.groupBy(joining, ({ workspaceId, key }) => `${workspaceId} ${key}`);
  const rows = [...byKey.values()].map((some) => {
    const [{ workspaceId, key, expected }] = some as [(typeof joining)[number]];
    return { workspaceId, key, expected, id: randomUUID(), count: some.length };
  });
  const found = await tx.query<{ workspaceId: number; key: string; id: string; isNew: boolean }>(joinSql, [
    JSON.stringify(rows),
  ]);
  for (const { workspaceId, key, id, isNew } of found)
    for (const [nth, { requestId }] of (byKey.get(`${workspaceId} ${key}`) ?? []).entries())
      joined.set(requestId, { id, isFirst: isNew && nth === 0 });
  return joined;
}

/** Orders with the same key are decided by the same people for the same reason. */
function keyOf({ tokenId, senderId, order: { batch, note }, hold: { rule, levels, days } }: HeldOrder): string {
  const parts = [batch?.id, tokenId, senderId, rule.id, levels, days, note?.trim() || null];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

const joinSql = `
  insert into approval_requests as r (workspace_id, id, key, expected, joined, last_at)
  select "workspaceId", id, key, expected, count, clock_timestamp()
    from jsonb_to_recordset($1::jsonb) as o ("workspaceId" bigint, id uuid, key text, expected int, count int)
   order by "workspaceId", key
  on conflict (workspace_id, key) where closed_at is null do update
     set joined  = r.joined + excluded.joined,
         last_at = excluded.last_at
  returning workspace_id as "workspaceId", key, id, xmax = 0 as "isNew"`;

/**
 * Closes the requests of a workspace that are complete, or that no order has joined for a while. Their orders wait from now on. A request that an
 * order is joining right now stays open. The transaction holds the workspace's lock.
 */
export async function closeRequests(tx: Queryable, workspaceId: number, moment: string): Promise<void> {
  const closed = await tx.query<{ id: string }>(closeSql, [workspaceId, moment, quietSeconds]);
  if (closed.length === 0) return;
  // In a statement of its own, because it has to see the orders that joined last.
  await tx.query(waitFromNowSql, [workspaceId, closed.map(({ id }) => id), moment]);
}

const closeSql = `
  update approval_requests
     set closed_at = $2::timestamptz,
         key       = ''
   where workspace_id = $1
     and id in (select id
                  from approval_requests
                 where workspace_id = $1
                   and closed_at is null
                   and (joined >= expected or last_at < clock_timestamp() - make_interval(secs => $3))
                   for update skip locked)
  returning id`;

const waitFromNowSql = `
  update order_approvals
     set since  = $3::timestamptz,
         due_at = $3::timestamptz + make_interval(days => days)
   where workspace_id = $1
     and asked_with = any($2::uuid[])
     and state = 'WAITING'
     and level = 1
     and due_at > $3::timestamptz
     and not is_announced`;

/** Whether approvers are asked about an order of `order_approvals`, as SQL: not while further orders may join its request. */
export function isAsked(approval: string, workspaceId = '$1::bigint'): string {
  return `(${approval}.asked_with is null
       or not exists (select
                        from approval_requests open
                       where open.workspace_id = ${workspaceId}
                         and open.id = ${approval}.asked_with
                         and open.closed_at is null))`;
}

/**
 * Whether lists of the workspace $1 show this order, as SQL: it is the first of its request, or the first one is in another state, because a node of the release before
 * decided orders of a request apart.
 */
export function standsForRequest(approval: string): string {
  return `(${approval}.is_first
       or not exists (select
                        from order_approvals first
                       where first.workspace_id = $1::bigint
                         and first.asked_with = ${approval}.asked_with
                         and first.is_first
                         and first.state = ${approval}.state))`;
}

/** Adds the orders that are asked about together with these, and are in the same state. */
export async function wholeRequests(
  on: Queryable,
  workspaceId: number,
  requestIds: readonly string[],
): Promise<string[]> {
  const others = await on.query<{ requestId: string }>(togetherSql, [workspaceId, requestIds]);
  return [...new Set([...requestIds, ...others.map(({ requestId }) => requestId)])];
}

const togetherSql = `
  select other.request_id as "requestId"
    from order_approvals a
    join order_approvals other on other.workspace_id = a.workspace_id and other.asked_with = a.asked_with and other.state = a.state
   where a.workspace_id = $1
     and a.request_id = any($2::uuid[])
   order by other.since, other.request_id`;
