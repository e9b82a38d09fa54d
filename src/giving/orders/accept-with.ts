import type { Actor } from '../../ground/contract/actor.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { type Failure, unavailable } from '../../ground/errors.ts';
import { rowText, type Submission } from './accept.ts';
import type { AcceptStep } from './order-steps.ts';
import { ownSender } from './sender.ts';
import { storeWithSteps } from './store.ts';

export interface OwnSubmission extends Pick<Submission, 'tokenId' | 'workspace' | 'order'> {
  requestId: string;
  actor: Actor;
}

/**
 * Accepts an order of the caller's own together with what else its transaction writes: all or none. It passes the same gate as every order; a
 * refusal is thrown. The recipients are members that the caller has looked up. The caller holds the workspace's lock, which comes before those of budgets,
 * and repeats the transaction with `repeatAfterSteps`.
 */
export async function acceptWith(
  tx: Queryable,
  steps: readonly AcceptStep[],
  submission: OwnSubmission,
): Promise<{ isHeld: boolean }> {
  const { requestId, workspace } = submission;
  const { workspaceId } = workspace;
  const whole = { ...submission, customerRequestId: null, idempotencyKey: null };
  const sender = ownSender(workspace);
  const row = rowText(whole, sender, requestId);
  const stored = await storeWithSteps(tx, steps, [{ ...whole, workspaceId, senderId: sender.memberId, row }]);
  const refusal: Failure | null | undefined = stored.get(requestId);
  if (refusal !== null) throw refusal ?? unavailable();
  const held = await tx.query('select from held_orders where workspace_id = $1 and request_id = $2', [
    workspaceId,
    requestId,
  ]);
  return { isHeld: held.length > 0 };
}
