import { unavailable } from '../../ground/errors.ts';

/** How long work waits for its turn: as long as an order waits for its batch. */
export const maxWaitMs = 1_500;

/**
 * Does one thing at a time in a workspace, or with anything else that a key names. The rest waits in memory, in the order of arrival, without a
 * connection: so a workspace that asks for much leaves connections to others. What has waited too long is rejected.
 */
export class OneAtATime<Key = number> {
  /** By key with something under way: what comes next, in the order of arrival. */
  readonly #queues = new Map<Key, (() => void)[]>();

  async run<T>(key: Key, work: () => Promise<T>, waitMs = maxWaitMs): Promise<T> {
    await this.#enter(key, waitMs);
    try {
      return await work();
    } finally {
      this.#leave(key);
    }
  }

  /** Resolves when it is this work's turn. */
  async #enter(key: Key, waitMs: number): Promise<void> {
    const queue = this.#queues.get(key);
    if (!queue) {
      this.#queues.set(key, []);
      return;
    }
    const turn = Promise.withResolvers<void>();
    queue.push(turn.resolve);
    const late = setTimeout(() => {
      queue.splice(queue.indexOf(turn.resolve), 1);
      turn.reject(unavailable());
    }, waitMs);
    await turn.promise.finally(() => clearTimeout(late));
  }

  #leave(key: Key): void {
    const next = this.#queues.get(key)?.shift();
    if (next) next();
    else this.#queues.delete(key);
  }
}
