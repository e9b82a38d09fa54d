import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Failure } from '../errors.ts';
import { type Database, queryOne } from './database.ts';
import { historyId } from './history-sql.ts';

/** Where a read was answered. `behind` and `unreachable` were answered by the primary too, because the replica could not. */
export type ReadServer = 'replica' | 'primary' | 'behind' | 'unreachable';

export interface ReplicaOptions {
  /** How long a read waits for the replica to have everything that was committed before the read began. */
  mostLagMs: number;
  count: (server: ReadServer) => void;
  /** Is told once when reads begin to go to the primary, and once when they go to the replica again (null). */
  onChange: (problem: 'behind' | 'unreachable' | null, error?: unknown) => void;
}

/** After a read that the replica could not answer, the next ones do not ask it for so long. */
const pauseMs = 1_000;
const firstWaitMs = 2;
const longestWaitMs = 50;

/**
 * Lets reads run on a replica whose answers are those of the primary. Before each read, the primary says how far it has written, and the read waits until the
 * replica has got that far: people see their own changes, also those that another node wrote. If that takes longer than the limit, or the replica does not
 * answer, the read runs on the primary.
 *
 * The replica must also have the current history: a standby that follows a primary that was replaced may have got as far, with changes that are lost.
 */
export class Replica {
  readonly #options: ReplicaOptions;
  #pausedUntil = 0;
  #problem: 'behind' | 'unreachable' | null = null;

  constructor(options: ReplicaOptions) {
    this.#options = options;
  }

  /** The reads of one pool: `primary` and `replica` have the same database. */
  reads(primary: Database, replica: Database): Database {
    return {
      ...primary,
      query: async (sql, values, use) => {
        if ((await this.#choose(primary, replica)) === primary) return primary.query(sql, values, use);
        return replica.query(sql, values, use).catch((error) => {
          this.#expectOwn(error);
          return primary.query(sql, values, use);
        }) as Promise<never>;
      },
      transaction: async (work) => {
        if ((await this.#choose(primary, replica)) === primary) return primary.transaction(work);
        let hasBegun = false;
        const begin: typeof work = (tx) => {
          hasBegun = true;
          return work(tx);
        };
        return replica.transaction(begin).catch((error) => {
          // What the work has done cannot be done again: its caller repeats the request.
          if (hasBegun) throw error;
          this.#expectOwn(error);
          return primary.transaction(work);
        });
      },
      stream: (sql, values, rowsAtOnce) => this.#stream(primary, replica, sql, values, rowsAtOnce),
    };
  }

  async *#stream<Row>(
    primary: Database,
    replica: Database,
    ...args: Parameters<Database['stream']>
  ): AsyncGenerator<Row[]> {
    const chosen = await this.#choose(primary, replica);
    const rows = chosen.stream<Row>(...args)[Symbol.asyncIterator]();
    let first = await rows.next().catch((error): null => {
      if (chosen === primary) throw error;
      this.#expectOwn(error);
      return null;
    });
    const source = first ? rows : primary.stream<Row>(...args)[Symbol.asyncIterator]();
    try {
      first ??= await source.next();
      for (let next = first; !next.done; next = await source.next()) yield next.value;
    } finally {
      await source.return?.();
    }
  }

  async #choose(primary: Database, replica: Database): Promise<Database> {
    if (performance.now() < this.#pausedUntil) {
      this.#options.count('primary');
      return primary;
    }
    const written = await queryOne<{ lsn: string; history: string }>(primary, writtenSql);
    const until = performance.now() + this.#options.mostLagMs;
    try {
      for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
        const { isCurrent } = await queryOne<{ isCurrent: boolean | null }>(replica, currentSql, [
          written.lsn,
          written.history,
        ]);
        if (isCurrent) break;
        if (performance.now() >= until) return this.#pause('behind', primary);
        await sleep(waitMs);
      }
    } catch (error) {
      return this.#pause('unreachable', primary, error);
    }
    if (this.#problem !== null) this.#options.onChange(null);
    this.#problem = null;
    this.#options.count('replica');
    return replica;
  }

  #pause(problem: 'behind' | 'unreachable', primary: Database, error?: unknown): Database {
    this.#pausedUntil = performance.now() + pauseMs;
    if (this.#problem !== problem) this.#options.onChange(problem, error);
    this.#problem = problem;
    this.#options.count(problem);
    return primary;
  }

  /** Throws an error that the primary would give too. Others are about the replica: it went away, or had to end the read to go on replaying. */
  #expectOwn(error: unknown): void {
    if (!(error instanceof Failure) || error.kind !== 'unavailable') throw error;
    const code = error.cause instanceof pg.DatabaseError ? error.cause.code : undefined;
    if (code === statementTimeout) throw error;
    this.#options.count('unreachable');
    if (code !== conflictWithReplay) this.#pausedUntil = performance.now() + pauseMs;
  }
}

const statementTimeout = '57014';
const conflictWithReplay = '40001';

const writtenSql = `select pg_current_wal_flush_lsn()::text as lsn, ${historyId} as history`;

// A server that was promoted would go on saying how far it has replayed.
const currentSql = `
  select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn and ${historyId} = $2 as "isCurrent"`;
