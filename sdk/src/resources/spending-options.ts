import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { SpendingOption, SpendingOptionList, SpendingOptionSetting } from '../types.ts';

/** How recipients can spend their gifts. */
export class SpendingOptions extends Resource {
  /** All spending options, also those that are off, and the kinds that they can have, with their defaults. */
  list(options: CallOptions = {}): Promise<SpendingOptionList> {
    return this.call('GET /spending-options', {}, options);
  }

  /** Adds a spending option or replaces it. What was spent before stays as it was. */
  update(id: string, setting: SpendingOptionSetting, options: CallOptions = {}): Promise<SpendingOption> {
    return this.call('PUT /spending-options/{id}', { path: { id }, body: setting }, options);
  }

  /** @deprecated Use `update`. */
  readonly set = this.update;
}
