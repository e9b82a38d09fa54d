import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { CustomField, CustomFieldChange, CustomFieldRecord, NewCustomField } from '../types.ts';

/** The fields of people that a workspace defines. */
export class CustomFields extends Resource {
  /** All custom fields, in the sequence in which they were added. */
  async list(options: CallOptions = {}): Promise<CustomField[]> {
    return (await this.call('GET /custom-fields', {}, options)).customFields;
  }

  /** One field, and how many people have a value. */
  retrieve(key: string, options: CallOptions = {}): Promise<CustomFieldRecord> {
    return this.call('GET /custom-fields/{key}', { path: { key } }, options);
  }

  /** Defines a field. A workspace has up to 20. */
  create(field: NewCustomField, options: CallOptions = {}): Promise<CustomField> {
    return this.call('POST /custom-fields', { body: field, once: true }, options);
  }

  /** Changes the label or the choices. */
  update(key: string, change: CustomFieldChange, options: CallOptions = {}): Promise<CustomFieldRecord> {
    return this.call('PATCH /custom-fields/{key}', { path: { key }, body: change }, options);
  }

  /** Removes a field and all its values. This cannot be undone. */
  delete(key: string, options: CallOptions = {}): Promise<void> {
    return this.call('DELETE /custom-fields/{key}', { path: { key } }, options);
  }
}
