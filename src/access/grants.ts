import type { Environment } from '../config.ts';
import { Batcher } from '../database/batcher.ts';
import type { Queryable } from '../database/database.ts';
import { hashSecret, isWellFormed } from './token-secret.ts';

export const scopes = [
  'orders:write',
  'orders:read',
  'gifts:read',
  'gifts:manage',
  'reports:read',
  'directory:read',
  'directory:write',
  'recognition:read',
  'recognition:write',
  'recognition:delegate',
  'recognition:approve',
  'recognition:manage',
  'events:read',
  'webhooks:manage',
] as const;
export type Scope = (typeof scopes)[number];

/** A workspace that the caller may use, with the policies that apply there. */
export interface WorkspaceGrant {
  workspaceId: number;
  accountId: number;
  memberId: number;
  senderName: string;
  language: string;
  refusesUnknownEmployeeNumbers: boolean;
  acceptsLeavers: boolean;
  asksForApproval: boolean;
  allowsSelfRecognition: boolean;
}

/** What a token allows. */
export interface Grant {
  tokenId: number;
  scopes: readonly string[];
  expiresAt: number | null;
  rateLimitPerMinute: number | null;
  workspaces: readonly WorkspaceGrant[];
}

export { grantsChannel } from '../workspaces/grant-changes.ts';

/** Tells whether every change that is older than so many milliseconds has been announced to this process. */
export interface Changes {
  hasHeardAll(olderThanMs: number): boolean;
}

// A revoked token must be refused everywhere within a second, also while notifications do not arrive. Ages are measured by
// the monotonic clock: a system clock that is set back would keep revoked tokens alive.
const unheardMs = 800;
const longestMs = 60_000;
const maxCached = 10_000;

/** Finds out who is calling. A grant is read once and kept until a token or a workspace changes. */
export class Grants {
  readonly #environment: Environment;
  readonly #cache = new Map<string, { grant: Grant; readAt: number }>();
  readonly #reads: Batcher<string, Grant | null>;
  readonly #changes: Changes;
  #forgotten = 0;

  constructor(database: Queryable, environment: Environment, follow: (onChange: () => void) => Changes) {
    this.#environment = environment;
    this.#reads = new Batcher({
      run: (hashes) => readGrants(database, hashes),
      maxItems: 500,
      concurrency: 2,
      maxWaiting: 20_000,
    });
    this.#changes = follow(() => this.#forget());
  }

  /** Returns the cached grant, without asking the database. */
  recall(secret: string): Grant | null {
    const cached = this.#cache.get(hashSecret(secret));
    if (!cached) return null;
    const age = performance.now() - cached.readAt;
    const holds = age < unheardMs || (age < longestMs && this.#changes.hasHeardAll(unheardMs));
    return holds ? unlessExpired(cached.grant) : null;
  }

  async find(secret: string): Promise<Grant | null> {
    if (!isWellFormed(secret, this.#environment)) return null;
    const hash = hashSecret(secret);
    const readAt = performance.now();
    const forgotten = this.#forgotten;
    const grant = await this.#reads.add(hash);
    this.#cache.delete(hash);
    if (grant === null) return null;
    // A grant that was read during a change may be stale, so it is not cached.
    if (forgotten === this.#forgotten) this.#remember(hash, { grant, readAt });
    return unlessExpired(grant);
  }

  #remember(hash: string, entry: { grant: Grant; readAt: number }): void {
    if (this.#cache.size >= maxCached) this.#cache.clear();
    this.#cache.set(hash, entry);
  }

  #forget(): void {
    this.#forgotten++;
    this.#cache.clear();
  }
}

function unlessExpired(grant: Grant): Grant | null {
  return grant.expiresAt !== null && grant.expiresAt <= Date.now() ? null : grant;
}

/**
 * When a token `t` ends. An overlap sets `revoked_at` to a time in the future and leaves `expires_at` as it was, because
 * the next rotation needs the lifetime that the token was made for.
 */
export const tokenEndSql = 'least(t.expires_at, t.revoked_at)';

const grantsSql = `
  select encode(t.hash, 'hex')                             as hash,
         t.id                                              as "tokenId",
         t.scopes,
         floor(extract(epoch from ${tokenEndSql}) * 1000)::bigint as "expiresAt",
         t.rate_limit_per_minute                           as "rateLimitPerMinute",
         json_agg(json_build_object(
           'workspaceId', w.id,
           'accountId', w.account_id,
           'memberId', tw.member_id,
           'senderName', coalesce(t.name, w.name),
           'language', w.language,
           'refusesUnknownEmployeeNumbers', w.refuse_unknown_employee_numbers,
           'acceptsLeavers', w.accept_leavers,
           'asksForApproval', w.shoutouts_need_approval,
           'allowsSelfRecognition', w.allow_self_recognition)) as workspaces
    from api_tokens t
    join api_token_workspaces tw on tw.token_id = t.id
    join workspaces w            on w.id = tw.workspace_id
   where t.hash = any($1::bytea[])
     and (t.revoked_at is null or t.revoked_at > now())
   group by t.id`;

async function readGrants(database: Queryable, hashes: string[]): Promise<(Grant | null)[]> {
  const keys = hashes.map((hash) => Buffer.from(hash, 'hex'));
  const rows = await database.query<Grant & { hash: string }>(grantsSql, [keys]);
  const byHash = new Map(rows.map(({ hash, ...grant }) => [hash, grant]));
  return hashes.map((hash) => byHash.get(hash) ?? null);
}
