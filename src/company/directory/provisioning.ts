import type { Queryable } from '../../ground/database/database.ts';

/** Makes a member no SCIM resource. They stay in the history. The caller holds the workspace's lock. */
export async function deprovision(tx: Queryable, workspaceId: number, id: number): Promise<void> {
  await tx.query(
    'update members set deprovisioned_at = now(), changed_at = now() where workspace_id = $1 and id = $2',
    [workspaceId, id],
  );
}

/** Makes a member a SCIM resource again. */
export async function reprovision(tx: Queryable, workspaceId: number, id: number): Promise<void> {
  await tx.query('update members set deprovisioned_at = null, changed_at = now() where workspace_id = $1 and id = $2', [
    workspaceId,
    id,
  ]);
}
