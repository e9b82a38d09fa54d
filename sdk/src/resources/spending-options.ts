import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { SpendingOption, SpendingOptionSetting } from '../types.ts';

/** How recipients can spend their gifts. */
export class SpendingOptions extends Resource {
  /** All spending options, also those that are off. */
  async list(options: CallOptions = {}): Promise<SpendingOption[]> {
    return (await this.call('GET /spending-options', {}, options)).spendingOptions;
  }

  /** Adds a spending option or replaces it. What was spent before stays as it was. */
  set(id: string, setting: SpendingOptionSetting, options: CallOptions = {}): Promise<SpendingOption> {
    return this.call('PUT /spending-options/{id}', { path: { id }, body: setting }, options);
  }
}
