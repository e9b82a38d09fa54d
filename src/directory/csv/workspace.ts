import type { Queryable } from '../../database/database.ts';
import { Failure } from '../../errors.ts';

/** The team of those who are in no other. */
export async function readDefaultTeam(database: Queryable, workspaceId: number): Promise<number> {
  const [workspace] = await database.query<{ teamId: number }>(
    'select default_team_id as "teamId" from workspaces where id = $1',
    [workspaceId],
  );
  if (workspace) return workspace.teamId;
  throw new Failure('setup', `There is no workspace ${workspaceId}: "giftwire workspace list" shows them.`);
}
