import type { Queryable } from '../../ground/database/database.ts';
import { addressKey } from '../directory/who.ts';
import { audit } from '../workspaces/audit.ts';
import { announceGrantChange } from '../workspaces/grant-changes.ts';
import { closeWaysIn, endSessions, lockAccount } from './account.ts';
import { asThemselves } from './actor.ts';
import { hasRoles } from './roles.ts';
import type { KnownUser } from './users.ts';

/** The accounts of an email address that have a role and no provider yet, oldest first. */
export function findUnconnected(tx: Queryable, email: string): Promise<KnownUser[]> {
  return tx.query<KnownUser>(
    `select u.id, u.email, u.name
       from users u
      where u.email = ${addressKey('$1')}
        and u.oidc_subject is null
        and ${hasRoles('u')}
      order by u.id
        for no key update`,
    [email],
  );
}

/**
 * Gives one account the roles of others with the same address, after their person has shown that all of them are theirs. Owners of the
 * workspaces may have had links for one of the accounts, and none of them may come along: sessions, links and passwords of all of them
 * end, and the provider is the way in.
 */
export async function joinAccounts(tx: Queryable, into: KnownUser, others: readonly KnownUser[]): Promise<void> {
  if (others.length === 0) return;
  await lockAccount(tx, into.id);
  const moved = await tx.query<{ id: number }>(
    `update user_roles r
        set user_id = $1
      where r.user_id = any($2::bigint[])
        and not exists (select from user_roles own where own.workspace_id = r.workspace_id and own.user_id = $1)
     returning r.workspace_id as id`,
    [into.id, others.map(({ id }) => id)],
  );
  for (const { id } of others) await closeWaysIn(tx, id);
  await tx.query('update users set password = null where id = $1', [into.id]);
  await tx.query('delete from sign_in_links where user_id = $1', [into.id]);
  await endSessions(tx, into.id);
  await announceGrantChange(tx);
  const entry = {
    actor: asThemselves(into),
    action: 'user.accounts_joined' as const,
    subject: { id: into.id, name: into.name },
  };
  await audit(tx, ...moved.map(({ id }) => ({ ...entry, workspaceId: id })));
}
