import type { Environment } from '../config.ts';
import { type Queryable, queryOne } from '../database/database.ts';
import { addIntegration, findMember } from '../directory/members.ts';
import { Failure } from '../errors.ts';
import { announceGrantChange } from '../workspaces/grant-changes.ts';
import { hashSecret, makeSecret } from './token-secret.ts';

export interface NewToken {
  name: string | null;
  scopes: readonly string[];
  workspaces: readonly number[];
  /** E-mail, employee number or id of the member it acts as; a member of its own when absent. */
  actsAs?: string;
  expiresAt: Date | null;
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
  expiresAt: Date | null;
  revokedAt: Date | null;
}

/** The record with the secret. The secret is shown once; only its hash is stored. */
export type IssuedToken = TokenRecord & { token: string };

/** A new secret, and when the one that it replaces ends. */
export type RotatedToken = IssuedToken & { replaces: number; oldHint: string; oldEndsAt: Date };

export async function createToken(tx: Queryable, environment: Environment, token: NewToken): Promise<IssuedToken> {
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
  return { ...issued, workspaces: [...token.workspaces] };
}

/** A new secret with the rights of the old one, which ends now or after the overlap. */
export async function rotateToken(
  tx: Queryable,
  environment: Environment,
  id: number,
  overlapMs: number,
): Promise<RotatedToken> {
  await tx.query('select from api_tokens where id = $1 for update', [id]);
  const [old] = await readTokens(tx, id);
  if (!old || old.revokedAt || (old.expiresAt && old.expiresAt <= new Date())) throw noToken(id);
  // A token made for 90 days gets 90 days again.
  const lifetimeMs = old.expiresAt ? old.expiresAt.getTime() - old.createdAt.getTime() : null;
  const expiresAt = lifetimeMs === null ? null : new Date(Date.now() + lifetimeMs);
  const issued = await insertToken(tx, environment, { ...old, expiresAt });
  await tx.query(
    `insert into api_token_workspaces (token_id, workspace_id, member_id)
     select $1, workspace_id, member_id from api_token_workspaces where token_id = $2`,
    [issued.id, id],
  );
  const oldEndsAt =
    overlapMs > 0
      ? await shortenToken(tx, id, new Date(Date.now() + overlapMs))
      : ((await revokeToken(tx, id)).revokedAt as Date);
  return { ...issued, workspaces: old.workspaces, replaces: id, oldHint: old.hint, oldEndsAt };
}

/** Ends a token at a time, or at its own expiry if that is earlier. */
async function shortenToken(tx: Queryable, id: number, endsAt: Date): Promise<Date> {
  const { endsAt: end } = await queryOne<{ endsAt: Date }>(
    tx,
    `update api_tokens
        set expires_at = least(expires_at, $2::timestamptz)
      where id = $1
     returning expires_at as "endsAt"`,
    [id, endsAt],
  );
  await announceGrantChange(tx);
  return end;
}

export async function revokeToken(tx: Queryable, id: number): Promise<TokenRecord> {
  await tx.query('update api_tokens set revoked_at = coalesce(revoked_at, now()) where id = $1', [id]);
  await announceGrantChange(tx);
  const [revoked] = await readTokens(tx, id);
  if (!revoked) throw noToken(id);
  return revoked;
}

export function listTokens(database: Queryable): Promise<TokenRecord[]> {
  return readTokens(database, null);
}

const columns = `
  t.id, t.name, t.hint, t.scopes, t.rate_limit_per_minute as "rateLimitPerMinute",
  t.created_at as "createdAt", t.expires_at as "expiresAt", t.revoked_at as "revokedAt"`;

function readTokens(database: Queryable, id: number | null): Promise<TokenRecord[]> {
  return database.query<TokenRecord>(
    `select ${columns},
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
  token: Pick<NewToken, 'name' | 'scopes' | 'expiresAt' | 'rateLimitPerMinute'>,
): Promise<IssuedToken> {
  const secret = makeSecret(environment);
  const row = await queryOne<TokenRecord>(
    tx,
    `insert into api_tokens as t (name, hash, hint, scopes, expires_at, rate_limit_per_minute)
     values ($1, $2, $3, $4, $5, $6)
     returning ${columns}`,
    [
      token.name,
      Buffer.from(hashSecret(secret), 'hex'),
      secret.slice(-4),
      token.scopes,
      token.expiresAt,
      token.rateLimitPerMinute,
    ],
  );
  return { ...row, token: secret };
}

function noToken(id: number): Failure {
  return new Failure('setup', `There is no usable token ${id}: "giftwire token list" shows them.`);
}
