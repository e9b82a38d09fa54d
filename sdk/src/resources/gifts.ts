import type { KeyOptions, Replayed } from '../idempotency.ts';
import { eachAfter } from '../paging.ts';
import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type {
  CsvQuery,
  Gift,
  GiftCorrection,
  GiftDetails,
  GiftDraft,
  GiftExtension,
  GiftPage,
  GiftPreview,
  GiftQuery,
  GiftTest,
  GiftTotals,
  GiftTotalsQuery,
  PrintQuery,
} from '../types.ts';

/** Where each gift stands, and how to put right what went wrong. */
export class Gifts extends Resource {
  /** A page of gifts, the newest first. */
  list(query: GiftQuery = {}, options: CallOptions = {}): Promise<GiftPage> {
    return this.call('GET /gifts', { query }, options);
  }

  /** All gifts that fit, for `for await`. Those that are ordered meanwhile are left out. */
  all(filters: GiftQuery = {}, options: CallOptions = {}): AsyncGenerator<Gift, void> {
    return eachAfter(
      filters,
      (page) => this.list(page, options),
      ({ gifts }) => gifts,
    );
  }

  /** How many gifts fit and what they are worth, by state and currency. */
  totals(filters: GiftTotalsQuery = {}, options: CallOptions = {}): Promise<GiftTotals> {
    return this.call('GET /gifts/totals', { query: filters }, options);
  }

  /** All gifts that fit as a CSV file, as it comes. A workspace can read two files at once. */
  csv(
    query: Omit<GiftQuery, 'size' | 'after'> & CsvQuery = {},
    options: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.file('GET /gifts', { query }, options);
  }

  /** Where one gift stands and everything that happened to it. */
  retrieve(id: number, options: CallOptions = {}): Promise<GiftDetails> {
    return this.call('GET /gifts/{id}', { path: { id } }, options);
  }

  /** What the recipient of a gift would see. Nothing is ordered, nothing is sent. */
  preview(draft: GiftDraft, options: CallOptions = {}): Promise<GiftPreview> {
    return this.call('POST /gifts/preview', { body: draft }, options);
  }

  /** Emails what a recipient would get to the caller's own address. Its link and its code open no gift. */
  test(draft: GiftDraft, options: CallOptions = {}): Promise<GiftTest> {
    return this.call('POST /gifts/test', { body: draft }, options);
  }

  /** Emails a gift once more, with the same link and code. */
  resend(id: number, options: KeyOptions = {}): Promise<GiftDetails & Replayed> {
    return this.callWithKey('POST /gifts/{id}/resend', { path: { id } }, options);
  }

  /** Emails a gift to another address, with a new link and a new code. The earlier ones end at once. */
  correct(id: number, correction: GiftCorrection, options: CallOptions = {}): Promise<GiftDetails> {
    return this.call('POST /gifts/{id}/correct', { path: { id }, body: correction }, options);
  }

  /** The gift can no longer be claimed, and no email about it is sent. A claimed gift cannot be cancelled. */
  cancel(id: number, options: CallOptions = {}): Promise<GiftDetails> {
    return this.call('POST /gifts/{id}/cancel', { path: { id } }, options);
  }

  /** Lets a gift be claimed for longer, or for good. One that has expired can be claimed again. */
  extend(id: number, extension: GiftExtension, options: CallOptions = {}): Promise<GiftDetails> {
    return this.call('POST /gifts/{id}/extend', { path: { id }, body: extension }, options);
  }

  /** Gifts on paper, as an HTML document to print. It shows the secret tokens of the gifts. */
  print(query: PrintQuery, options: CallOptions = {}): Promise<string> {
    return this.text('GET /gifts/print', { query }, 'text/html', options);
  }

  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;
}
