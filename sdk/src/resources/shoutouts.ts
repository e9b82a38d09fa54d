import type { KeyOptions, Replayed } from '../idempotency.ts';
import { eachElement, usualSize } from '../paging.ts';
import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { Decision, Shoutout, ShoutoutPage, ShoutoutQuery, ShoutoutRequest } from '../types.ts';

/** Say thanks without a gift; approve or decline where the workspace asks for approval. */
export class Shoutouts extends Resource {
  /** Says thanks. The shoutout is APPROVED at once, or PENDING where the workspace asks for approval. */
  create(shoutout: ShoutoutRequest, options: KeyOptions = {}): Promise<Shoutout & Replayed> {
    return this.callWithKey('POST /shoutouts', { body: shoutout }, options);
  }

  /** A page of shoutouts, newest first: those that wait for a decision unless `status` says otherwise. */
  list(query: ShoutoutQuery = {}, options: CallOptions = {}): Promise<ShoutoutPage> {
    return this.call('GET /shoutouts', { query }, options);
  }

  /** All shoutouts with a status, for `for await`. Decide about them afterwards: a decision moves the pages that follow. */
  all(filters: Omit<ShoutoutQuery, 'page'> = {}, options: CallOptions = {}): AsyncGenerator<Shoutout, void> {
    return eachElement(
      (page) => this.list({ size: usualSize, ...filters, page }, options),
      ({ shoutouts }) => shoutouts,
    );
  }

  /** One shoutout, including declined ones. */
  retrieve(id: number, options: CallOptions = {}): Promise<Shoutout> {
    return this.call('GET /shoutouts/{id}', { path: { id } }, options);
  }

  /** Approves a shoutout, which then counts as recognition. Approving it again changes nothing. */
  approve(id: number, decision: Decision = {}, options: CallOptions = {}): Promise<Shoutout> {
    return this.call('POST /shoutouts/{id}/approve', { path: { id }, body: decision }, options);
  }

  /** Declines a shoutout. The reports leave it out. Declining it again changes nothing. */
  decline(id: number, decision: Decision = {}, options: CallOptions = {}): Promise<Shoutout> {
    return this.call('POST /shoutouts/{id}/decline', { path: { id }, body: decision }, options);
  }

  /** @deprecated Use `create`. */
  readonly give = this.create;

  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;
}
