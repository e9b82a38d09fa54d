import type { Environment } from '../../ground/config/config.ts';
import { Batcher } from '../../ground/database/batcher.ts';
import type { Queryable } from '../../ground/database/database.ts';
import type { Grant } from './grant.ts';
import { readSessionGrants, readTokenGrants } from './grant-rows.ts';
import { hashSecret, isWellFormed, tokenProblem } from './token-secret.ts';

export { grantsChannel } from '../workspaces/grant-changes.ts';
export type { Grant, SignedInUser, Way, WorkspaceGrant } from './grant.ts';

/** Tells whether every change older than this many milliseconds has been announced to this process. */
export interface GrantChanges {
  hasHeardAll(olderThanMs: number): boolean;
}

// A revoked token must be refused everywhere within a second, also while notifications do not arrive. Ages are measured by
// the monotonic clock: a system clock that is set back would keep revoked tokens alive.
const unheardMs = 800;
const longestMs = 60_000;
const maxCached = 10_000;
const readLimits = { maxItems: 500, concurrency: 2, maxWaiting: 20_000 };

/** A grant, and when its reading began by this process's monotonic clock. */
interface ReadGrant {
  grant: Grant;
  readAt: number;
}

/** The kinds of secrets that a caller can show. */
export type Credential = 'token' | 'session';

/**
 * Finds out who is calling. A grant is read once and kept until a token, a session, a role or a workspace changes. Grants of employees depend on
 * the directory, which is changed far more often than that: they are kept for less than a second.
 */
export class Grants {
  readonly #environment: Environment;
  /** By secret. A map compares keys by a hash with a random seed, so its time tells nothing about secrets that are nearly right. */
  readonly #cache = new Map<string, ReadGrant>();
  readonly #reads: Record<Credential, Batcher<string, Grant | null>>;
  readonly #changes: GrantChanges;
  /** By secret. Requests that come together share a reading, so that a burst of one caller is one row of one statement. */
  readonly #readings = new Map<string, Promise<Grant | null>>();
  #forgotten = 0;

  constructor(database: Queryable, environment: Environment, follow: (onChange: () => void) => GrantChanges) {
    this.#environment = environment;
    this.#reads = {
      token: new Batcher({ ...readLimits, run: (hashes) => readTokenGrants(database, hashes) }),
      session: new Batcher({ ...readLimits, run: (hashes) => readSessionGrants(database, hashes) }),
    };
    this.#changes = follow(() => this.#forget());
  }

  /** Returns the cached grant, without asking the database. */
  recall(secret: string): Grant | null {
    const cached = this.#cache.get(secret);
    if (!cached) return null;
    const age = performance.now() - cached.readAt;
    const isAnnounced = !cached.grant.followsDirectory;
    const holds = age < unheardMs || (isAnnounced && age < longestMs && this.#changes.hasHeardAll(unheardMs));
    return holds ? unlessExpired(cached) : null;
  }

  /** Why a token was not accepted, in the words of a message. Unknown and revoked ones are alike, so that nothing is revealed. */
  tokenProblem(token: string): string {
    return tokenProblem(token, this.#environment) ?? 'The token is unknown or was revoked: create a new one.';
  }

  async find(secret: string, credential: Credential = 'token'): Promise<Grant | null> {
    if (!isWellFormed(secret, this.#environment, credential)) return null;
    const shared = this.#readings.get(secret);
    if (shared) return shared;
    const reading = this.#read(secret, credential).finally(() => {
      if (this.#readings.get(secret) === reading) this.#readings.delete(secret);
    });
    this.#readings.set(secret, reading);
    return reading;
  }

  async #read(secret: string, credential: Credential): Promise<Grant | null> {
    const readAt = performance.now();
    const forgotten = this.#forgotten;
    const grant = await this.#reads[credential].add(hashSecret(secret));
    this.#cache.delete(secret);
    if (grant === null) return null;
    const read = { grant, readAt };
    // A grant that was read during a change may be stale, so it is not cached.
    if (forgotten === this.#forgotten) this.#remember(secret, read);
    return unlessExpired(read);
  }

  #remember(secret: string, entry: ReadGrant): void {
    if (this.#cache.size >= maxCached) this.#cache.clear();
    this.#cache.set(secret, entry);
  }

  #forget(): void {
    this.#forgotten++;
    this.#cache.clear();
    this.#readings.clear();
  }
}

function unlessExpired({ grant, readAt }: ReadGrant): Grant | null {
  return grant.lastsMs !== null && readAt + grant.lastsMs <= performance.now() ? null : grant;
}
