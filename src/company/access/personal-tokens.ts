import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import type { Grant } from './grant.ts';
import { isPersonal } from './scopes.ts';

/**
 * Rejects a token that would read and spend what another person has received. A caller gets the secret of such a token only if it acts
 * as the member that the caller acts as, or as a record of its own. Called in the transaction that creates or rotates the token.
 */
export async function checkPersonalToken(
  tx: Queryable,
  grant: Grant,
  { id, scopes }: { id: number; scopes: readonly string[] },
): Promise<void> {
  if (!scopes.some(isPersonal)) return;
  const people = await tx.query<{ workspaceId: number; memberId: number }>(
    `select t.workspace_id as "workspaceId", t.member_id as "memberId"
       from api_token_workspaces t
       join members m on m.workspace_id = t.workspace_id and m.id = t.member_id
      where t.token_id = $1
        and not m.is_integration`,
    [id],
  );
  const isOwn = ({ workspaceId, memberId }: (typeof people)[number]) =>
    grant.workspaces.some((one) => one.workspaceId === workspaceId && one.memberId === memberId);
  if (!people.every(isOwn))
    throw new Failure(
      'forbidden',
      'A token with the scopes of me or feed can only act as you or as a member of its own: name no other person.',
    );
}
