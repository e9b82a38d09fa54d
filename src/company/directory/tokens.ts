import type { Queryable } from '../../ground/database/database.ts';
import { announceGrantChange } from '../workspaces/grant-changes.ts';

/** Makes the tokens and the users that act as one member act as another. */
export async function moveTokens(tx: Queryable, workspaceId: number, from: number, to: number): Promise<void> {
  const moved = await tx.query(
    'update api_token_workspaces set member_id = $3 where workspace_id = $1 and member_id = $2 returning token_id',
    [workspaceId, from, to],
  );
  const signingIn = await tx.query(
    'update user_roles set member_id = $3 where workspace_id = $1 and member_id = $2 returning user_id',
    [workspaceId, from, to],
  );
  if (moved.length + signingIn.length > 0) await announceGrantChange(tx);
}
