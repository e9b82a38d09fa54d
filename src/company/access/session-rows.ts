import type { Environment } from '../../ground/config/config.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { addressKey } from '../directory/who.ts';
import { audit } from '../workspaces/audit.ts';
import { asMember } from './actor.ts';
import type { Way } from './grant.ts';
import type { Employee } from './memberships.ts';
import { hashSecret, makeSecret } from './token-secret.ts';

export interface SignInOptions {
  environment: Environment;
  /** How long a session lasts. */
  sessionHours: number;
}

export interface SignedIn {
  secret: string;
  sessionId: number;
}

/** What a sign-in has shown beside who the user is: the members whom the person is in the directories of workspaces. */
export interface Proof {
  /** The address whose emails the person reads. */
  email: string | null;
  /** Who the person is for the OpenID provider. */
  subject: string | null;
  employees: readonly Employee[];
}

/** How a session is opened. */
export interface Opening {
  way: Way;
  browser: string | null;
  proof?: Proof;
}

export const linkMinutes = 15;
/** At a kiosk the next person is waiting, and this one may forget to sign out. */
const kioskMinutes = 10;
const longestBrowser = 200;

/** Stores a session. `userId` is null for an employee who is not a user. */
export async function insertSession(
  tx: Queryable,
  { environment, sessionHours }: SignInOptions,
  userId: number | null,
  { way, browser, proof }: Opening,
): Promise<SignedIn> {
  const secret = makeSecret(environment, 'session');
  const { id } = await queryOne<{ id: number }>(
    tx,
    `insert into sessions (user_id, hash, way, browser, expires_at, email_key, oidc_subject)
     values ($1, $2, $3, $4, now() + $5::int * interval '1 minute', ${addressKey('$6::text')}, $7)
     returning id`,
    [
      userId,
      bytesOf(secret),
      way,
      browser?.slice(0, longestBrowser) ?? null,
      way === 'KIOSK' ? kioskMinutes : sessionHours * 60,
      proof?.email ?? null,
      proof?.subject ?? null,
    ],
  );
  if (proof) await insertMembers(tx, id, way, proof.employees);
  return { secret, sessionId: id };
}

async function insertMembers(
  tx: Queryable,
  sessionId: number,
  way: Way,
  employees: readonly Employee[],
): Promise<void> {
  for (const { workspaceId, memberId, hasLeft, name } of employees) {
    await tx.query(
      'insert into session_members (workspace_id, session_id, member_id, has_left) values ($1, $2, $3, $4)',
      [workspaceId, sessionId, memberId, hasLeft],
    );
    const subject = { id: memberId, name };
    await audit(tx, { workspaceId, actor: asMember(subject), action: 'member.signed_in', subject, detail: { way } });
  }
}

export function bytesOf(secret: string): Buffer {
  return Buffer.from(hashSecret(secret), 'hex');
}
