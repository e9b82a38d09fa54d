import type { KeyOptions, Replayed } from '../idempotency.ts';
import { eachAfter } from '../paging.ts';
import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type {
  CheckedGift,
  CsvQuery,
  Redemption,
  RedemptionPage,
  RedemptionQuery,
  SpendingRequestDecision,
  TillRedemption,
} from '../types.ts';

/** What recipients have spent, and what tills do. */
export class Redemptions extends Resource {
  /** A page of redemptions, the newest first. */
  list(query: RedemptionQuery = {}, options: CallOptions = {}): Promise<RedemptionPage> {
    return this.call('GET /redemptions', { query }, options);
  }

  /** All redemptions that fit, for `for await`. */
  all(filters: RedemptionQuery = {}, options: CallOptions = {}): AsyncGenerator<Redemption, void> {
    return eachAfter(
      filters,
      (page) => this.list(page, options),
      ({ redemptions }) => redemptions,
    );
  }

  /** All redemptions that fit as a CSV file, as it comes. */
  csv(
    query: Omit<RedemptionQuery, 'size' | 'after'> & CsvQuery = {},
    options: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.file('GET /redemptions', { query }, options);
  }

  /** Says whether a code is good and what is left. The gift is not claimed by it. */
  check(token: string, options: CallOptions = {}): Promise<CheckedGift> {
    return this.call('POST /gifts/check', { body: { token } }, options);
  }

  /** Takes a gift or a part of it at a till. It is safe to repeat with the same key. */
  redeem(redemption: TillRedemption, options: KeyOptions = {}): Promise<Redemption & Replayed> {
    return this.callWithKey('POST /gifts/redemptions', { body: redemption }, options);
  }

  /** Gives back what was redeemed at a till. */
  void(id: number, options: CallOptions = {}): Promise<Redemption> {
    return this.call('POST /gifts/redemptions/{id}/void', { path: { id } }, options);
  }

  /** Reverses a redemption for the company. If payroll has paid it, the next export takes it back. */
  reverse(id: number, decision: SpendingRequestDecision = {}, options: CallOptions = {}): Promise<Redemption> {
    return this.call('POST /redemptions/{id}/reverse', { path: { id }, body: decision }, options);
  }
}
