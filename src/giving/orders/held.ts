import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { addressKey } from '../../ground/values/email.ts';
import type { AcceptedOrder, AcceptStep } from './order-steps.ts';
import { queueSql, recipientKeys } from './queue.ts';

/** Lists stored orders as waiting for a decision, with the keys of their recipients. No worker takes them up. */
export async function holdOrders(tx: Queryable, orders: readonly AcceptedOrder[]): Promise<void> {
  const rows = orders.map(({ workspaceId, requestId, order: { orderItems } }) => ({
    workspace_id: workspaceId,
    request_id: requestId,
    gifts: orderItems.length,
    recipient_keys: recipientKeys(
      orderItems.flatMap(({ recipient: { email } }) => (email ? addressKey(email) : [])),
      orderItems.flatMap(({ recipient: { employeeNumber } }) => employeeNumber ?? []),
    ),
  }));
  await tx.query(
    `insert into held_orders (workspace_id, request_id, gifts, recipient_keys)
     select * from jsonb_to_recordset($1::jsonb) as o (workspace_id bigint, request_id uuid, gifts int, recipient_keys text[])`,
    [JSON.stringify(rows)],
  );
}

/** Lets the steps check held orders before they are fulfilled, and reserve what they have to. Throws if one of them rejects an order. */
export async function checkReleased(
  tx: Queryable,
  steps: readonly AcceptStep[],
  workspaceId: number,
  requestIds: readonly string[],
): Promise<void> {
  if (requestIds.length === 0) return;
  const orders = await readAcceptedOrders(tx, workspaceId, requestIds);
  for (const step of steps)
    for (const failure of (await step.release?.(tx, orders))?.values() ?? []) throw forApprover(failure);
}

/** Stored orders as they were accepted, by their ids. */
export function readAcceptedOrders(
  on: Queryable,
  workspaceId: number,
  requestIds: readonly string[],
): Promise<AcceptedOrder[]> {
  return on.query<AcceptedOrder>(
    `select workspace_id as "workspaceId", request_id as "requestId", token_id as "tokenId", sender_id as "senderId",
            customer_request_id as "customerRequestId", idempotency_key as "idempotencyKey", named_budget_id as "budgetId", body as "order"
       from order_requests
      where workspace_id = $1
        and request_id = any($2::uuid[])
      order by request_id`,
    [workspaceId, requestIds],
  );
}

/** The steps tell a sender what to do. An approver cannot send the order for less. */
function forApprover(failure: Failure): Failure {
  const { kind, problem, headers } = failure;
  if (problem === null) return failure;
  const message = `${problem}: decline the order, or have the limit raised and approve it again.`;
  return new Failure(kind, message, { cause: failure, headers, problem });
}

/** Lets held orders be fulfilled: they are pending as if they had just been accepted. The caller holds the workspace's lock. */
export async function releaseOrders(tx: Queryable, workspaceId: number, requestIds: readonly string[]): Promise<void> {
  await tx.query(releaseSql, [workspaceId, requestIds]);
}

const releaseSql = `
  with released as (
    delete from held_orders
     where workspace_id = $1
       and request_id = any($2::uuid[])
    returning workspace_id, request_id, gifts
  ),
  ${queueSql('select workspace_id, request_id, gifts from released order by request_id')}
  select from wake_up`;
