import type { Queryable } from '../../database/database.ts';
import { Failure } from '../../errors.ts';

export async function checkWorkspace(database: Queryable, workspaceId: number): Promise<void> {
  const found = await database.query('select from workspaces where id = $1', [workspaceId]);
  if (found.length === 0)
    throw new Failure('setup', `There is no workspace ${workspaceId}: "giftwire workspace list" shows them.`);
}
