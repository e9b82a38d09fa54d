import type { Database, Queryable } from '../../ground/database/database.ts';

/**
 * Does the same in each workspace, one after the other. If that fails in one, for instance because another writer holds its lock
 * for long, it is done in the others all the same. The first error is thrown at the end.
 */
export async function inEachWorkspace<Found extends { workspaceId: number }>(
  found: readonly Found[],
  work: (one: Found) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const one of found) await work(one).catch((error) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/**
 * Removes old rows, a piece of each workspace at a time, so that no writer waits long. `dueSql` finds the workspaces that have some, `removeSql` removes a
 * piece of the workspace $1 and returns its rows. Returns how many were removed; 0 when none is left.
 */
export async function removePieces(database: Database, dueSql: string, removeSql: string): Promise<number> {
  let removed = 0;
  await inEachWorkspace(await database.query<{ workspaceId: number }>(dueSql), async ({ workspaceId }) => {
    removed += (await database.query(removeSql, [workspaceId])).length;
  });
  return removed;
}

/** The ids of all workspaces, ascending: for work that goes workspace by workspace. */
export async function listWorkspaceIds(on: Queryable): Promise<number[]> {
  return (await on.query<{ id: number }>('select id from workspaces order by id')).map(({ id }) => id);
}

/** What `read` finds in these workspaces, or in all, one after the other: the newest rows first, by their `at`, which is left out. */
export async function readNewest<Row>(
  on: Queryable,
  limit: number | null,
  read: (workspaceId: number) => Promise<(Row & { at: number })[]>,
  ids?: readonly number[],
): Promise<Row[]> {
  const rows: (Row & { at: number })[] = [];
  for (const id of ids ?? (await listWorkspaceIds(on))) rows.push(...(await read(id)));
  return rows
    .sort((one, other) => other.at - one.at)
    .slice(0, limit ?? undefined)
    .map(({ at: _at, ...row }) => row as unknown as Row);
}
