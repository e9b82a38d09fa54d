import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
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
export class Events extends Resource {
  /** A page of events after a number, the oldest first. With `wait`, an empty answer is held back until something happens. */
  list(query: EventQuery = {}, options: CallOptions = {}): Promise<EventPage> {
    return this.call('GET /events', { query, heldMs: heldMsOf(query) }, options);
  }

  /** One event by its id. */
  readonly retrieve = this.method('GET /events/{id}');

  /**
   * Every event after a number as it happens, for `for await`. While the service is away it keeps asking, so nothing is
   * missed. It ends when the signal is aborted, and throws where asking again does not help. Keep the number of the last event
   * that you have dealt with, and begin with it the next time.
   */
  async *stream({ after, types, signal }: StreamOptions = {}): AsyncGenerator<GiftwireEvent, void> {
    const query: EventQuery = { size: streamSize, wait: streamWaitSeconds, ...(types && { types }) };
    for (let last = after; !signal?.aborted; ) {
      const asked = last === undefined ? query : { ...query, after: last };
      const given = { query: asked, heldMs: heldMsOf(query), retries: Number.POSITIVE_INFINITY };
      const page = await this.call('GET /events', given, { signal }).catch((error) => {
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

  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;
}

function heldMsOf({ wait = 0 }: EventQuery): number {
  return wait * 1_000;
}
