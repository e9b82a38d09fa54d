import { Resource } from '../resource.ts';

/** What recipients ask for, and the people team fulfils or declines. */
export class SpendingRequests extends Resource {
  /** Says that what a recipient asked for is done. `id` is that of the redemption. */
  readonly fulfil = this.method('POST /redemptions/{id}/fulfil', 'body');
  /** Says that what a recipient asked for is not possible: the gift has its balance back. */
  readonly decline = this.method('POST /redemptions/{id}/decline', 'body');
}
