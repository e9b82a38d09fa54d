/** The workspace that all of these belong to. A statement names one workspace: the rows of two may be on two servers. */
export function workspaceOf(items: readonly { workspaceId: number }[]): number {
  const [first] = items;
  if (!first || items.some(({ workspaceId }) => workspaceId !== first.workspaceId))
    throw new Error('a statement names one workspace');
  return first.workspaceId;
}
