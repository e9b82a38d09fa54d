import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { SpendingRequest, SpendingRequestDecision } from '../types.ts';

/** What recipients ask for, and the people team fulfils or declines. */
export class SpendingRequests extends Resource {
  /** Says that what a recipient asked for is done. `id` is that of the redemption. */
  fulfil(id: number, decision: SpendingRequestDecision = {}, options: CallOptions = {}): Promise<SpendingRequest> {
    return this.call('POST /redemptions/{id}/fulfil', { path: { id }, body: decision }, options);
  }

  /** Says that what a recipient asked for is not possible: the gift has its balance back. */
  decline(id: number, decision: SpendingRequestDecision = {}, options: CallOptions = {}): Promise<SpendingRequest> {
    return this.call('POST /redemptions/{id}/decline', { path: { id }, body: decision }, options);
  }
}
