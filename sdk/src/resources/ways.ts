import type { CallOptions, Transport } from '../transport.ts';
import type { Way, WaySetting } from '../types.ts';

/** How recipients can spend their gifts. */
export class Ways {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All ways, also those that are off. */
  async list({ signal }: CallOptions = {}): Promise<Way[]> {
    return (await this.#transport.json<{ ways: Way[] }>({ method: 'GET', path: '/ways', signal })).body.ways;
  }

  /** Adds a way or replaces it. What was spent before stays as it was. */
  async set(id: string, setting: WaySetting, { signal }: CallOptions = {}): Promise<Way> {
    const call = { method: 'PUT', path: `/ways/${encodeURIComponent(id)}`, body: setting, signal } as const;
    return (await this.#transport.json<Way>(call)).body;
  }
}
