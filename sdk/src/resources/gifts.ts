import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { PrintQuery } from '../types.ts';

/** The status of each gift, and what repairs it. */
export class Gifts extends Resource {
  /** A page of gifts, the newest first. */
  readonly list = this.method('GET /gifts', 'query');
  /** All gifts that fit, for `for await`. Those that are ordered meanwhile are left out. */
  readonly all = this.eachAfter('GET /gifts', 'gifts');
  /** How many gifts fit and what they are worth, by state and currency. */
  readonly totals = this.method('GET /gifts/totals', 'query');
  /** All gifts that fit as a CSV file, as it comes. A workspace can read two files at once. */
  readonly csv = this.file('GET /gifts', 'query');
  /** Where one gift stands and everything that happened to it. */
  readonly retrieve = this.method('GET /gifts/{id}');
  /** What the recipient of a gift would see. Nothing is ordered, nothing is sent. */
  readonly preview = this.method('POST /gifts/preview', 'body');
  /** Emails what a recipient would get to the caller's own address. Its link and its code open no gift. */
  readonly test = this.method('POST /gifts/test', 'body');
  /** Emails a gift once more, with the same link and code. */
  readonly resend = this.keyed('POST /gifts/{id}/resend');
  /** Emails a gift to another address, with a new link and a new code. The earlier ones end at once. */
  readonly correct = this.method('POST /gifts/{id}/correct', 'body');
  /** The gift can no longer be claimed, and no email about it is sent. A claimed gift cannot be cancelled. */
  readonly cancel = this.method('POST /gifts/{id}/cancel');
  /** Extends a gift, or removes its expiry date. One that has expired can be claimed again. */
  readonly extend = this.method('POST /gifts/{id}/extend', 'body');

  /** Gifts on paper, as an HTML document to print. It shows the secret tokens of the gifts. */
  print(query: PrintQuery, options: CallOptions = {}): Promise<string> {
    return this.text('GET /gifts/print', { query }, 'text/html', options);
  }

  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;
}
