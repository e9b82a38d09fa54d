import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { AddedCodes } from '../types.ts';

/** Codes of shops that a company bought for its recipients. */
export class Pools extends Resource {
  /** All pools with what is left in them, by name. */
  readonly list = this.part('pools', 'GET /pools');
  /** One pool with what is left in it. */
  readonly retrieve = this.method('GET /pools/{id}');
  /** Adds a pool. Recipients see it when a spending option names it. */
  readonly create = this.method('POST /pools', 'body', { once: true });
  /** Changes the name of a pool, or how few codes count as low. */
  readonly update = this.method('PATCH /pools/{id}', 'body');

  /** Adds the codes of a CSV file: retailer, value, code, pin, expiry. All of them, or none if a line is invalid. */
  addCodes(id: number, file: string | Uint8Array<ArrayBuffer> | Blob, options: CallOptions = {}): Promise<AddedCodes> {
    const raw = { type: 'text/csv', content: file };
    return this.call('POST /pools/{id}/codes', { path: { id }, raw, once: true }, options);
  }

  /** Removes unassigned codes: all of a pool, or those of a retailer or a value. */
  readonly removeCodes = this.method('DELETE /pools/{id}/codes', 'query');
  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;
  /** @deprecated Use `create`. */
  readonly add = this.create;
  /** @deprecated Use `update`. */
  readonly change = this.update;
}
