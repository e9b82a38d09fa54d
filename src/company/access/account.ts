import type { Actor } from '../../ground/contract/actor.ts';
import { type Database, type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { Failure, invalid } from '../../ground/errors.ts';
import type { Language } from '../../ground/values/language.ts';
import { addressKey } from '../directory/who.ts';
import { announceGrantChange } from '../workspaces/grant-changes.ts';
import { asThemselves } from './actor.ts';
import type { Way } from './grant.ts';
import { checkNewPassword, findPassword, hashPassword } from './passwords.ts';
import { hasRoles } from './roles.ts';
import { auditEverywhere, openSession, type SignedIn, type SignInOptions } from './sessions.ts';
import type { KnownUser } from './user.ts';

/** The sessions, the password and the name of a person, as they see them themselves. */
export interface OwnAccount {
  hasPassword: boolean;
  /** Whether another password needs the current one. */
  needsCurrent: boolean;
  /** The OpenID provider that knows them; null if none does. */
  oidcIssuer: string | null;
  sessions: SessionRecord[];
}

export interface SessionRecord {
  id: number;
  way: Way;
  browser: string | null;
  createdAt: Date;
  expiresAt: Date;
}

/** Signs in the user with this email address and password; null if they do not match. Of several accounts with both, the oldest that has a role. */
export async function usePassword(
  database: Database,
  options: SignInOptions,
  { email, password }: { email: string; password: string },
  browser: string | null,
): Promise<SignedIn | null> {
  const accounts = await database.query<{ id: number; password: string }>(
    `select u.id, u.password
       from users u
      where u.email = ${addressKey('$1')} and u.password is not null
      order by ${hasRoles('u')} desc, u.id`,
    [email],
  );
  const nth = await findPassword(
    password,
    accounts.map((one) => one.password),
  );
  const found = nth === null ? undefined : accounts[nth];
  if (!found) return null;
  return database.transaction(async (tx) => {
    // Checking takes a while, in which the account may have lost this password.
    const user = await queryOptional<KnownUser>(
      tx,
      'select id, email, name from users where id = $1 and password = $2 for no key update',
      [found.id, found.password],
    );
    return user && openSession(tx, options, user, { way: 'PASSWORD', browser });
  });
}

export async function readAccount(database: Queryable, userId: number, sessionId: number): Promise<OwnAccount> {
  const user = await queryOne<Omit<OwnAccount, 'sessions'>>(
    database,
    `select u.password is not null as "hasPassword",
            u.password is not null and not (${isByLink('s')}) as "needsCurrent",
            u.oidc_issuer as "oidcIssuer"
       from users u
       join sessions s on s.user_id = u.id and s.id = $2
      where u.id = $1`,
    [userId, sessionId],
  );
  const sessions = await database.query<SessionRecord>(
    `select id, way, browser, created_at as "createdAt", expires_at as "expiresAt"
       from sessions
      where user_id = $1 and revoked_at is null and expires_at > now()
      order by id desc
      limit 100`,
    [userId],
  );
  return { ...user, sessions };
}

export async function changeAccount(
  tx: Queryable,
  userId: number,
  { name, language }: { name?: string; language?: Language },
): Promise<void> {
  await tx.query('update users set name = coalesce($2, name), language = coalesce($3, language) where id = $1', [
    userId,
    name ?? null,
    language ?? null,
  ]);
  await announceGrantChange(tx);
}

/** True for a session that was just opened with a link. It needs no password, so that a forgotten one can be replaced. */
const isByLink = (alias: string) => `${alias}.way = 'LINK' and ${alias}.created_at > now() - interval '15 minutes'`;

export interface NewPassword {
  password: string;
  /** The one that is replaced. */
  current?: string;
}

/** Counts an attempt with a password. Returns what forgets it, for one that was right; fails after too many. */
export type LimitAttempts = () => Promise<() => Promise<void>>;

/** Sets the password of a user and ends their other sessions: the old password may have been stolen. */
export async function changePassword(
  database: Database,
  { user, sessionId }: { user: KnownUser; sessionId: number },
  { password, current = '' }: NewPassword,
  limit: LimitAttempts,
): Promise<void> {
  checkNewPassword(password, user.email);
  const known = await queryOne<{ password: string | null; hasLink: boolean }>(
    database,
    `select u.password,
            ${isByLink('s')} as "hasLink"
       from users u
       join sessions s on s.user_id = u.id and s.id = $2
      where u.id = $1`,
    [user.id, sessionId],
  );
  if (known.password !== null && !known.hasLink) await checkCurrent(current, known.password, limit);
  const other = await queryOptional<{ password: string }>(
    database,
    'select password from users where email = $1 and id <> $2 and password is not null order by id limit 1',
    [user.email, user.id],
  );
  const stored = await hashPassword(password, other?.password);
  await database.transaction(async (tx) => {
    await lockAccount(tx, user.id);
    await checkSession(tx, sessionId);
    await tx.query('update users set password = $2 where id = $1', [user.id, stored]);
    await endSessions(tx, user.id, { except: sessionId });
    await auditEverywhere(tx, user, asThemselves(user), 'user.password_changed');
  });
}

async function checkCurrent(current: string, stored: string, limit: LimitAttempts): Promise<void> {
  const forget = await limit();
  if ((await findPassword(current, [stored])) === null)
    throw invalid([{ path: 'current', problem: 'is not right; without it, sign in with a link first' }]);
  await forget();
}

/** A session may have ended while it was asking for something. Called with the account locked. */
async function checkSession(tx: Queryable, sessionId: number): Promise<void> {
  const open = await tx.query('select from sessions where id = $1 and revoked_at is null', [sessionId]);
  if (open.length === 0) throw new Failure('unauthenticated', 'Your session has ended: sign in again.');
}

/** Lets one transaction at a time decide about an account: who signs in to it, and what it may do. */
export async function lockAccount(tx: Queryable, userId: number): Promise<void> {
  await tx.query('select from users where id = $1 for no key update', [userId]);
}

/** Closes an account to sign-ins: only a new link opens it, or an OpenID provider that has verified its address. */
export async function closeWaysIn(tx: Queryable, userId: number): Promise<void> {
  await tx.query('update users set password = null, oidc_issuer = null, oidc_subject = null where id = $1', [userId]);
  await tx.query('delete from sign_in_links where user_id = $1', [userId]);
  await endSessions(tx, userId);
}

/** Ends all sessions of a user, and returns how many there were. */
export async function signOutEverywhere(tx: Queryable, actor: Actor, user: KnownUser): Promise<number> {
  const ended = await endSessions(tx, user.id);
  await auditEverywhere(tx, user, actor, 'user.sessions_ended');
  return ended;
}

/** Ends a user's sessions and closes every way in to their account: the next sign-in link is the only one. */
export async function resetAccount(tx: Queryable, actor: Actor, user: KnownUser): Promise<void> {
  await closeWaysIn(tx, user.id);
  await auditEverywhere(tx, user, actor, 'user.sessions_ended');
}

/** Ends one of the caller's own sessions. */
export async function endOwnSession(tx: Queryable, user: KnownUser, sessionId: number): Promise<void> {
  const ended = await endSessions(tx, user.id, { only: sessionId });
  if (ended === 0) throw new Failure('missing', 'You have no session with this id.');
  await auditEverywhere(tx, user, asThemselves(user), 'user.session_ended');
}

/** Ends one session of a user, all of them, or all but one. Every node rejects them within a second. Returns how many there were. */
export async function endSessions(
  tx: Queryable,
  userId: number,
  { only = null, except = null }: { only?: number | null; except?: number | null } = {},
): Promise<number> {
  const ended = await tx.query(
    `update sessions
        set revoked_at = now()
      where user_id = $1
        and revoked_at is null
        and ($2::bigint is null or id = $2)
        and id is distinct from $3::bigint
     returning id`,
    [userId, only, except],
  );
  if (ended.length > 0) await announceGrantChange(tx);
  return ended.length;
}
