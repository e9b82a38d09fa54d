import type { CallOptions, Transport } from '../transport.ts';
import type { Wish, WishDecision } from '../types.ts';

/** What recipients ask for, and somebody fulfils or declines. */
export class Wishes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Says that what a recipient asked for is done. `id` is that of the redemption. */
  fulfil(id: number, decision: WishDecision = {}, options: CallOptions = {}): Promise<Wish> {
    return this.#decide(id, 'fulfil', decision, options);
  }

  /** Says that what a recipient asked for is not possible: the gift has its balance back. */
  decline(id: number, decision: WishDecision = {}, options: CallOptions = {}): Promise<Wish> {
    return this.#decide(id, 'decline', decision, options);
  }

  async #decide(id: number, verb: string, body: WishDecision, { signal }: CallOptions): Promise<Wish> {
    const call = { method: 'POST', path: `/redemptions/${id}/${verb}`, body, signal } as const;
    return (await this.#transport.json<Wish>(call)).body;
  }
}
