import type { CallOptions, Transport } from '../transport.ts';
import type { Me as Caller } from '../types/me.ts';

/** Who is calling. */
export class Me {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The person or the token that calls, and what they may do in which workspace. */
  async get({ signal }: CallOptions = {}): Promise<Caller> {
    return (await this.#transport.json<Caller>({ method: 'GET', path: '/me', signal })).body;
  }
}
