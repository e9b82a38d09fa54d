import type { Queryable } from '../database/database.ts';
import type { Fulfilment } from './fulfilment.ts';
import { adopt, adoptForgotten, adoptQueued } from './pending.ts';

/** Wakes the workspaces that a notification of acceptance names (`queueSql`); all that have waiting orders where it names none. */
export async function wakeNamed(fulfilment: Fulfilment, names: string | null): Promise<void> {
  const named = (names ?? '').split('\n').map((line) => /^(\d+) (\d+)$/.exec(line));
  if (named.includes(null)) await fulfilment.wakeAll();
  else for (const found of named) fulfilment.wake(Number(found?.[1]), Number(found?.[2]));
}

/**
 * The payload of the job that nodes of the version before add, which notify nobody. Still older ones send no numbers and list no order
 * as pending.
 */
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
 * Wakes workspaces whose wake-up got lost, for instance because a worker was killed. Their orders are safe, because `pending_orders`
 * lists them. Returns how many workspaces had been left waiting.
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
 * Removes the jobs that nodes of the version before have left. The caller wakes every workspace, so they are not needed. Those without
 * numbers stay: they alone know their orders.
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
