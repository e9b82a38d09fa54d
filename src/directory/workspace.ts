import type { Queryable } from '../database/database.ts';
import { Failure } from '../errors.ts';

export async function checkWorkspace(database: Queryable, workspaceId: number): Promise<void> {
  const found = await database.query('select from workspaces where id = $1', [workspaceId]);
  if (found.length === 0) throw noWorkspace(workspaceId);
}

export function noWorkspace(id: number): Failure {
  return new Failure('setup', `There is no workspace ${id}: "giftwire workspace list" shows them.`);
}
