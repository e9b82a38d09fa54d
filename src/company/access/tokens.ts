import type { Environment } from '../../ground/config/config.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import { type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import type { AuditAction } from '../../ground/values/audit-actions.ts';
import { addIntegration, findMember } from '../directory/members.ts';
import { audit } from '../workspaces/audit.ts';
import { announceGrantChange } from '../workspaces/grant-changes.ts';
import { tokenEndSql } from './grant-rows.ts';
import { hashSecret, makeSecret } from './token-secret.ts';

export interface TokenTerms {
  name: string | null;
  scopes: readonly string[];
  workspaces: readonly number[];
  /** Email, employee number or id of the member it acts as; a member of its own when absent. */
  actsAs?: string;
  /** How long it lasts from now, by the database's clock. Null: it never expires. */
  lastsMs: number | null;
  rateLimitPerMinute: number | null;
}

export interface TokenRecord {
  id: number;
  name: string | null;
  hint: string;
  workspaces: number[];
  scopes: string[];
  rateLimitPerMinute: number | null;
  createdAt: Date;
  /** Within about ten minutes; null: never, or before this was noted. */
  lastUsedAt: Date | null;
  /** When it ends: its own expiry, or earlier if an overlap ends it. */
  expiresAt: Date | null;
  revokedAt: Date | null;
}

/** The record with the secret. The secret is shown once; only its hash is stored. */
export type IssuedToken = TokenRecord & { token: string };

/** A new secret, and when the one that it replaces ends. */
export type RotatedToken = IssuedToken & { replaces: number; oldHint: string; oldEndsAt: Date };

export async function createToken(
  tx: Queryable,
  actor: Actor,
  environment: Environment,
  token: TokenTerms,
): Promise<IssuedToken> {
  const issued = await insertToken(tx, environment, token);
  for (const workspaceId of token.workspaces) {
    const memberId = token.actsAs
      ? await findMember(tx, workspaceId, token.actsAs)
      : await addIntegration(tx, workspaceId, token.name ?? 'API token');
    await tx.query('insert into api_token_workspaces (token_id, workspace_id, member_id) values ($1, $2, $3)', [
      issued.id,
      workspaceId,
      memberId,
    ]);
  }
  const created = { ...issued, workspaces: [...token.workspaces] };
  await auditToken(tx, actor, 'token.created', created);
  return created;
}

/** A new secret with the rights of the old one, which ends now or after the overlap. */
export async function rotateToken(
  tx: Queryable,
  actor: Actor,
  environment: Environment,
  id: number,
  overlapMs: number,
): Promise<RotatedToken> {
  const current = await queryOptional<{ lastsMs: number | null; hasEnded: boolean }>(tx, rotatedSql, [id]);
  const [old] = await readTokens(tx, id);
  if (!current || !old) throw noToken(id);
  if (current.hasEnded) throw new Failure('conflict', `Token ${id} has ended: make a new one.`);
  const issued = await insertToken(tx, environment, { ...old, lastsMs: current.lastsMs });
  await tx.query(
    'update api_tokens set first_id = (select coalesce(old.first_id, old.id) from api_tokens old where old.id = $2) where id = $1',
    [issued.id, id],
  );
  await tx.query(
    `insert into api_token_workspaces (token_id, workspace_id, member_id)
     select $1, workspace_id, member_id from api_token_workspaces where token_id = $2`,
    [issued.id, id],
  );
  const oldEndsAt = (await endToken(tx, id, overlapMs)) as Date;
  await auditToken(tx, actor, 'token.rotated', old);
  return { ...issued, workspaces: old.workspaces, replaces: id, oldHint: old.hint, oldEndsAt };
}

// A token made for 90 days gets 90 days again, also if an overlap ends it earlier. By the clock and not by `now()`: this transaction may have
// begun before the one that ended the token, and waited for it.
const rotatedSql = `
  select (extract(epoch from t.expires_at - t.created_at) * 1000)::float8 as "lastsMs",
         coalesce(${tokenEndSql} <= clock_timestamp(), false)             as "hasEnded"
    from api_tokens t
   where t.id = $1
     for update`;

/** Ends a token now or later, and never later than it ends already. Returns when; null if there is no such token. */
async function endToken(tx: Queryable, id: number, afterMs: number): Promise<Date | null> {
  const ended = await queryOptional<{ endsAt: Date }>(
    tx,
    `update api_tokens as t
        set revoked_at = least(t.revoked_at, now() + $2::double precision * interval '1 millisecond')
      where t.id = $1
     returning ${tokenEndSql} as "endsAt"`,
    [id, afterMs],
  );
  await announceGrantChange(tx);
  return ended?.endsAt ?? null;
}

export async function revokeToken(tx: Queryable, actor: Actor, id: number): Promise<TokenRecord> {
  await endToken(tx, id, 0);
  const [revoked] = await readTokens(tx, id);
  if (!revoked) throw noToken(id);
  await auditToken(tx, actor, 'token.revoked', revoked);
  return revoked;
}

export function listTokens(database: Queryable): Promise<TokenRecord[]> {
  return readTokens(database, null);
}

/** What is shown of a token `t`. */
export const tokenColumns = `
  t.id, t.name, t.hint, t.scopes, t.rate_limit_per_minute as "rateLimitPerMinute", t.created_at as "createdAt",
  t.last_used_at as "lastUsedAt",
  case when t.revoked_at <= now() then t.expires_at else ${tokenEndSql} end as "expiresAt",
  case when t.revoked_at <= now() then t.revoked_at end as "revokedAt"`;

function readTokens(database: Queryable, id: number | null): Promise<TokenRecord[]> {
  return database.query<TokenRecord>(
    `select ${tokenColumns},
            array(select workspace_id from api_token_workspaces where token_id = t.id order by 1)::int[] as workspaces
       from api_tokens t
      where $1::bigint is null or t.id = $1
      order by t.id`,
    [id],
  );
}

async function insertToken(
  tx: Queryable,
  environment: Environment,
  token: Pick<TokenTerms, 'name' | 'scopes' | 'lastsMs' | 'rateLimitPerMinute'>,
): Promise<IssuedToken> {
  const secret = makeSecret(environment);
  const row = await queryOne<TokenRecord>(
    tx,
    `insert into api_tokens as t (name, hash, hint, scopes, expires_at, rate_limit_per_minute)
     values ($1, $2, $3, $4, now() + $5::double precision * interval '1 millisecond', $6)
     returning ${tokenColumns}`,
    [
      token.name,
      Buffer.from(hashSecret(secret), 'hex'),
      secret.slice(-4),
      token.scopes,
      token.lastsMs,
      token.rateLimitPerMinute,
    ],
  );
  return { ...row, token: secret };
}

/** Writes to the log of each workspace what was done to a token. */
function auditToken(tx: Queryable, actor: Actor, action: AuditAction, { id, name, workspaces, scopes }: TokenRecord) {
  const entry = { actor, action, subject: { id, name }, detail: { scopes } };
  return audit(tx, ...workspaces.map((workspaceId) => ({ ...entry, workspaceId })));
}

function noToken(id: number): Failure {
  return new Failure('setup', `There is no usable token ${id}: "giftwire token list" shows them.`);
}
