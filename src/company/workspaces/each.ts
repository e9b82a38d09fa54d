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
