import { Resource } from '../resource.ts';

/** What people are recognized for. */
export class Reasons extends Resource {
  /** All reasons that are not retired, the default first. */
  readonly list = this.part('reasons', 'GET /reasons');
  /** Adds a reason, or brings a retired one back. */
  readonly create = this.method('POST /reasons', 'body', { once: true });
  /** Renames a reason, also in past recognitions, or makes it the default. */
  readonly update = this.method('PATCH /reasons/{id}', 'body');
  /** Retires a reason: new shoutouts cannot use it, past recognitions keep it. */
  readonly delete = this.method('DELETE /reasons/{id}');
  /** @deprecated Use `create`. */
  readonly add = this.create;
  /** @deprecated Use `update`. */
  readonly change = this.update;
  /** @deprecated Use `delete`. */
  readonly retire = this.delete;
}
