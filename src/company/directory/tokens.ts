import type { Queryable } from '../../ground/database/database.ts';
import { announceGrantChange } from '../workspaces/grant-changes.ts';

/** The tokens and the users that act as a member, by id. */
export interface ActingAs {
  tokens: number[];
  users: number[];
}

/** Makes the tokens and the users that act as one member act as another: all of them, or those that are named. Returns them. */
export async function moveTokens(
  tx: Queryable,
  workspaceId: number,
  from: number,
  to: number,
  only: ActingAs | null = null,
): Promise<ActingAs> {
  const moved = await tx.query<{ id: number }>(
    `update api_token_workspaces
        set member_id = $3
      where workspace_id = $1
        and member_id = $2
        and ($4::bigint[] is null or token_id = any($4))
     returning token_id as id`,
    [workspaceId, from, to, only?.tokens ?? null],
  );
  const signingIn = await tx.query<{ id: number }>(
    `update user_roles
        set member_id = $3
      where workspace_id = $1
        and member_id = $2
        and ($4::bigint[] is null or user_id = any($4))
     returning user_id as id`,
    [workspaceId, from, to, only?.users ?? null],
  );
  if (moved.length + signingIn.length > 0) await announceGrantChange(tx);
  return { tokens: moved.map(({ id }) => id), users: signingIn.map(({ id }) => id) };
}
