import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure, unavailable } from '../../ground/errors.ts';
import { readLatest } from './read.ts';

interface Reader {
  workspaceId: number;
  after: number;
  wake: () => void;
}

const lookEveryMs = 200;
const maxReaders = 500;
const maxReadersOfWorkspace = 20;

/**
 * Lets readers wait for the next event without a database connection each: while readers wait, one statement every 200 ms
 * asks for the latest numbers of all their workspaces.
 */
export class EventPulse {
  readonly #database: Queryable;
  readonly #readers = new Set<Reader>();
  #looking = false;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** Resolves when the workspace has an event after this number, when the time is over, or when the signal fires. */
  async wait(workspaceId: number, after: number, waitMs: number, signal: AbortSignal): Promise<void> {
    this.#admit(workspaceId);
    if (signal.aborted) return;
    const { promise: woken, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    const reader = { workspaceId, after, wake };
    const timer = setTimeout(wake, waitMs);
    signal.addEventListener('abort', wake, { once: true });
    this.#readers.add(reader);
    void this.#look();
    await woken;
    clearTimeout(timer);
    signal.removeEventListener('abort', wake);
    this.#readers.delete(reader);
  }

  #admit(workspaceId: number): void {
    const ofWorkspace = [...this.#readers].filter((reader) => reader.workspaceId === workspaceId).length;
    if (this.#readers.size >= maxReaders) throw unavailable();
    if (ofWorkspace < maxReadersOfWorkspace) return;
    throw new Failure(
      'tooMany',
      `${maxReadersOfWorkspace} requests of this workspace wait for events already: ask without wait, or let one of them end.`,
      { headers: { 'Retry-After': '5' } },
    );
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      while (this.#readers.size > 0) {
        await this.#wakeReaders().catch(() => {});
        await sleep(lookEveryMs);
      }
    } finally {
      this.#looking = false;
    }
  }

  async #wakeReaders(): Promise<void> {
    const latest = await readLatest(this.#database, [...new Set([...this.#readers].map((one) => one.workspaceId))]);
    for (const { workspaceId, after, wake } of this.#readers) if ((latest.get(workspaceId) ?? 0) > after) wake();
  }
}
