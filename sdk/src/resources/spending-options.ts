import { Resource } from '../resource.ts';

/** How recipients can spend their gifts. */
export class SpendingOptions extends Resource {
  /** All spending options, also those that are off, and the kinds that they can have, with their defaults. */
  readonly list = this.method('GET /spending-options');
  /** Adds a spending option or replaces it. What was spent before stays as it was. */
  readonly update = this.method('PUT /spending-options/{id}', 'body');
  /** @deprecated Use `update`. */
  readonly set = this.update;
}
