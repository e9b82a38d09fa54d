import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { FeedThanksList } from '../types.ts';

/** What the caller received and gave. */
export class MyShoutoutsResource extends Resource {
  /** A page of what the caller received or gave, the newest first. */
  readonly list = this.method('GET /me/shoutouts', 'query');

  /** Replies with a thank-you note, once. */
  thank(id: number, text: string, options: CallOptions = {}): Promise<FeedThanksList> {
    return this.call('POST /me/shoutouts/{id}/thank', { path: { id }, body: { text }, once: true }, options);
  }

  /** The thank-you notes for a post. */
  readonly thanks = this.method('GET /me/shoutouts/{id}/thanks');
}
