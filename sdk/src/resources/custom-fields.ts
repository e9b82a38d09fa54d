import { Resource } from '../resource.ts';

/** The fields of people that a workspace defines. */
export class CustomFields extends Resource {
  /** All custom fields, in the sequence in which they were added. */
  readonly list = this.part('customFields', 'GET /custom-fields');
  /** One field, and how many people have a value. */
  readonly retrieve = this.method('GET /custom-fields/{key}');
  /** Defines a field. A workspace has up to 20. */
  readonly create = this.method('POST /custom-fields', 'body', { once: true });
  /** Changes the label or the choices. */
  readonly update = this.method('PATCH /custom-fields/{key}', 'body');
  /** Removes a field and all its values. This cannot be undone. */
  readonly delete = this.method('DELETE /custom-fields/{key}');
}
