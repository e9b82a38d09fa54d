import type { Queryable } from '../database/database.ts';
import type { Fulfilment } from './fulfilment.ts';
import { adopt, adoptForgotten } from './pending.ts';

/** The payload of the job that acceptance adds. The version before gives no numbers, and lists no order as pending. */
interface WakeUp {
  workspaceIds: number[];
  requestIds: string[];
  numbers?: number[];
}

/** The job hands over and returns, so that one workspace's backlog takes no place from another's wake-up. */
export async function wakeUp(database: Queryable, fulfilment: Fulfilment, payload: unknown): Promise<void> {
  const { workspaceIds, requestIds, numbers } = payload as WakeUp;
  if (!numbers) await adopt(database, workspaceIds, requestIds);
  for (const [index, workspaceId] of workspaceIds.entries()) fulfilment.wake(workspaceId, numbers?.[index]);
}

/**
 * Wakes what no job has woken: a worker was killed, or somebody emptied the queue. A pending order is the truth and its
 * job only a wake-up. Returns in how many workspaces orders had been left waiting.
 */
export async function wakeForgotten(database: Queryable, fulfilment: Fulfilment, isStart: boolean): Promise<number> {
  if (isStart) await adoptForgotten(database);
  return fulfilment.wakeAll();
}
