import type { CallOptions, Transport } from '../transport.ts';
import type { NewReason, Reason, ReasonChange } from '../types.ts';

/** What people are recognized for. */
export class Reasons {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All reasons that are not retired, the default first. */
  async list({ signal }: CallOptions = {}): Promise<Reason[]> {
    const call = { method: 'GET', path: '/reasons', signal } as const;
    return (await this.#transport.json<{ reasons: Reason[] }>(call)).body.reasons;
  }

  /** Adds a reason, or brings a retired one back. */
  async add(reason: NewReason, { signal }: CallOptions = {}): Promise<Reason> {
    const call = { method: 'POST', path: '/reasons', body: reason, once: true, signal } as const;
    return (await this.#transport.json<Reason>(call)).body;
  }

  /** Renames a reason, also in past recognitions, or makes it the default. */
  async change(id: number, change: ReasonChange, { signal }: CallOptions = {}): Promise<Reason> {
    const call = { method: 'PATCH', path: `/reasons/${id}`, body: change, signal } as const;
    return (await this.#transport.json<Reason>(call)).body;
  }

  /** Retires a reason: new shoutouts cannot use it, past recognitions keep it. */
  async retire(id: number, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: `/reasons/${id}`, signal });
  }
}
