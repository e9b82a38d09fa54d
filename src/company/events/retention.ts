import type { Database } from '../../ground/database/database.ts';
import { inEachWorkspace } from '../workspaces/each.ts';

const pieceRows = 5_000;

/**
 * Removes events that are older than they are kept for, a piece of each workspace at a time, so that no writer waits long.
 * The number of the last one that was removed goes with it: readers who ask for it get an error, not a gap.
 * Returns how many were removed; 0 when none is left to remove.
 */
export async function removeOldEvents(database: Database, keptDays: number): Promise<number> {
  const due = await database.query<{ workspaceId: number }>(dueSql, [keptDays]);
  let removed = 0;
  await inEachWorkspace(due, async ({ workspaceId }) => {
    removed += await removePiece(database, workspaceId, keptDays);
  });
  return removed;
}

async function removePiece(database: Database, workspaceId: number, keptDays: number): Promise<number> {
  const [piece] = await database.query<{ removed: number }>(removeSql, [workspaceId, keptDays, pieceRows]);
  return piece?.removed ?? 0;
}

// The oldest event of each workspace tells whether there is something to do.
const dueSql = `
  select c.workspace_id as "workspaceId"
    from event_counters c
   cross join lateral (
           select e.created_at
             from events e
            where e.workspace_id = c.workspace_id
              and e.number > c.removed_through
            order by e.number
            limit 1) oldest
   where oldest.created_at < now() - make_interval(days => $1)`;

// Both deletions are given a range: by a list of numbers, the planner may read all of a workspace's events again for each number.
// The second also takes retries of earlier pieces: a delivery may write one down just after its event was removed.
const removeSql = `
  with counter as (
    select removed_through
      from event_counters
     where workspace_id = $1
       for update
  ), piece as (
    select counter.removed_through as before, max(e.number) as through, count(*) as events
      from counter
     cross join lateral (
             select number, created_at
               from events
              where workspace_id = $1
                and number > counter.removed_through
              order by number
              limit $3) e
     where e.created_at < now() - make_interval(days => $2)
     group by counter.removed_through
  ), removal as (
    delete from events e
     using piece
     where e.workspace_id = $1
       and e.number > piece.before
       and e.number <= piece.through
  ), given_up as (
    delete from webhook_retries r
     using piece
     where r.workspace_id = $1
       and r.number <= piece.through
  )
  update event_counters
     set removed_through = coalesce((select through from piece), removed_through)
   where workspace_id = $1
  returning coalesce((select events from piece), 0) as removed`;
