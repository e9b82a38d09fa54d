import { unavailable } from '../errors.ts';

/** How long work waits for its turn: as long as an order waits for its batch. */
export const maxWaitMs = 1_500;

/**
 * Does one thing at a time in a workspace. The rest waits in memory, in the order of arrival, without a connection: so a workspace that
 * asks for much leaves connections to others. What has waited too long is refused.
 */
export class OneAtATime {
  /** By workspace with something under way: what comes next, in the order of arrival. */
  readonly #queues = new Map<number, (() => void)[]>();

  async run<T>(workspaceId: number, work: () => Promise<T>): Promise<T> {
    await this.#enter(workspaceId);
    try {
      return await work();
    } finally {
      this.#leave(workspaceId);
    }
  }

  /** Resolves when it is this work's turn in the workspace. */
  async #enter(workspaceId: number): Promise<void> {
    const queue = this.#queues.get(workspaceId);
    if (!queue) {
      this.#queues.set(workspaceId, []);
      return;
    }
    const turn = Promise.withResolvers<void>();
    queue.push(turn.resolve);
    const late = setTimeout(() => {
      queue.splice(queue.indexOf(turn.resolve), 1);
      turn.reject(unavailable());
    }, maxWaitMs);
    await turn.promise.finally(() => clearTimeout(late));
  }

  #leave(workspaceId: number): void {
    const next = this.#queues.get(workspaceId)?.shift();
    if (next) next();
    else this.#queues.delete(workspaceId);
  }
}
