import type { CallOptions, Transport } from '../transport.ts';
import type { AddedCodes, CodeRemoval, NewPool, Pool, PoolChange, RemovedCodes } from '../types.ts';

/** Codes of shops that a company bought for its recipients. */
export class Pools {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All pools with what is left in them, by name. */
  async list({ signal }: CallOptions = {}): Promise<Pool[]> {
    const call = { method: 'GET', path: '/pools', signal } as const;
    return (await this.#transport.json<{ pools: Pool[] }>(call)).body.pools;
  }

  /** One pool with what is left in it. */
  async get(id: number, { signal }: CallOptions = {}): Promise<Pool> {
    return (await this.#transport.json<Pool>({ method: 'GET', path: `/pools/${id}`, signal })).body;
  }

  /** Adds a pool. Recipients see it when a way to spend names it. */
  async add(pool: NewPool, { signal }: CallOptions = {}): Promise<Pool> {
    const call = { method: 'POST', path: '/pools', body: pool, once: true, signal } as const;
    return (await this.#transport.json<Pool>(call)).body;
  }

  /** Changes the name of a pool, or how few codes count as low. */
  async change(id: number, change: PoolChange, { signal }: CallOptions = {}): Promise<Pool> {
    const call = { method: 'PATCH', path: `/pools/${id}`, body: change, signal } as const;
    return (await this.#transport.json<Pool>(call)).body;
  }

  /** Adds the codes of a CSV file: retailer, value, code, pin, expiry. All of them, or none if a line is at fault. */
  async addCodes(
    id: number,
    file: string | Uint8Array<ArrayBuffer> | Blob,
    { signal }: CallOptions = {},
  ): Promise<AddedCodes> {
    const raw = { type: 'text/csv', content: file };
    const call = { method: 'POST', path: `/pools/${id}/codes`, raw, once: true, signal } as const;
    return (await this.#transport.json<AddedCodes>(call)).body;
  }

  /** Removes codes that nobody has got: all of a pool, or those of a retailer or a value. */
  async removeCodes(id: number, which: CodeRemoval = {}, { signal }: CallOptions = {}): Promise<RemovedCodes> {
    const call = { method: 'DELETE', path: `/pools/${id}/codes`, query: { ...which }, signal } as const;
    return (await this.#transport.json<RemovedCodes>(call)).body;
  }
}
