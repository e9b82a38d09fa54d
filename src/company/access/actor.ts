import type { Actor } from '../../ground/contract/actor.ts';
import type { Grant, WorkspaceGrant } from './grant.ts';
import type { KnownUser } from './user.ts';

/** The caller of the HTTP interface in a workspace, as the audit log names them. A user can be an employee of another workspace. */
export function actorOf({ token, session }: Grant, workspace?: WorkspaceGrant): Actor {
  if (workspace?.role === 'EMPLOYEE') return asMember({ id: workspace.memberId, name: workspace.senderName });
  if (session?.user) return asThemselves(session.user);
  return { is: 'TOKEN', id: token?.id ?? null, name: token?.name ?? null };
}

/** An employee who is not a user. */
export function asMember({ id, name }: { id: number; name: string }): Actor {
  return { is: 'MEMBER', id, name };
}

/** A user who does something to their own account. */
export function asThemselves({ id, name }: Pick<KnownUser, 'id' | 'name'>): Actor {
  return { is: 'USER', id, name };
}
