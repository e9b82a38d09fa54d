import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { claimQueues } from './claim.ts';
import { paceOf } from './pace.ts';
import { type TurnOptions, takeTurn } from './turn.ts';

export type MailSenderOptions = Omit<TurnOptions, 'owner' | 'signal' | 'pace'> & { perMinute: number };

const lookEveryMs = 250;
const maxTurns = 4;
const afterProblemMs = 1_000;
/** How long a stop waits for mails that are being handed over. */
const finishMs = 5_000;

/**
 * Sends the mails that are due, until stopped. Workspaces take turns, a few at a time. Which node serves a workspace is decided by a
 * lease in the database.
 */
export class MailSender {
  readonly #options: TurnOptions;
  readonly #stopping = new AbortController();
  readonly #turns = new Set<Promise<void>>();
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
    await Promise.all(this.#turns);
    clearTimeout(late);
    transport?.close({ force: true });
  }

  async #keepLooking(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#look().catch(this.#options.onProblem);
      const pause = sleep(lookEveryMs, undefined, { signal }).catch(() => {});
      // A turn that ends makes room for the next one at once.
      await Promise.race([pause, ...this.#turns]);
    }
  }

  async #look(): Promise<void> {
    const { database, owner, pace, onProblem } = this.#options;
    const room = maxTurns - this.#turns.size;
    if (room === 0) return;
    for (const queue of await claimQueues(database, owner, pace, room)) {
      const turn: Promise<void> = takeTurn(this.#options, queue)
        .catch((error) => {
          onProblem(error);
          return sleep(afterProblemMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
        })
        .finally(() => this.#turns.delete(turn));
      this.#turns.add(turn);
    }
  }
}
