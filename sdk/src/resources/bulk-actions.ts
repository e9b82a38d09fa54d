import type { KeyOptions, Replayed } from '../idempotency.ts';
import { eachElement, usualSize } from '../paging.ts';
import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type {
  BulkAction,
  BulkActionPage,
  BulkActionQuery,
  BulkGift,
  BulkGiftPage,
  BulkGiftQuery,
  NewBulkAction,
} from '../types.ts';

/** Cancels, resends and extensions of many gifts. */
export class BulkActions extends Resource {
  /** Cancels, resends or extends all gifts that fit, in the background. */
  create(action: NewBulkAction, options: KeyOptions = {}): Promise<BulkAction & Replayed> {
    return this.callWithKey('POST /bulk-actions', { body: action }, options);
  }

  /** How far a bulk action is, and what came of it. */
  retrieve(id: number, options: CallOptions = {}): Promise<BulkAction> {
    return this.call('GET /bulk-actions/{id}', { path: { id } }, options);
  }

  /** A page of bulk actions, the newest first. */
  list(query: BulkActionQuery = {}, options: CallOptions = {}): Promise<BulkActionPage> {
    return this.call('GET /bulk-actions', { query }, options);
  }

  /** A page of the gifts of a bulk action, with what came of each. */
  gifts(id: number, query: BulkGiftQuery = {}, options: CallOptions = {}): Promise<BulkGiftPage> {
    return this.call('GET /bulk-actions/{id}/gifts', { path: { id }, query }, options);
  }

  /** All gifts of a bulk action, for `for await`. */
  allGifts(
    id: number,
    { size = usualSize, ...filters }: BulkGiftQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<BulkGift, void> {
    return eachElement(
      (page) => this.gifts(id, { ...filters, page, size }, options),
      ({ gifts }) => gifts,
    );
  }
}
