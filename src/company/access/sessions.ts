import type { Environment } from '../../ground/config/config.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import { type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import type { AuditAction } from '../../ground/values/audit-actions.ts';
import { audit } from '../workspaces/audit.ts';
import { announceGrantChange } from '../workspaces/grant-changes.ts';
import { asThemselves } from './actor.ts';
import { hashSecret, isWellFormed, makeSecret } from './token-secret.ts';
import type { KnownUser } from './user.ts';

/** How a user signed in. */
export type Way = 'LINK' | 'PASSWORD' | 'OIDC';

export interface SignedIn {
  secret: string;
  user: KnownUser;
}

export interface SignInOptions {
  environment: Environment;
  /** How long a session lasts. */
  sessionHours: number;
}

const linkMinutes = 15;
const longestBrowser = 200;

/** Creates a link's secret. It signs its user in once, within a quarter of an hour, and replaces their earlier links. */
export async function makeSignInLink(
  tx: Queryable,
  actor: Actor,
  environment: Environment,
  user: KnownUser,
): Promise<{ secret: string; expiresAt: Date }> {
  const secret = makeSecret(environment, 'link');
  await tx.query('delete from sign_in_links where user_id = $1', [user.id]);
  const { expiresAt } = await queryOne<{ expiresAt: Date }>(
    tx,
    `insert into sign_in_links (hash, user_id, expires_at)
     values ($1, $2, now() + $3::int * interval '1 minute')
     returning expires_at as "expiresAt"`,
    [bytesOf(secret), user.id, linkMinutes],
  );
  await auditEverywhere(tx, user, actor, 'user.link_made');
  return { secret, expiresAt };
}

/** Where the page for a link is. The secret is behind a #, so that no server on the way and no log has it. */
export function signInAddress(url: string, secret: string): string {
  return `${url}/sign-in#${secret}`;
}

/** Signs in whom a link is for, and ends the link. Null if it was used, has expired or never was one. */
export async function useSignInLink(
  tx: Queryable,
  options: SignInOptions,
  link: string,
  browser: string | null,
): Promise<SignedIn | null> {
  if (!isWellFormed(link, options.environment, 'link')) return null;
  await lockOwner(tx, 'sign_in_links', link);
  const user = await queryOptional<KnownUser>(
    tx,
    `with used as (delete from sign_in_links where hash = $1 returning user_id, expires_at)
     select u.id, u.email, u.name
       from used
       join users u on u.id = used.user_id
      where used.expires_at > now()`,
    [bytesOf(link)],
  );
  return user && openSession(tx, options, user, 'LINK', browser);
}

/** Opens a session for a user who has proven their identity. */
export async function openSession(
  tx: Queryable,
  { environment, sessionHours }: SignInOptions,
  user: KnownUser,
  way: Way,
  browser: string | null,
): Promise<SignedIn> {
  const secret = makeSecret(environment, 'session');
  await tx.query(
    `insert into sessions (user_id, hash, way, browser, expires_at)
     values ($1, $2, $3, $4, now() + $5::int * interval '1 hour')`,
    [user.id, bytesOf(secret), way, browser?.slice(0, longestBrowser) ?? null, sessionHours],
  );
  await tx.query('update users set signed_in_at = now() where id = $1', [user.id]);
  await auditEverywhere(tx, user, asThemselves(user), 'user.signed_in', { way });
  return { secret, user };
}

/** Whose session a secret is of; null if it has ended. */
export async function findSession(tx: Queryable, secret: string): Promise<KnownUser | null> {
  await lockOwner(tx, 'sessions', secret);
  return queryOptional<KnownUser>(
    tx,
    `select u.id, u.email, u.name
       from sessions s
       join users u on u.id = s.user_id
      where s.hash = $1 and s.revoked_at is null and s.expires_at > now()`,
    [bytesOf(secret)],
  );
}

/** Ends a session that is known by its secret. */
export async function endSession(tx: Queryable, secret: string): Promise<void> {
  const ended = await queryOptional<KnownUser>(
    tx,
    `update sessions s
        set revoked_at = now()
       from users u
      where s.hash = $1 and s.revoked_at is null and u.id = s.user_id
     returning u.id, u.email, u.name`,
    [bytesOf(secret)],
  );
  if (!ended) return;
  await announceGrantChange(tx);
  await auditEverywhere(tx, ended, asThemselves(ended), 'user.signed_out');
}

/** Sessions belong to no workspace: an entry stands in the log of each in which the person has a role. */
export async function auditEverywhere(
  tx: Queryable,
  user: KnownUser,
  actor: Actor,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const workspaces = await tx.query<{ id: number }>(
    'select workspace_id as id from user_roles where user_id = $1 order by 1',
    [user.id],
  );
  const subject = { id: user.id, name: user.name };
  await audit(tx, ...workspaces.map(({ id }) => ({ workspaceId: id, actor, action, subject, detail })));
}

/** Ended sessions are deleted after a month: the audit log keeps who signed in and when. */
export async function removeEndedSessions(database: Queryable): Promise<void> {
  const ended = `now() - interval '30 days'`;
  await database.query(`delete from sessions where expires_at < ${ended} or revoked_at < ${ended}`);
  await database.query(`delete from sign_in_links where expires_at < ${ended}`);
}

/** Locks the account that a secret belongs to, in a statement of its own: the next one sees what the holder before has changed. */
async function lockOwner(tx: Queryable, table: 'sessions' | 'sign_in_links', secret: string): Promise<void> {
  await tx.query(`select from users where id = (select user_id from ${table} where hash = $1) for no key update`, [
    bytesOf(secret),
  ]);
}

function bytesOf(secret: string): Buffer {
  return Buffer.from(hashSecret(secret), 'hex');
}
