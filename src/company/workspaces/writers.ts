import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { currentJoin, withoutJoin } from '../../ground/database/joining.ts';
import { unavailable } from '../../ground/errors.ts';
import { maxWaitMs, OneAtATime } from './one-at-a-time.ts';

/** The share of a pool's connections that may wait for a lock: one in this many. */
const shareThatWaits = 3;
const tryEveryMs = 25;

/** How a transaction takes the lock of a workspace. Both return the moment of what it records. */
interface Lock {
  take: (tx: Queryable, workspaceId: number) => Promise<string>;
  /** Null if another writer has it. */
  tryToTake: (tx: Queryable, workspaceId: number) => Promise<string | null>;
}

/** What a transaction came to: `done` is absent if the workspace was locked, and too many wait already. */
type Attempt<T> = { done: T } | null;

/**
 * The transactions of one pool that write in workspaces.
 *
 * A workspace can be locked for long, for instance by an import or a large group of SCIM. Of its other writers one has a connection
 * and waits for the lock: if each had one, none would be left for other workspaces. If many workspaces are locked at the same time,
 * some of their writers give their connection back and try again until the lock is free.
 */
export class Writers {
  readonly #database: Database;
  readonly #lock: Lock;
  readonly #mostWaiting: number;
  readonly #turns = new OneAtATime();
  #waiting = 0;

  constructor(database: Database, lock: Lock) {
    this.#database = database;
    this.#lock = lock;
    this.#mostWaiting = Math.max(1, Math.floor((database.pool.options.max ?? 1) / shareThatWaits));
  }

  run<T>(workspaceId: number, work: (tx: Queryable, moment: string) => Promise<T>, waitMs = maxWaitMs): Promise<T> {
    const until = performance.now() + waitMs;
    // Not in a transaction that only finds the workspace locked.
    const join = currentJoin();
    const joined = async (tx: Queryable, moment: string) => {
      const done = await work(tx, moment);
      await join?.(tx);
      return done;
    };
    const workInTurn = async () => {
      for (;;) {
        const attempt = await this.#database.transaction((tx) => this.#attempt(tx, workspaceId, joined));
        if (attempt) return attempt.done;
        if (performance.now() > until) throw unavailable();
        await sleep(tryEveryMs);
      }
    };
    return withoutJoin(() => this.#turns.run(workspaceId, workInTurn, waitMs));
  }

  async #attempt<T>(
    tx: Queryable,
    workspaceId: number,
    work: (tx: Queryable, moment: string) => Promise<T>,
  ): Promise<Attempt<T>> {
    const moment = (await this.#lock.tryToTake(tx, workspaceId)) ?? (await this.#wait(tx, workspaceId));
    return moment === null ? null : { done: await work(tx, moment) };
  }

  /** Waits for the lock, if not too many do already. */
  async #wait(tx: Queryable, workspaceId: number): Promise<string | null> {
    if (this.#waiting >= this.#mostWaiting) return null;
    this.#waiting++;
    try {
      return await this.#lock.take(tx, workspaceId);
    } finally {
      this.#waiting--;
    }
  }
}
