import { type Queryable, queryOptional } from '../database/database.ts';
import { addressKey } from '../directory/who.ts';
import { Failure } from '../errors.ts';
import type { OidcPerson } from './oidc.ts';
import { auditEverywhere } from './sessions.ts';
import type { KnownUser } from './users.ts';

/**
 * Who a person of an OpenID provider is here: by issuer and subject, which never change. Somebody who was invited and comes for the
 * first time is known by an address that the provider has verified; from then on by the subject alone. An address that changes hands
 * at the provider later opens nothing.
 */
export async function findByOidc(
  tx: Queryable,
  { issuer, subject, verifiedEmail }: OidcPerson,
): Promise<KnownUser | null> {
  const known = await queryOptional<KnownUser>(
    tx,
    'select id, email, name from users where oidc_issuer = $1 and oidc_subject = $2 for no key update',
    [issuer, subject],
  );
  if (known || verifiedEmail === null) return known;
  return queryOptional<KnownUser>(
    tx,
    `update users
        set oidc_issuer = $1, oidc_subject = $2
      where email = ${addressKey('$3')} and oidc_subject is null
     returning id, email, name`,
    [issuer, subject, verifiedEmail],
  );
}

/** Lets somebody who is signed in sign in through the provider from now on, also if it knows another address of them. */
export async function connectOidc(tx: Queryable, user: KnownUser, { issuer, subject }: OidcPerson): Promise<void> {
  const connected = await queryOptional<{ id: number }>(
    tx,
    `update users
        set oidc_issuer = $2, oidc_subject = $3
      where id = $1
        and not exists (select from users u where u.oidc_issuer = $2 and u.oidc_subject = $3 and u.id <> $1)
     returning id`,
    [user.id, issuer, subject],
  );
  if (!connected) throw new Failure('conflict', 'Somebody else signs in with this account of the provider already.');
  await auditEverywhere(tx, user, { is: 'USER', id: user.id, name: user.name }, 'user.connected', { issuer });
}
