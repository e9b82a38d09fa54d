import type { Actor } from '../../ground/contract/actor.ts';
import type { Grant } from './grant.ts';
import type { KnownUser } from './user.ts';

/** The caller of the HTTP interface, as the audit log names them. */
export function actorOf({ token, session }: Grant): Actor {
  if (session) return asThemselves(session.user);
  return { is: 'TOKEN', id: token?.id ?? null, name: token?.name ?? null };
}

/** A user who does something to their own account. */
export function asThemselves({ id, name }: Pick<KnownUser, 'id' | 'name'>): Actor {
  return { is: 'USER', id, name };
}
