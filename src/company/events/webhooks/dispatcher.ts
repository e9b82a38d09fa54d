import { setTimeout as sleep } from 'node:timers/promises';
import { type ClaimedWebhook, claimWebhooks, releaseWebhook, renewWebhookLease, webhookLeaseSeconds } from './claim.ts';
import { deliverNext, type WebhookDelivery } from './deliver.ts';

export type DispatcherOptions = Omit<WebhookDelivery, 'signal'> & {
  onProblem: (error: unknown) => void;
  /** How many endpoints are delivered to at the same time. */
  places?: number;
};

/** An endpoint that is being delivered to. */
interface Place {
  isFailing: boolean;
  work: Promise<void>;
}

const lookEveryMs = 200;
const renewEveryMs = (webhookLeaseSeconds * 1_000) / 3;
/** As long as before an event's second attempt. */
const pauseAfterProblemSeconds = 5;

/**
 * Delivers events to webhooks until stopped. Each endpoint is delivered to on its own, so that one that hangs or fails takes
 * nothing from the others. Which node delivers to an endpoint is decided by a lease in the database.
 *
 * An endpoint that hangs keeps its place until the time-out. Endpoints that are known to fail get half of the places at most,
 * so that the other half is free for healthy ones.
 */
export class WebhookDispatcher {
  readonly #delivery: WebhookDelivery;
  readonly #onProblem: (error: unknown) => void;
  readonly #places: number;
  readonly #failingPlaces: number;
  readonly #stopping = new AbortController();
  readonly #busy = new Set<Place>();
  readonly #looking: Promise<void>;

  constructor({ onProblem, places = 200, ...delivery }: DispatcherOptions) {
    this.#delivery = { ...delivery, signal: this.#stopping.signal };
    this.#onProblem = onProblem;
    this.#places = places;
    this.#failingPlaces = Math.floor(places / 2);
    this.#looking = this.#keepLooking();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looking;
    await Promise.all([...this.#busy].map(({ work }) => work));
  }

  async #keepLooking(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#look().catch(this.#onProblem);
      await sleep(lookEveryMs, undefined, { signal }).catch(() => {});
    }
  }

  async #look(): Promise<void> {
    const all = this.#places - this.#busy.size;
    // Endpoints that began to fail in their place can be more than half.
    const failing = Math.max(0, this.#failingPlaces - this.#countFailing());
    for (const webhook of await claimWebhooks(this.#delivery.database, { all, failing })) this.#begin(webhook);
  }

  #begin(webhook: ClaimedWebhook): void {
    const place: Place = { isFailing: webhook.isFailing, work: Promise.resolve() };
    this.#busy.add(place);
    place.work = this.#serve(webhook, place)
      .catch(this.#onProblem)
      .finally(() => this.#busy.delete(place));
  }

  /** Delivers until nothing is left; while others may wait for a place, one batch at a time. */
  async #serve(webhook: ClaimedWebhook, place: Place): Promise<void> {
    const { database } = this.#delivery;
    const heartbeat = setInterval(() => renewWebhookLease(database, webhook).catch(() => {}), renewEveryMs);
    // What was posted may not have been written down: without a pause the endpoint would get it over and over.
    let pauseSeconds = pauseAfterProblemSeconds;
    try {
      let next: ClaimedWebhook | null = webhook;
      do {
        next = await deliverNext(this.#delivery, next);
        if (next) place.isFailing = next.isFailing;
      } while (next && !this.#stopping.signal.aborted && this.#mayGoOn(place));
      pauseSeconds = 0;
    } finally {
      clearInterval(heartbeat);
      await releaseWebhook(database, webhook, pauseSeconds);
    }
  }

  #mayGoOn({ isFailing }: Place): boolean {
    return this.#busy.size < this.#places && (!isFailing || this.#countFailing() < this.#failingPlaces);
  }

  #countFailing(): number {
    return [...this.#busy].filter(({ isFailing }) => isFailing).length;
  }
}
