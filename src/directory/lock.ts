import type { Database, Queryable } from '../database/database.ts';

/**
 * One writer at a time in a workspace, for whatever adds or changes its members or records recognition: numbers are
 * dense, nobody is added twice, and no two writers wait for each other. Taken first, and in the order of the workspaces.
 */
export async function lockWorkspaces(tx: Queryable, workspaceIds: readonly number[]): Promise<void> {
  await tx.query(
    `select workspace_id
       from activity_counters
      where workspace_id = any($1::bigint[])
      order by workspace_id
        for update`,
    [workspaceIds],
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
