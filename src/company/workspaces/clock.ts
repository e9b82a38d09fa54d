import { type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { lockWorkspace, timeOf } from './lock.ts';
import { noWorkspace } from './workspaces.ts';

/**
 * Moves a workspace's time forward, for people who try out reminders, scheduled emails and expiry. Returns the workspace's
 * time. It never goes back, because what was recorded in the meantime would lie in the future.
 */
export async function advanceClock(tx: Queryable, workspaceId: number, seconds: number): Promise<Date> {
  await lockWorkspace(tx, workspaceId);
  const { now } = await queryOne<{ now: Date }>(
    tx,
    `update activity_counters a
        set clock_ahead = clock_ahead + make_interval(secs => $2)
      where workspace_id = $1
     returning ${timeOf('a')} as now`,
    [workspaceId, seconds],
  );
  return now;
}

/** The workspace's time, and how far it was moved forward. */
export async function readClock(on: Queryable, workspaceId: number): Promise<{ now: Date; aheadSeconds: number }> {
  const clock = await queryOptional<{ now: Date; aheadSeconds: number }>(
    on,
    `select ${timeOf('a')} as now, extract(epoch from clock_ahead)::float8 as "aheadSeconds"
       from activity_counters a
      where workspace_id = $1`,
    [workspaceId],
  );
  if (!clock) throw noWorkspace(workspaceId);
  return clock;
}
