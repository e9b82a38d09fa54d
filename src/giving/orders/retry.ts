import { audit } from '../../company/workspaces/audit.ts';
import { inWorkspace } from '../../company/workspaces/lock.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { readAcceptedOrders } from './held.ts';
import type { AcceptedOrder, AcceptStep, Hold } from './order-steps.ts';
import { readOrderOverview } from './overview.ts';
import { repeatAfterSteps } from './repeat.ts';
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
  const found = await readOrderOverview(database, requestId);
  if (!found || found.workspaceId !== (workspaceId ?? found.workspaceId))
    throw new Failure('missing', `There is no order request ${requestId}.`);
  const [order] = (await readAcceptedOrders(database, found.workspaceId, [requestId])) as [AcceptedOrder];
  const retry = async (tx: Queryable) => {
    if (!(await reopen(tx, order)))
      throw new Failure('conflict', `Order ${requestId} has not failed: only a failed order can be tried again.`);
    for (const step of steps) await step.reopen?.(tx, order, actor);
    await repeatSteps(tx, steps, order, actor);
    const subject = { id: requestId, name: null };
    await audit(tx, { workspaceId: order.workspaceId, actor, action: 'order.retried', subject });
  };
  await repeatAfterSteps(database, steps, [order], () => inWorkspace(database, order.workspaceId, retry));
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

/** Whether the order had failed: it has no outcome any more. */
async function reopen(tx: Queryable, { workspaceId, requestId }: AcceptedOrder): Promise<boolean> {
  const reopened = await tx.query(
    `delete from orders
      where workspace_id = $1
        and request_id = $2
        and failure is not null
     returning request_id`,
    [workspaceId, requestId],
  );
  return reopened.length > 0;
}
