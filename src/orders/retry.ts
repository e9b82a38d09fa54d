import type { Database, Queryable } from '../database/database.ts';
import { Failure } from '../errors.ts';
import { lockWorkspaces } from '../workspaces/lock.ts';
import { readOverview } from './overview.ts';
import { queueSql } from './queue.ts';

/** Opens a failed order again: it is pending as if it had just been accepted, and a worker takes it up. */
export async function retryOrder(database: Database, requestId: string): Promise<void> {
  const order = await readOverview(database, requestId);
  if (!order) throw new Failure('missing', `There is no order request ${requestId}.`);
  await database.transaction(async (tx) => {
    await lockWorkspaces(tx, [order.workspaceId]);
    await tx.query('delete from pending_orders where workspace_id = $1 and request_id = $2', [
      order.workspaceId,
      requestId,
    ]);
    if (!(await reopen(tx, order.workspaceId, requestId)))
      throw new Failure('conflict', `Order ${requestId} has not failed: only a failed order can be tried again.`);
  });
}

const reopenSql = `
  with reopened as (
    delete from orders
     where workspace_id = $1
       and request_id = $2
       and failure is not null
    returning workspace_id, request_id, gift_count
  ),
  ${queueSql('select workspace_id, request_id, gift_count as gifts from reopened')}
  select 1 from wake_up`;

async function reopen(tx: Queryable, workspaceId: number, requestId: string): Promise<boolean> {
  const woken = await tx.query(reopenSql, [workspaceId, requestId]);
  return woken.length > 0;
}
