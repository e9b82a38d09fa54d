import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { AddedCodes, CodeRemoval, NewPool, Pool, PoolChange, RemovedCodes } from '../types.ts';

/** Codes of shops that a company bought for its recipients. */
export class Pools extends Resource {
  /** All pools with what is left in them, by name. */
  async list(options: CallOptions = {}): Promise<Pool[]> {
    return (await this.call('GET /pools', {}, options)).pools;
  }

  /** One pool with what is left in it. */
  retrieve(id: number, options: CallOptions = {}): Promise<Pool> {
    return this.call('GET /pools/{id}', { path: { id } }, options);
  }

  /** Adds a pool. Recipients see it when a spending option names it. */
  create(pool: NewPool, options: CallOptions = {}): Promise<Pool> {
    return this.call('POST /pools', { body: pool, once: true }, options);
  }

  /** Changes the name of a pool, or how few codes count as low. */
  update(id: number, change: PoolChange, options: CallOptions = {}): Promise<Pool> {
    return this.call('PATCH /pools/{id}', { path: { id }, body: change }, options);
  }

  /** Adds the codes of a CSV file: retailer, value, code, pin, expiry. All of them, or none if a line is invalid. */
  addCodes(id: number, file: string | Uint8Array<ArrayBuffer> | Blob, options: CallOptions = {}): Promise<AddedCodes> {
    const raw = { type: 'text/csv', content: file };
    return this.call('POST /pools/{id}/codes', { path: { id }, raw, once: true }, options);
  }

  /** Removes unassigned codes: all of a pool, or those of a retailer or a value. */
  removeCodes(id: number, which: CodeRemoval = {}, options: CallOptions = {}): Promise<RemovedCodes> {
    return this.call('DELETE /pools/{id}/codes', { path: { id }, query: which }, options);
  }

  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;

  /** @deprecated Use `create`. */
  readonly add = this.create;

  /** @deprecated Use `update`. */
  readonly change = this.update;
}
