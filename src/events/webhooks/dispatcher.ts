import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClaimedWebhook, claimWebhooks, leaseSeconds, releaseWebhook, renewLease } from './claim.ts';
import { type Delivery, deliverNext } from './deliver.ts';

export type DispatcherOptions = Omit<Delivery, 'owner' | 'signal'> & { onProblem: (error: unknown) => void };

const lookEveryMs = 200;
const maxEndpoints = 200;
const renewEveryMs = (leaseSeconds * 1_000) / 3;

/**
 * Delivers events to webhooks until stopped. Each endpoint is delivered to on its own, so that one that hangs or fails takes
 * nothing from the others. Which node delivers to an endpoint is decided by a lease in the database.
 */
export class WebhookDispatcher {
  readonly #delivery: Delivery;
  readonly #onProblem: (error: unknown) => void;
  readonly #stopping = new AbortController();
  readonly #busy = new Map<string, Promise<void>>();
  readonly #looking: Promise<void>;

  constructor({ onProblem, ...delivery }: DispatcherOptions) {
    this.#delivery = { ...delivery, owner: randomUUID(), signal: this.#stopping.signal };
    this.#onProblem = onProblem;
    this.#looking = this.#keepLooking();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looking;
    await Promise.all(this.#busy.values());
  }

  async #keepLooking(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#look().catch(this.#onProblem);
      await sleep(lookEveryMs, undefined, { signal }).catch(() => {});
    }
  }

  async #look(): Promise<void> {
    const { database, owner } = this.#delivery;
    const claimed = await claimWebhooks(database, owner, maxEndpoints - this.#busy.size);
    for (const webhook of claimed) {
      const key = `${webhook.workspaceId}/${webhook.id}`;
      const work = this.#serve(webhook)
        .catch(this.#onProblem)
        .finally(() => this.#busy.delete(key));
      this.#busy.set(key, work);
    }
  }

  /** Delivers until nothing is left; while others wait for a place, one batch at a time. */
  async #serve(webhook: ClaimedWebhook): Promise<void> {
    const { database, owner } = this.#delivery;
    const heartbeat = setInterval(() => renewLease(database, owner, webhook).catch(() => {}), renewEveryMs);
    try {
      let next: ClaimedWebhook | null = webhook;
      do next = await deliverNext(this.#delivery, next);
      while (next && !this.#stopping.signal.aborted && this.#busy.size < maxEndpoints);
    } finally {
      clearInterval(heartbeat);
      await releaseWebhook(database, owner, webhook);
    }
  }
}
