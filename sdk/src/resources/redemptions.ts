import { type KeyOptions, keyOf, type Replayed, withReplayed } from '../idempotency.ts';
import { usualSize } from '../paging.ts';
import type { CallOptions, Transport } from '../transport.ts';
import type {
  CheckedGift,
  CsvQuery,
  Redemption,
  RedemptionPage,
  RedemptionQuery,
  TillRedemption,
  WishDecision,
} from '../types.ts';

/** What recipients have spent, and what tills do. */
export class Redemptions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A page of redemptions, the newest first. */
  async list(query: RedemptionQuery = {}, { signal }: CallOptions = {}): Promise<RedemptionPage> {
    return (await this.#transport.json<RedemptionPage>({ method: 'GET', path: '/redemptions', query, signal })).body;
  }

  /** All redemptions that fit, for `for await`. */
  async *all(filters: RedemptionQuery = {}, options: CallOptions = {}): AsyncGenerator<Redemption, void> {
    let page = await this.list({ size: usualSize, ...filters }, options);
    yield* page.redemptions;
    while (page.next !== null) {
      page = await this.list({ size: usualSize, ...filters, after: page.next }, options);
      yield* page.redemptions;
    }
  }

  /** All redemptions that fit as a CSV file, as it comes. */
  csv(
    query: Omit<RedemptionQuery, 'size' | 'after'> & CsvQuery = {},
    { signal }: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    const headers = { Accept: 'text/csv' };
    return this.#transport.bytes({ method: 'GET', path: '/redemptions', headers, query, signal });
  }

  /** Says whether a code is good and what is left. The gift is not claimed by it. */
  async check(token: string, { signal }: CallOptions = {}): Promise<CheckedGift> {
    const call = { method: 'POST', path: '/gifts/check', body: { token }, signal } as const;
    return (await this.#transport.json<CheckedGift>(call)).body;
  }

  /** Takes a gift or a part of it at a till. It is safe to repeat with the same key. */
  async redeem(redemption: TillRedemption, options: KeyOptions = {}): Promise<Redemption & Replayed> {
    const idempotencyKey = keyOf(options);
    const call = { method: 'POST', path: '/gifts/redemptions', body: redemption, idempotencyKey } as const;
    return withReplayed(await this.#transport.json<Redemption>({ ...call, signal: options.signal }), options);
  }

  /** Gives back what was redeemed at a till. */
  async void(id: number, { signal }: CallOptions = {}): Promise<Redemption> {
    const call = { method: 'POST', path: `/gifts/redemptions/${id}/void`, signal } as const;
    return (await this.#transport.json<Redemption>(call)).body;
  }

  /** Reverses a redemption for the company. If payroll has paid it, the next export takes it back. */
  async reverse(id: number, decision: WishDecision = {}, { signal }: CallOptions = {}): Promise<Redemption> {
    const call = { method: 'POST', path: `/redemptions/${id}/reverse`, body: decision, signal } as const;
    return (await this.#transport.json<Redemption>(call)).body;
  }
}
