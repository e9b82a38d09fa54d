import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { NewReason, Reason, ReasonChange } from '../types.ts';

/** What people are recognized for. */
export class Reasons extends Resource {
  /** All reasons that are not retired, the default first. */
  async list(options: CallOptions = {}): Promise<Reason[]> {
    return (await this.call('GET /reasons', {}, options)).reasons;
  }

  /** Adds a reason, or brings a retired one back. */
  create(reason: NewReason, options: CallOptions = {}): Promise<Reason> {
    return this.call('POST /reasons', { body: reason, once: true }, options);
  }

  /** Renames a reason, also in past recognitions, or makes it the default. */
  update(id: number, change: ReasonChange, options: CallOptions = {}): Promise<Reason> {
    return this.call('PATCH /reasons/{id}', { path: { id }, body: change }, options);
  }

  /** Retires a reason: new shoutouts cannot use it, past recognitions keep it. */
  delete(id: number, options: CallOptions = {}): Promise<void> {
    return this.call('DELETE /reasons/{id}', { path: { id } }, options);
  }

  /** @deprecated Use `create`. */
  readonly add = this.create;

  /** @deprecated Use `update`. */
  readonly change = this.update;

  /** @deprecated Use `delete`. */
  readonly retire = this.delete;
}
