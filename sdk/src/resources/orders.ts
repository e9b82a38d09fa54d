import { GiftwireError } from '../error.ts';
import { type KeyOptions, keyOf, type Replayed, withReplayed } from '../idempotency.ts';
import { eachElement, usualSize } from '../paging.ts';
import { limitTime, pause } from '../time.ts';
import { type CallOptions, headerBytes, type Transport } from '../transport.ts';
import type {
  Certificate,
  OrderDetails,
  OrderListQuery,
  OrderPage,
  OrderRecord,
  OrderRequest,
  OrderRequestStatus,
  OrderSummary,
  OrderValidation,
  PageQuery,
} from '../types.ts';

/** What can go with a new order. */
export interface CreateOrderOptions extends KeyOptions {
  /** A reference of your own: 1 to 255 characters, returned as `customerRequestId`. It need not be unique. */
  customerRequestId?: string | undefined;
}

/** How to wait for an order. */
export interface WaitOptions extends CallOptions {
  /** How long to wait; a minute when absent. The order goes on after that too. */
  timeoutMs?: number | undefined;
}

const firstPollMs = 50;
const longestPollMs = 2_000;
/** An order has at most as many gifts as a page can hold. */
const wholeOrder = 1_000;

/** Send gifts, follow the orders, read their certificates. */
export class Orders {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Orders 1 to 1,000 gifts. Giftwire stores the order, answers at once and issues the gifts in the background. */
  async create(order: OrderRequest, options: CreateOrderOptions = {}): Promise<OrderRequestStatus & Replayed> {
    const { customerRequestId: reference, signal } = options;
    const answer = await this.#transport.json<OrderRequestStatus>({
      method: 'POST',
      path: '/orders',
      body: order,
      idempotencyKey: keyOf(options),
      headers: reference === undefined ? {} : { 'X-Customer-Request-Id': headerBytes(reference) },
      signal,
    });
    return withReplayed(answer, options);
  }

  /** Makes every check of an order and stores nothing. Faults are part of the answer. */
  async validate(order: OrderRequest, { signal }: CallOptions = {}): Promise<OrderValidation> {
    const call = { method: 'POST', path: '/orders/validate', body: order, signal } as const;
    return (await this.#transport.json<OrderValidation>(call)).body;
  }

  /** A page of orders, the newest first. */
  async list(query: OrderListQuery = {}, { signal }: CallOptions = {}): Promise<OrderPage> {
    return (await this.#transport.json<OrderPage>({ method: 'GET', path: '/orders', query, signal })).body;
  }

  /** All orders that fit, for `for await`. Those that are accepted meanwhile are left out. */
  async *all(filters: OrderListQuery = {}, options: CallOptions = {}): AsyncGenerator<OrderSummary, void> {
    let page = await this.list({ size: usualSize, ...filters }, options);
    yield* page.orders;
    while (page.next !== null) {
      page = await this.list({ size: usualSize, ...filters, after: page.next }, options);
      yield* page.orders;
    }
  }

  /** What was ordered, and why it failed if it did, with a page of its lines and without secret tokens. */
  async details(requestId: string, query: PageQuery = {}, { signal }: CallOptions = {}): Promise<OrderDetails> {
    const path = `/orders/details/${encodeURIComponent(requestId)}`;
    return (await this.#transport.json<OrderDetails>({ method: 'GET', path, query, signal })).body;
  }

  /** Opens a failed order again. */
  async retry(requestId: string, { signal }: CallOptions = {}): Promise<OrderRequestStatus> {
    const path = `/orders/retry/${encodeURIComponent(requestId)}`;
    return (await this.#transport.json<OrderRequestStatus>({ method: 'POST', path, once: true, signal })).body;
  }

  /** How far an order has come. */
  async status(requestId: string, { signal }: CallOptions = {}): Promise<OrderRequestStatus> {
    return (await this.#transport.json<OrderRequestStatus>({ ...statusOf(requestId), signal })).body;
  }

  /** An order with a page of its certificates. */
  async find(requestId: string, query: PageQuery = {}, { signal }: CallOptions = {}): Promise<OrderRecord> {
    const path = `/orders/${encodeURIComponent(requestId)}`;
    return (await this.#transport.json<OrderRecord>({ method: 'GET', path, query, signal })).body;
  }

  /** All certificates of an order, for `for await`. */
  certificates(requestId: string, options: CallOptions = {}): AsyncGenerator<Certificate, void> {
    return eachElement(
      (page) => this.find(requestId, { page, size: usualSize }, options),
      ({ certificates }) => certificates,
    );
  }

  /**
   * Waits until the gifts are issued and returns the order with all its certificates. While the service is away it goes on
   * asking. Throws a GiftwireError of type `order_failed` or `still_pending` otherwise.
   */
  async waitFor(requestId: string, options: WaitOptions = {}): Promise<OrderRecord> {
    const limit = limitTime(options.timeoutMs ?? 60_000, options.signal, () => stillPending(requestId));
    const { signal } = limit;
    const ask = { ...statusOf(requestId), signal, retries: Number.POSITIVE_INFINITY };
    try {
      for (let pollMs = firstPollMs; ; pollMs = Math.min(longestPollMs, pollMs * 1.5)) {
        const { requestStatus } = (await this.#transport.json<OrderRequestStatus>(ask)).body;
        if (requestStatus === 'FAILED') throw failed(requestId);
        if (requestStatus === 'COMPLETED') return await this.find(requestId, { size: wholeOrder }, { signal });
        await pause(pollMs, signal);
      }
    } finally {
      limit.end();
    }
  }
}

function statusOf(requestId: string) {
  return { method: 'GET', path: `/orders/status/${encodeURIComponent(requestId)}` } as const;
}

function failed(requestId: string): GiftwireError {
  return new GiftwireError('order_failed', `The order ${requestId} has failed: none of its gifts was issued.`);
}

function stillPending(requestId: string): GiftwireError {
  return new GiftwireError('still_pending', `The order ${requestId} is not finished yet: wait for it again later.`);
}
