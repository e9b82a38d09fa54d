import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClaimedQueue, claimQueues } from './claim.ts';
import { paceOf } from './pace.ts';
import { type TurnOptions, takeTurn } from './turn.ts';

export type MailSenderOptions = Omit<TurnOptions, 'owner' | 'signal' | 'pace'> & { perMinute: number };

const lookEveryMs = 250;
/** The number of workspaces whose emails are sent at the same time. */
const maxTurns = 4;
/** The number of workspaces that may also wait for their lock, to write the outcome of their emails. */
const maxUnwritten = 50;
const afterProblemMs = 1_000;
/** How long a stop waits for emails that are being handed over. */
const finishMs = 5_000;

/**
 * Sends the emails that are due, until stopped. Workspaces take turns, a few at a time. Which node serves a workspace is decided by a
 * lease in the database.
 */
export class MailSender {
  readonly #options: TurnOptions;
  readonly #stopping = new AbortController();
  /** By workspace. */
  readonly #turns = new Map<number, Promise<void>>();
  /** Of each turn that hands emails over: resolves when it has done so. */
  readonly #handingOver = new Set<Promise<void>>();
  readonly #looking: Promise<void>;

  constructor({ perMinute, ...options }: MailSenderOptions) {
    this.#options = { ...options, owner: randomUUID(), signal: this.#stopping.signal, pace: paceOf(perMinute) };
    this.#looking = this.#keepLooking();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looking;
    const { transport } = this.#options;
    const late = setTimeout(() => transport?.close({ force: true }), finishMs);
    await Promise.all(this.#turns.values());
    clearTimeout(late);
    transport?.close({ force: true });
  }

  async #keepLooking(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#look().catch(this.#options.onProblem);
      const pause = sleep(lookEveryMs, undefined, { signal }).catch(() => {});
      // A turn that has handed its emails over makes room for another workspace at once, and one that ends for its own next turn.
      await Promise.race([pause, ...this.#handingOver, ...this.#turns.values()]);
    }
  }

  async #look(): Promise<void> {
    const { database, owner, pace } = this.#options;
    const room = Math.min(maxTurns - this.#handingOver.size, maxUnwritten - this.#turns.size);
    if (room <= 0) return;
    // A lease may have ended while results could not be written. The emails of that turn have gone out, and must not go out again.
    const underWay = [...this.#turns.keys()];
    for (const queue of await claimQueues(database, owner, pace, room, underWay)) this.#begin(queue);
  }

  #begin(queue: ClaimedQueue): void {
    const handedOver = Promise.withResolvers<void>();
    const turn = takeTurn(this.#options, queue, handedOver.resolve)
      .catch((error) => {
        this.#options.onProblem(error);
        return sleep(afterProblemMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
      })
      .finally(() => {
        handedOver.resolve();
        this.#turns.delete(queue.workspaceId);
      });
    this.#turns.set(queue.workspaceId, turn);
    this.#handingOver.add(handedOver.promise);
    void handedOver.promise.then(() => this.#handingOver.delete(handedOver.promise));
  }
}
