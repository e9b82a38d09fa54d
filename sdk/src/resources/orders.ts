import { type GiftwireError, OrderError } from '../error.ts';
import type { KeyOptions, Replayed } from '../idempotency.ts';
import { eachElement, usualSize } from '../paging.ts';
import { Resource } from '../resource.ts';
import { limitTime, pause } from '../time.ts';
import { type CallOptions, headerBytes } from '../transport.ts';
import type { Certificate, OrderRecord, OrderRequest, OrderRequestStatus } from '../types.ts';

/** What can go with a new order. */
export interface CreateOrderOptions extends KeyOptions {
  /** A reference of your own: 1 to 255 characters, returned as `customerRequestId`. It need not be unique. */
  customerRequestId?: string | undefined;
}

/** How to wait for an order. */
export interface WaitOptions extends CallOptions {
  /** How long to wait; a minute when absent. The order continues after that. */
  timeoutMs?: number | undefined;
}

const firstPollMs = 50;
const longestPollMs = 2_000;
/** An order has at most as many gifts as a page can hold. */
const wholeOrder = 1_000;

/** Send gifts, follow the orders, read their certificates. */
export class Orders extends Resource {
  /** Orders 1 to 1,000 gifts. Giftwire stores the order, answers at once and issues the gifts in the background. */
  create(order: OrderRequest, options: CreateOrderOptions = {}): Promise<OrderRequestStatus & Replayed> {
    const { customerRequestId: reference } = options;
    const headers: Record<string, string> =
      reference === undefined ? {} : { 'X-Customer-Request-Id': headerBytes(reference) };
    return this.callWithKey('POST /orders', { body: order, headers }, options);
  }

  /** Makes every check of an order and stores nothing. Faults are part of the answer. */
  readonly validate = this.method('POST /orders/validate', 'body');
  /** A page of orders, the newest first. */
  readonly list = this.method('GET /orders', 'query');
  /** All orders that fit, for `for await`. Those that are accepted meanwhile are left out. */
  readonly all = this.eachAfter('GET /orders', 'orders');
  /** What was ordered, and why it failed if it did, with a page of its lines and without secret tokens. */
  readonly details = this.method('GET /orders/{requestId}/details', 'query');
  /** Opens a failed order again. */
  readonly retry = this.method('POST /orders/{requestId}/retry', null, { once: true });
  /** How far an order has come. */
  readonly status = this.method('GET /orders/status/{requestId}');
  /** An order with a page of its certificates. */
  readonly retrieve = this.method('GET /orders/{requestId}', 'query');

  /** All certificates of an order, for `for await`. */
  certificates(requestId: string, options: CallOptions = {}): AsyncGenerator<Certificate, void> {
    return eachElement(
      (page) => this.retrieve(requestId, { page, size: usualSize }, options),
      ({ certificates }) => certificates,
    );
  }

  /**
   * Waits until the gifts are issued and returns the order with all its certificates. While the service is away it keeps
   * asking. Throws a GiftwireError of type `order_failed` or `still_pending` otherwise.
   */
  waitFor(requestId: string, options: WaitOptions = {}): Promise<OrderRecord> {
    return this.#whenIssued(requestId, options, (_, signal) =>
      this.retrieve(requestId, { size: wholeOrder }, { signal }),
    );
  }

  /** Waits like `waitFor`, and reads no codes of gifts. The audit log names callers who read codes. */
  issued(requestId: string, options: WaitOptions = {}): Promise<OrderRequestStatus> {
    return this.#whenIssued(requestId, options, async (status) => status);
  }

  async #whenIssued<T>(
    requestId: string,
    options: WaitOptions,
    read: (status: OrderRequestStatus, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const limit = limitTime(options.timeoutMs ?? 60_000, options.signal, () => stillPending(requestId));
    const { signal } = limit;
    const ask = { path: { requestId }, retries: Number.POSITIVE_INFINITY };
    try {
      for (let pollMs = firstPollMs; ; pollMs = Math.min(longestPollMs, pollMs * 1.5)) {
        const status = await this.call('GET /orders/status/{requestId}', ask, { signal });
        if (status.requestStatus === 'FAILED') throw failed(requestId);
        if (status.requestStatus === 'COMPLETED') return await read(status, signal);
        await pause(pollMs, signal);
      }
    } finally {
      limit.end();
    }
  }

  /** @deprecated Use `retrieve`. */
  readonly find = this.retrieve;
}

function failed(requestId: string): GiftwireError {
  return new OrderError('order_failed', `The order ${requestId} has failed: none of its gifts was issued.`);
}

function stillPending(requestId: string): GiftwireError {
  return new OrderError('still_pending', `The order ${requestId} is not finished yet: wait for it again later.`);
}
