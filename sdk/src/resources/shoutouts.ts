import { type KeyOptions, keyOf, type Replayed, withReplayed } from '../idempotency.ts';
import { eachElement, usualSize } from '../paging.ts';
import type { CallOptions, Transport } from '../transport.ts';
import type { Decision, Shoutout, ShoutoutPage, ShoutoutQuery, ShoutoutRequest } from '../types.ts';

/** Say thanks without a gift; approve or decline where the workspace asks for approval. */
export class Shoutouts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Says thanks. The shoutout is APPROVED at once, or PENDING where the workspace asks for approval. */
  async give(shoutout: ShoutoutRequest, options: KeyOptions = {}): Promise<Shoutout & Replayed> {
    const answer = await this.#transport.json<Shoutout>({
      method: 'POST',
      path: '/shoutouts',
      body: shoutout,
      idempotencyKey: keyOf(options),
      signal: options.signal,
    });
    return withReplayed(answer, options);
  }

  /** A page of shoutouts, newest first: those that wait for a decision unless `status` says otherwise. */
  async list(query: ShoutoutQuery = {}, { signal }: CallOptions = {}): Promise<ShoutoutPage> {
    return (await this.#transport.json<ShoutoutPage>({ method: 'GET', path: '/shoutouts', query, signal })).body;
  }

  /** All shoutouts with a status, for `for await`. Decide about them afterwards: a decision moves the pages that follow. */
  all(filters: Omit<ShoutoutQuery, 'page'> = {}, options: CallOptions = {}): AsyncGenerator<Shoutout, void> {
    return eachElement(
      (page) => this.list({ size: usualSize, ...filters, page }, options),
      ({ shoutouts }) => shoutouts,
    );
  }

  /** One shoutout, including declined ones. */
  async get(id: number, { signal }: CallOptions = {}): Promise<Shoutout> {
    return (await this.#transport.json<Shoutout>({ method: 'GET', path: `/shoutouts/${id}`, signal })).body;
  }

  /** Approves a shoutout, which then counts as recognition. Approving it again changes nothing. */
  approve(id: number, decision: Decision = {}, options: CallOptions = {}): Promise<Shoutout> {
    return this.#decide(id, 'approve', decision, options);
  }

  /** Declines a shoutout. The reports leave it out. Declining it again changes nothing. */
  decline(id: number, decision: Decision = {}, options: CallOptions = {}): Promise<Shoutout> {
    return this.#decide(id, 'decline', decision, options);
  }

  async #decide(id: number, verb: string, body: Decision, { signal }: CallOptions): Promise<Shoutout> {
    const path = `/shoutouts/${id}/${verb}`;
    return (await this.#transport.json<Shoutout>({ method: 'POST', path, body, signal })).body;
  }
}
