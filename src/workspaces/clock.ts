import { type Queryable, queryOne } from '../database/database.ts';
import { lockWorkspace } from './lock.ts';

/**
 * Moves a workspace's time forward, for people who try out reminders, scheduled mails and expiry. Returns the workspace's
 * time. It never goes back, because what was recorded in the meantime would lie in the future.
 */
export async function advanceClock(tx: Queryable, workspaceId: number, seconds: number): Promise<Date> {
  await lockWorkspace(tx, workspaceId);
  const { now } = await queryOne<{ now: Date }>(
    tx,
    `update activity_counters
        set clock_ahead = clock_ahead + make_interval(secs => $2)
      where workspace_id = $1
     returning clock_timestamp() + clock_ahead as now`,
    [workspaceId, seconds],
  );
  return now;
}
