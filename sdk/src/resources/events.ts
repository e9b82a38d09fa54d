import type { CallOptions, Transport } from '../transport.ts';
import type { EventPage, EventQuery, GiftwireEvent } from '../types.ts';

/** What to follow. */
export interface StreamOptions extends CallOptions {
  /** The number of the last event that you have. From the oldest one when absent. */
  after?: number | undefined;
  /** Only these types. */
  types?: EventQuery['types'] | undefined;
}

const streamSize = 100;
const streamWaitSeconds = 25;

/** Everything that happens in the workspace, in one log to read from any point. */
export class Events {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A page of events after a number, the oldest first. With `wait`, an empty answer is held back until something happens. */
  list(query: EventQuery = {}, { signal }: CallOptions = {}): Promise<EventPage> {
    return this.#list(query, { signal });
  }

  /** One event by its id. */
  async get(id: string, { signal }: CallOptions = {}): Promise<GiftwireEvent> {
    const path = `/events/${encodeURIComponent(id)}`;
    return (await this.#transport.json<GiftwireEvent>({ method: 'GET', path, signal })).body;
  }

  /**
   * Every event after a number as it happens, for `for await`. While the service is away it goes on asking, so nothing is
   * missed. It ends when the signal is aborted, and throws where asking again does not help. Keep the number of the last event
   * that you have dealt with, and begin with it the next time.
   */
  async *stream({ after, types, signal }: StreamOptions = {}): AsyncGenerator<GiftwireEvent, void> {
    const query: EventQuery = { size: streamSize, wait: streamWaitSeconds, ...(types && { types }) };
    for (let last = after; !signal?.aborted; ) {
      const asked = last === undefined ? query : { ...query, after: last };
      const page = await this.#list(asked, { signal, retries: Number.POSITIVE_INFINITY }).catch((error) => {
        if (!signal?.aborted) throw error;
      });
      if (!page) return;
      for (const event of page.events) {
        if (signal?.aborted) return;
        yield event;
      }
      last = page.next;
    }
  }

  async #list(query: EventQuery, options: CallOptions & { retries?: number }): Promise<EventPage> {
    const heldMs = (query.wait ?? 0) * 1_000;
    return (await this.#transport.json<EventPage>({ method: 'GET', path: '/events', query, heldMs, ...options })).body;
  }
}
