import type { Queryable } from '../database/database.ts';
import type { Fulfilment } from './fulfilment.ts';
import { adopt, adoptForgotten, adoptQueued } from './pending.ts';

/** The payload of the job that acceptance adds. The previous version sends no numbers and lists no order as pending. */
interface WakeUp {
  workspaceIds: number[];
  requestIds: string[];
  numbers?: number[];
}

/** Tells the fulfilment which workspaces to wake, and returns at once: a backlog must not occupy a job slot. */
export async function wakeUp(database: Queryable, fulfilment: Fulfilment, payload: unknown): Promise<void> {
  const { workspaceIds, requestIds, numbers } = payload as WakeUp;
  if (!numbers) await adopt(database, workspaceIds, requestIds);
  for (const [index, workspaceId] of workspaceIds.entries()) fulfilment.wake(workspaceId, numbers?.[index]);
}

/**
 * Wakes workspaces whose wake-up job got lost: a worker was killed, or somebody emptied the queue. Their orders are safe,
 * because `pending_orders` lists them. Returns how many workspaces had been left waiting.
 */
export async function wakeForgotten(database: Queryable, fulfilment: Fulfilment, isStart: boolean): Promise<number> {
  if (isStart) await removeWakeUps(database);
  const forgotten = await fulfilment.wakeAll();
  await adoptQueued(database);
  if (isStart) await adoptForgotten(database);
  await fulfilment.wakeAll();
  return forgotten;
}

/**
 * Removes the wake-ups that wait. A flood that nobody fulfilled leaves thousands of them, and the wake-up of an order that is accepted now
 * would wait behind them. The caller then wakes every workspace, so they are not needed. Those of the previous version stay: they
 * alone know their orders.
 */
async function removeWakeUps(database: Queryable): Promise<void> {
  await database.query(
    `delete from graphile_worker._private_jobs
      where id in (select j.id
                     from graphile_worker._private_jobs j
                     join graphile_worker._private_tasks t on t.id = j.task_id
                    where t.identifier = 'fulfil'
                      and j.is_available
                      and j.payload -> 'numbers' is not null
                      for update of j skip locked)`,
  );
}
