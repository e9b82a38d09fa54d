import type { Database, Queryable } from '../database/database.ts';

// Away from the numbers of other advisory locks.
const gates = 0x67_00_00_00_00_00;

/**
 * One writer at a time in a workspace, for whatever adds or changes its members or records recognition: numbers are
 * dense, nobody is added twice, and no two writers wait for each other. Taken first, and in the order of the workspaces.
 *
 * PostgreSQL lets a newcomer overtake those who wait for a row, so fulfilments that follow one another could keep everybody
 * else out. Advisory locks are given first come, first served: each writer queues at its workspace's gate, then locks the row.
 */
export async function lockWorkspaces(tx: Queryable, workspaceIds: readonly number[]): Promise<void> {
  await tx.query(
    `select c.workspace_id
       from (select id, pg_advisory_xact_lock($2::bigint + id)
               from (select distinct unnest($1::bigint[]) as id order by id) as asked) as gate
       join activity_counters c on c.workspace_id = gate.id
      order by c.workspace_id
        for update of c`,
    [workspaceIds, gates],
  );
}

/** A transaction of the one writer in a workspace. */
export function inWorkspace<T>(
  database: Database,
  workspaceId: number,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  return database.transaction(async (tx) => {
    await lockWorkspaces(tx, [workspaceId]);
    return work(tx);
  });
}
