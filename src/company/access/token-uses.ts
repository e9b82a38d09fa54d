import type { Queryable } from '../../ground/database/database.ts';
import { periods, raised, type Tallies } from '../../ground/database/tallies.ts';

/** How many requests of a token a workspace `w` has let in on each of the past 30 days, by its time zone. */
const requests: Tallies = {
  column: 'tw.requests',
  period: `((now() at time zone w.time_zone)::date - date '1970-01-01')`,
  kept: 30,
  counts: ['requests'],
};

/** The SQL of an array with the requests of each day, today last. It needs the tables `api_token_workspaces tw` and `workspaces w`. */
export const requestsByDay = `array(select p.requests from ${periods(requests)} p order by p.period)`;

interface Options {
  everyMs?: number;
  onProblem: (error: unknown) => void;
}

const usualEveryMs = 60_000;

/**
 * Counts the requests of tokens in memory and writes the counts every minute, so that a request costs no write. A process that is killed loses the
 * counts of its last minute. A process that stops writes them.
 */
export class TokenUses {
  readonly #database: Queryable;
  readonly #onProblem: Options['onProblem'];
  readonly #timer: NodeJS.Timeout;
  /** Counts by token, by workspace. */
  #counted = new Map<number, Map<number, number>>();
  #writing: Promise<void> = Promise.resolve();

  constructor(database: Queryable, { everyMs = usualEveryMs, onProblem }: Options) {
    this.#database = database;
    this.#onProblem = onProblem;
    this.#timer = setInterval(() => void this.write(), everyMs).unref();
  }

  note(workspaceId: number, tokenId: number, count = 1): void {
    let tokens = this.#counted.get(workspaceId);
    if (!tokens) {
      tokens = new Map();
      this.#counted.set(workspaceId, tokens);
    }
    tokens.set(tokenId, (tokens.get(tokenId) ?? 0) + count);
  }

  /** Writes what was counted, one write after the other. What cannot be written stays counted for the next. */
  write(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  /** Writes what was counted, and counts on in memory alone. */
  close(): Promise<void> {
    clearInterval(this.#timer);
    return this.write();
  }

  async #writeAll(): Promise<void> {
    const counted = this.#counted;
    this.#counted = new Map();
    for (const [workspaceId, tokens] of counted)
      try {
        await this.#database.query(writeSql, [workspaceId, [...tokens.keys()], [...tokens.values()]]);
      } catch (error) {
        for (const [tokenId, count] of tokens) this.note(workspaceId, tokenId, count);
        this.#onProblem(error);
      }
  }
}

// Locked by id, because every node writes the counts of the same tokens.
const writeSql = `
  with locked as (
    select tw.token_id, used.requests
      from api_token_workspaces tw
      join unnest($2::bigint[], $3::bigint[]) as used (token_id, requests) on used.token_id = tw.token_id
     where tw.workspace_id = $1
     order by tw.token_id
       for no key update of tw
  )
  update api_token_workspaces tw
     set requests = ${raised(requests, ['locked.requests'])}
    from locked, workspaces w
   where tw.workspace_id = $1
     and tw.token_id = locked.token_id
     and w.id = $1`;
