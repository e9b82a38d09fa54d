import type { Environment } from '../../ground/config/config.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import { type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import type { AuditAction } from '../../ground/values/audit-actions.ts';
import { addressKey } from '../directory/who.ts';
import { audit } from '../workspaces/audit.ts';
import { announceGrantChange } from '../workspaces/grant-changes.ts';
import { asThemselves } from './actor.ts';
import { auditSignedOut, type ProvenLink, proofOfLink, useEmployeeLink } from './employee-sessions.ts';
import type { Employee } from './memberships.ts';
import {
  bytesOf,
  insertSession,
  linkMinutes,
  type Opening,
  type SignedIn,
  type SignInOptions,
} from './session-rows.ts';
import { isWellFormed, makeSecret } from './token-secret.ts';
import type { KnownUser } from './user.ts';

export type { SignedIn, SignInOptions } from './session-rows.ts';

/**
 * Creates a link's secret. It signs its user in once, within a quarter of an hour, and replaces their earlier links. A link that is emailed also proves
 * the address to the workspaces of its employees: a link that a person hands over does not.
 */
export async function makeSignInLink(
  tx: Queryable,
  actor: Actor,
  environment: Environment,
  user: KnownUser,
  emailedTo: readonly Employee[] | null = null,
): Promise<{ secret: string; expiresAt: Date }> {
  const secret = makeSecret(environment, 'link');
  await tx.query('delete from sign_in_links where user_id = $1', [user.id]);
  const { expiresAt } = await queryOne<{ expiresAt: Date }>(
    tx,
    `insert into sign_in_links (hash, user_id, expires_at, email_key, member_ids)
     values ($1, $2, now() + $3::int * interval '1 minute', ${addressKey('$4::text')}, $5)
     returning expires_at as "expiresAt"`,
    [
      bytesOf(secret),
      user.id,
      linkMinutes,
      emailedTo && user.email,
      emailedTo?.map(({ memberId }) => memberId) ?? null,
    ],
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
  const used = await queryOptional<KnownUser & ProvenLink>(
    tx,
    `with used as (delete from sign_in_links where hash = $1 returning user_id, expires_at, email_key, member_ids)
     select u.id, u.email, u.name, used.email_key as "emailKey", used.member_ids::float8[] as "memberIds"
       from used
       join users u on u.id = used.user_id
      where used.expires_at > now()`,
    [bytesOf(link)],
  );
  if (!used) return useEmployeeLink(tx, options, link, browser);
  const { emailKey, memberIds, ...user } = used;
  const proof = await proofOfLink(tx, { emailKey, memberIds });
  return openSession(tx, options, user, { way: 'LINK', browser, ...(proof && { proof }) });
}

/** Opens a session for a user who has proven their identity. */
export async function openSession(
  tx: Queryable,
  options: SignInOptions,
  user: KnownUser,
  opening: Opening,
): Promise<SignedIn> {
  const signedIn = await insertSession(tx, options, user.id, opening);
  await tx.query('update users set signed_in_at = now() where id = $1', [user.id]);
  await auditEverywhere(tx, user, asThemselves(user), 'user.signed_in', { way: opening.way });
  return signedIn;
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
  const ended = await queryOptional<{ sessionId: number; user: KnownUser | null }>(
    tx,
    `with ended as (update sessions set revoked_at = now() where hash = $1 and revoked_at is null returning id, user_id)
     select ended.id as "sessionId",
            case when u.id is not null then json_build_object('id', u.id, 'email', u.email, 'name', u.name) end as user
       from ended
       left join users u on u.id = ended.user_id`,
    [bytesOf(secret)],
  );
  if (!ended) return;
  const { sessionId, user } = ended;
  await announceGrantChange(tx);
  if (user) await auditEverywhere(tx, user, asThemselves(user), 'user.signed_out');
  await auditSignedOut(tx, sessionId);
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

/** After how many days ended sessions are deleted for all workspaces. */
export const endedDays = 30;

/** Ended sessions are deleted after a month: the audit log keeps who signed in and when. */
export async function removeEndedSessions(database: Queryable): Promise<void> {
  const ended = `now() - interval '${endedDays} days'`;
  await database.query(`delete from sessions where expires_at < ${ended} or revoked_at < ${ended}`);
  await database.query(`delete from sign_in_links where expires_at < ${ended}`);
  await database.query(`delete from employee_links where expires_at < ${ended}`);
}

/** Locks the account that a secret belongs to, in a statement of its own: the next one sees what the holder before has changed. */
async function lockOwner(tx: Queryable, table: 'sessions' | 'sign_in_links', secret: string): Promise<void> {
  await tx.query(`select from users where id = (select user_id from ${table} where hash = $1) for no key update`, [
    bytesOf(secret),
  ]);
}
