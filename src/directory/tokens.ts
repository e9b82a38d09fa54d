import type { Queryable } from '../database/database.ts';
import { announceGrantChange } from '../workspaces/grant-changes.ts';
import { memberOfRole } from './who.ts';

/** Makes the tokens and the people who sign in that act as one member act as another. */
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

/**
 * A role ends when its person leaves the company, and begins again when they return: every node is told. A role that has found its
 * person by their address stays with them, because the address may go to somebody else later.
 */
export async function settleRolesOf(
  tx: Queryable,
  workspaceId: number,
  people: readonly { id: number }[],
): Promise<void> {
  const ids = people.map(({ id }) => id);
  const signingIn = await tx.query(`${settleRolesSql} returning r.user_id`, [workspaceId, ids]);
  if (signingIn.length > 0) await announceGrantChange(tx);
}

/** People may give up the addresses by which roles have found them: these roles are theirs from now on. */
export async function keepRolesOf(
  tx: Queryable,
  workspaceId: number,
  people: readonly { id: number }[],
): Promise<void> {
  await tx.query(`${settleRolesSql} and r.member_id <> acting.id`, [workspaceId, people.map(({ id }) => id)]);
}

const settleRolesSql = `
  update user_roles r
     set member_id = acting.id
    from users u
   cross join lateral (select ${memberOfRole('held', 'u')} as id
                         from user_roles held
                        where held.workspace_id = $1 and held.user_id = u.id) acting
   where r.workspace_id = $1
     and r.user_id = u.id
     and acting.id = any($2::bigint[])`;
