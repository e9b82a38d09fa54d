import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { CheckedGift } from '../types.ts';

/** What recipients have spent, and what tills do. */
export class Redemptions extends Resource {
  /** A page of redemptions, the newest first. */
  readonly list = this.method('GET /redemptions', 'query');
  /** All redemptions that fit, for `for await`. */
  readonly all = this.eachAfter('GET /redemptions', 'redemptions');
  /** All redemptions that fit as a CSV file, as it comes. */
  readonly csv = this.file('GET /redemptions', 'query');

  /** Says whether a code is good and what is left. The gift is not claimed by it. */
  check(token: string, options: CallOptions = {}): Promise<CheckedGift> {
    return this.call('POST /gifts/check', { body: { token } }, options);
  }

  /** Takes a gift or a part of it at a till. It is safe to repeat with the same key. */
  readonly redeem = this.keyed('POST /gifts/redemptions', 'body');
  /** Gives back what was redeemed at a till. */
  readonly void = this.method('POST /gifts/redemptions/{id}/void');
  /** Reverses a redemption for the company. If payroll has paid it, the next export takes it back. */
  readonly reverse = this.method('POST /redemptions/{id}/reverse', 'body');
}
