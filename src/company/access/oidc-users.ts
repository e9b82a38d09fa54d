import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { asThemselves } from './actor.ts';
import { findUnconnected, joinAccounts } from './join-accounts.ts';
import type { OidcPerson } from './oidc.ts';
import { auditEverywhere } from './sessions.ts';
import { findUsers, type KnownUser } from './users.ts';

/**
 * Who a person of an OpenID provider is here: by issuer and subject, which never change. A user who was added and signs in for the
 * first time is known by an address that the provider has verified; from then on by the subject alone. An address that changes hands
 * at the provider later opens nothing.
 *
 * The address may have several accounts. Their person has just shown that the address is theirs, so all of them become one.
 */
export async function findByOidc(
  tx: Queryable,
  { issuer, subject, verifiedEmail }: OidcPerson,
): Promise<KnownUser | null> {
  const known = await findBySubject(tx, issuer, subject);
  if (verifiedEmail === null || (known && !(await hasAddress(tx, known, verifiedEmail)))) return known;
  const invited = await findUnconnected(tx, verifiedEmail);
  const [user, ...others] = known ? [known, ...invited] : invited;
  if (!user) return null;
  await tx.query('update users set oidc_issuer = $2, oidc_subject = $3 where id = $1', [user.id, issuer, subject]);
  await joinAccounts(tx, user, others);
  return user;
}

async function hasAddress(tx: Queryable, user: KnownUser, email: string): Promise<boolean> {
  return (await findUsers(tx, email)).some(({ id }) => id === user.id);
}

function findBySubject(tx: Queryable, issuer: string, subject: string): Promise<KnownUser | null> {
  return queryOptional<KnownUser>(
    tx,
    'select id, email, name from users where oidc_issuer = $1 and oidc_subject = $2 for no key update',
    [issuer, subject],
  );
}

/**
 * Lets a signed-in user sign in through the provider from now on, also if it knows another address of them. If another account
 * with their address is connected already, both accounts are theirs and become one. Returns the account that remains.
 */
export async function connectOidc(tx: Queryable, user: KnownUser, { issuer, subject }: OidcPerson): Promise<KnownUser> {
  const known = await findBySubject(tx, issuer, subject);
  if (known && known.id !== user.id && known.email !== user.email)
    throw new Failure('conflict', 'Another user already signs in with this account of the provider.');
  const remaining = known ?? user;
  await tx.query('update users set oidc_issuer = $2, oidc_subject = $3 where id = $1', [remaining.id, issuer, subject]);
  await joinAccounts(tx, remaining, known && known.id !== user.id ? [user] : []);
  await auditEverywhere(tx, remaining, asThemselves(remaining), 'user.connected', { issuer });
  return remaining;
}
