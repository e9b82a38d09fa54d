import { type KeyOptions, keyOf, type Replayed, withReplayed } from '../idempotency.ts';
import { usualSize } from '../paging.ts';
import type { CallOptions, Transport } from '../transport.ts';
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
  PrintQuery,
} from '../types.ts';

/** Where each gift stands, and how to put right what went wrong. */
export class Gifts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A page of gifts, the newest first. */
  async list(query: GiftQuery = {}, { signal }: CallOptions = {}): Promise<GiftPage> {
    return (await this.#transport.json<GiftPage>({ method: 'GET', path: '/gifts', query, signal })).body;
  }

  /** All gifts that fit, for `for await`. Those that are ordered meanwhile are left out. */
  async *all(filters: GiftQuery = {}, options: CallOptions = {}): AsyncGenerator<Gift, void> {
    let page = await this.list({ size: usualSize, ...filters }, options);
    yield* page.gifts;
    while (page.next !== null) {
      page = await this.list({ size: usualSize, ...filters, after: page.next }, options);
      yield* page.gifts;
    }
  }

  /** All gifts that fit as a CSV file, as it comes. A workspace can read two files at once. */
  csv(
    query: Omit<GiftQuery, 'size' | 'after'> & CsvQuery = {},
    { signal }: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.#transport.bytes({ method: 'GET', path: '/gifts', headers: { Accept: 'text/csv' }, query, signal });
  }

  /** Where one gift stands and everything that happened to it. */
  async get(id: number, { signal }: CallOptions = {}): Promise<GiftDetails> {
    return (await this.#transport.json<GiftDetails>({ method: 'GET', path: `/gifts/${id}`, signal })).body;
  }

  /** What the recipient of a gift would see. Nothing is ordered, nothing is sent. */
  async preview(draft: GiftDraft, { signal }: CallOptions = {}): Promise<GiftPreview> {
    const call = { method: 'POST', path: '/gifts/preview', body: draft, signal } as const;
    return (await this.#transport.json<GiftPreview>(call)).body;
  }

  /** Mails what a recipient would get to the caller's own address. Its link and its code open no gift. */
  async test(draft: GiftDraft, { signal }: CallOptions = {}): Promise<GiftTest> {
    const call = { method: 'POST', path: '/gifts/test', body: draft, signal } as const;
    return (await this.#transport.json<GiftTest>(call)).body;
  }

  /** Mails a gift once more, with the same link and code. */
  async resend(id: number, options: KeyOptions = {}): Promise<GiftDetails & Replayed> {
    const call = { method: 'POST', path: `/gifts/${id}/resend`, signal: options.signal } as const;
    return withReplayed(await this.#transport.json<GiftDetails>({ ...call, idempotencyKey: keyOf(options) }), options);
  }

  /** Mails a gift to another address, with a new link and a new code. The earlier ones end at once. */
  correct(id: number, correction: GiftCorrection, options: CallOptions = {}): Promise<GiftDetails> {
    return this.#post(id, 'correct', { ...options, body: correction });
  }

  /** Nobody can claim the gift, and no mail about it is sent. A claimed gift cannot be cancelled. */
  cancel(id: number, options: CallOptions = {}): Promise<GiftDetails> {
    return this.#post(id, 'cancel', options);
  }

  /** Lets a gift be claimed for longer, or for good. One that has expired can be claimed again. */
  extend(id: number, extension: GiftExtension, options: CallOptions = {}): Promise<GiftDetails> {
    return this.#post(id, 'extend', { ...options, body: extension });
  }

  /** Gifts on paper, as an HTML document to print. It shows the secret tokens of the gifts. */
  print(query: PrintQuery, { signal }: CallOptions = {}): Promise<string> {
    return this.#transport.text({
      method: 'GET',
      path: '/gifts/print',
      query,
      headers: { Accept: 'text/html' },
      signal,
    });
  }

  /** The same request once more changes nothing, so it can be repeated without a key. */
  async #post(id: number, verb: string, options: CallOptions & { body?: unknown }): Promise<GiftDetails> {
    return (await this.#transport.json<GiftDetails>({ method: 'POST', path: `/gifts/${id}/${verb}`, ...options })).body;
  }
}
