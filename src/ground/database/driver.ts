import type pg from 'pg';
import { unavailable } from '../errors.ts';
import { ServerClient } from './servers.ts';

const sweepMs = 250;
/** The function of PostgreSQL that warns of a commit whose standby has not confirmed it. */
const waitingForStandby = 'SyncRepWaitForLSN';

/** How many commits of this process no standby has confirmed. */
let unconfirmed = 0;

/** A connection that knows since when the server owes it an answer. */
class Connection extends ServerClient {
  /** By `performance.now()`; null while nothing is owed. */
  #askedAt: number | null = null;

  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('drain', () => {
      this.#askedAt = null;
    });
    this.on('notice', ({ routine }) => {
      if (routine === waitingForStandby) unconfirmed++;
    });
  }

  override query(...statement: never[]): never {
    this.#askedAt = performance.now();
    return super.query(...(statement as unknown as [string])) as never;
  }

  /** Cuts the connection if an answer is overdue, so that every statement on it fails and the pool drops it. */
  cutAfter(longestMs: number): void {
    if (this.#askedAt === null || performance.now() - this.#askedAt < longestMs) return;
    this.socket.destroy(new Error(`timeout: the database has not answered for ${longestMs} ms`));
  }
}

/**
 * For the options of a pool: connections that are cut when the server does not answer, and the end of looking at them. One sweep looks
 * at all of them. The driver's own `query_timeout` sets a timer for each statement, and closures that outlive it: V8 moved the rows
 * of every answer to its old space, and collecting them there made the slowest answers.
 */
export function cutUnanswered(longestMs: number) {
  const open = new Set<Connection>();
  class WatchedConnection extends Connection {
    constructor(config?: pg.ClientConfig) {
      super(config);
      open.add(this);
      this.once('end', () => open.delete(this));
    }
  }
  const sweep = setInterval(() => {
    for (const connection of open) connection.cutAfter(longestMs);
  }, sweepMs).unref();
  return { Client: WatchedConnection, stop: () => clearInterval(sweep) };
}

/**
 * With a callback: the promise that the driver makes keeps the rows of a result longer than they are needed.
 *
 * With synchronous replication, a statement that is cancelled while its commit waits for the standby stays committed: the server says so in a
 * warning, and reports success. A failover would lose it, so the statement fails here, and its caller tries again. So do other statements
 * that run at that moment, which costs them a retry.
 */
export function readRows<Row>(on: pg.Pool | pg.PoolClient, statement: pg.QueryConfig): Promise<Row[]> {
  const before = unconfirmed;
  return new Promise((resolve, reject) => {
    (on as pg.Pool).query(statement, (error: Error | null, result: pg.QueryResult) => {
      if (error) reject(error);
      else if (unconfirmed > before) reject(unavailable(new Error('A commit has not been confirmed by a standby.')));
      else resolve(result.rows as Row[]);
    });
  });
}
