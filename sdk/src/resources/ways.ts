import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { Way, WaySetting } from '../types.ts';

/** How recipients can spend their gifts. */
export class Ways extends Resource {
  /** All ways, also those that are off. */
  async list(options: CallOptions = {}): Promise<Way[]> {
    return (await this.call('GET /ways', {}, options)).ways;
  }

  /** Adds a way or replaces it. What was spent before stays as it was. */
  set(id: string, setting: WaySetting, options: CallOptions = {}): Promise<Way> {
    return this.call('PUT /ways/{id}', { path: { id }, body: setting }, options);
  }
}
