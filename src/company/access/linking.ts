import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { addressKey, holderOf, isHere } from '../directory/who.ts';
import { audit } from '../workspaces/audit.ts';
import { announceGrantChange } from '../workspaces/grant-changes.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import { asThemselves } from './actor.ts';
import type { KnownUser } from './users.ts';

/**
 * Locks the workspaces in which a sign-in with this verified address can link a user to a person, and returns their ids. It comes
 * before the lock of an account, as in giveRole. For most sign-ins there is nothing to link, and nothing to wait for.
 */
export async function lockToLink(tx: Queryable, verifiedEmail: string | null): Promise<number[]> {
  if (verifiedEmail === null) return [];
  const found = await tx.query<{ id: number }>(
    `select distinct r.workspace_id as id
       from users u
       join user_roles r   on r.user_id = u.id
       join members acting on acting.workspace_id = r.workspace_id and acting.id = r.member_id
      where u.email = ${addressKey('$1')}
        and acting.is_integration
        and ${holderOf('r.workspace_id', 'u.email')} is not null
      order by 1`,
    [verifiedEmail],
  );
  for (const { id } of found) await lockWorkspace(tx, id);
  return found.map(({ id }) => id);
}

/**
 * Links a user who has signed in with their address to the person who has this address, where they have acted as a record that only
 * sends. The directory alone links no users: a caller who may only write to the directory could take away a user's access by marking
 * a person with their address as left. For the same reason a person who has left is not linked.
 */
export async function linkRoles(
  tx: Queryable,
  user: KnownUser,
  verifiedEmail: string | null,
  workspaceIds: readonly number[],
): Promise<void> {
  for (const workspaceId of workspaceIds) {
    const linked = await queryOptional<{ id: number }>(tx, linkSql, [workspaceId, user.id, verifiedEmail]);
    if (!linked) continue;
    await announceGrantChange(tx);
    const subject = { id: user.id, name: user.name };
    const actor = asThemselves(user);
    await audit(tx, { workspaceId, actor, action: 'user.linked', subject, detail: { member: linked.id } });
  }
}

const linkSql = `
  update user_roles r
     set member_id = person.id
    from users u, members acting, members person
   where r.workspace_id = $1
     and r.user_id = $2
     and u.id = r.user_id
     and u.email = ${addressKey('$3')}
     and acting.workspace_id = $1
     and acting.id = r.member_id
     and acting.is_integration
     and person.workspace_id = $1
     and person.id = ${holderOf('$1', 'u.email')}
     and ${isHere('person')}
  returning person.id`;
