import { audit } from '../../company/workspaces/audit.ts';
import { inWorkspace } from '../../company/workspaces/lock.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import { type Database, type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import type { AcceptedOrder, AcceptStep, Hold } from './order-steps.ts';
import { readOrderOverview } from './overview.ts';
import { queueOrHold } from './store.ts';

/**
 * Opens a failed order again: it is pending as if it had just been accepted. A worker takes it up, unless a rule asks for approval. The
 * steps of acceptance run again, because those of fulfilment undid their writes when the order failed. No step is asked which workspaces
 * concern it: that depends on the caller's grant, and an operator has none. `workspaceId` is the only one whose orders are found; an
 * operator's command finds those of all.
 */
export async function retryOrder(
  database: Database,
  actor: Actor,
  requestId: string,
  steps: readonly AcceptStep[],
  workspaceId?: number,
): Promise<void> {
  const order = await readOrderOverview(database, requestId);
  if (!order || order.workspaceId !== (workspaceId ?? order.workspaceId))
    throw new Failure('missing', `There is no order request ${requestId}.`);
  await inWorkspace(database, order.workspaceId, async (tx) => {
    const reopened = await reopen(tx, order.workspaceId, requestId);
    if (!reopened)
      throw new Failure('conflict', `Order ${requestId} has not failed: only a failed order can be tried again.`);
    for (const step of steps) await step.reopen?.(tx, reopened, actor);
    await repeatSteps(tx, steps, reopened, actor);
    const subject = { id: requestId, name: null };
    await audit(tx, { workspaceId: order.workspaceId, actor, action: 'order.retried', subject });
  });
}

async function repeatSteps(
  tx: Queryable,
  steps: readonly AcceptStep[],
  order: AcceptedOrder,
  by: Actor,
): Promise<void> {
  const holds = new Map<string, Hold>();
  for (const step of steps) {
    const verdict = holds.size === 0 ? (await step.judge?.(tx, [order]))?.get(order.requestId) : undefined;
    if (verdict instanceof Failure) throw verdict;
    if (verdict) holds.set(order.requestId, { ...verdict, by });
  }
  for (const step of steps) {
    const refusals = await step.refuse?.(tx, [order]);
    const refusal = refusals?.get(order.requestId);
    if (refusal) throw refusal;
  }
  for (const step of steps) await step.inTransaction?.(tx, [order]);
  await queueOrHold(tx, steps, [order], holds);
}

const reopenSql = `
  with reopened as (
    delete from orders
     where workspace_id = $1
       and request_id = $2
       and failure is not null
    returning workspace_id, request_id
  )
  select r.workspace_id        as "workspaceId",
         r.request_id          as "requestId",
         r.token_id            as "tokenId",
         r.sender_id           as "senderId",
         r.customer_request_id as "customerRequestId",
         r.body                as "order"
    from reopened
    join order_requests r using (workspace_id, request_id)`;

function reopen(tx: Queryable, workspaceId: number, requestId: string): Promise<AcceptedOrder | null> {
  return queryOptional<AcceptedOrder>(tx, reopenSql, [workspaceId, requestId]);
}
