import { failOrder } from '../../src/giving/orders/fulfil.ts';
import type { Queryable } from '../../src/ground/database/database.ts';
import { appendOrderEvents } from '../../src/steps.ts';

/** Lets an order fail, as a worker does. The transaction holds the workspace's lock, which keeps workers away from the order until then. */
export async function letFail(tx: Queryable, workspaceId: number, moment: string, requestId: string): Promise<void> {
  const one = await failOrder(tx, workspaceId, moment, requestId, 'the lines contradict each other');
  const failed = one ? [one] : [];
  await appendOrderEvents.inTransaction?.(tx, { workspaceId, moment, completed: [], failed, waitedSeconds: [] });
}
