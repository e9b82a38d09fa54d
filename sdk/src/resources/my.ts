import type { KeyOptions, Replayed } from '../idempotency.ts';
import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { MyClaimResult, MyGift, MyGiftCode, MySpendingOptions } from '../types.ts';

/** The gifts of the caller, and what they do with them. */
export class MyGifts extends Resource {
  /** A page of gifts, with the totals of all. */
  readonly list = this.method('GET /me/gifts', 'query');
  /** All gifts, for `for await`. */
  readonly all = this.eachAfter('GET /me/gifts', 'gifts');
  /** A gift, and what was spent of it. */
  readonly retrieve = this.method('GET /me/gifts/{id}');
  /** Opens a gift: from then on it says what it is worth. */
  readonly open = this.keyed('POST /me/gifts/{id}/open');

  /** Claims a gift. `code`: the verification code, if one was emailed. */
  claim(id: number, code?: string, options: KeyOptions = {}): Promise<MyClaimResult & Replayed> {
    const body = code === undefined ? {} : { code };
    return this.callWithKey('POST /me/gifts/{id}/claim', { path: { id }, body }, options);
  }

  /** Emails another verification code. */
  readonly sendVerificationCode = this.keyed('POST /me/gifts/{id}/verification-code');

  /** Sends a thank-you note to the sender, once for each gift. */
  thank(id: number, text: string, options: KeyOptions = {}): Promise<MyGift & Replayed> {
    return this.callWithKey('POST /me/gifts/{id}/thank', { path: { id }, body: { text } }, options);
  }

  /** The code of a claimed gift, for a till or the shop of a spending option. For people who are signed in. */
  code(id: number, spendingOption?: string, options: CallOptions = {}): Promise<MyGiftCode> {
    const body = spendingOption === undefined ? {} : { spendingOption };
    return this.call('POST /me/gifts/{id}/code', { path: { id }, body }, options);
  }
}

/** What the caller spends their gifts on, also several together. */
export class MySpending extends Resource {
  /** What gifts in a currency can be spent on. */
  options(currency: string, options: CallOptions = {}): Promise<MySpendingOptions> {
    return this.call('GET /me/spending-options', { query: { currency } }, options);
  }

  /** Which gifts a spending would use. Nothing is spent. */
  readonly preview = this.method('POST /me/spending/preview', 'body');
  /** Spends one amount of one gift or of several together: all of it or nothing. */
  readonly create = this.keyed('POST /me/spending', 'body');
  /** What was spent at once, and of which gifts. */
  readonly retrieve = this.method('GET /me/spending/{id}');
  /** Gives the gifts their amounts back, until a payroll export has them. */
  readonly reverse = this.keyed('POST /me/spending/{id}/reverse');
  /** The gift card. For people who are signed in. */
  readonly card = this.method('POST /me/spending/{id}/code');
}
