import Type, { type Static, type TSchema } from 'typebox';

/** The format `uuid`: not the `urn:uuid:…` that the usual one takes too, and the database does not. */
export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A pattern: anything but control characters. */
export const printable = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** A schema with a name of its own in the OpenAPI document, used by reference. */
export function ref<S extends TSchema & { $id: string }>(schema: S) {
  return Type.Unsafe<Static<S>>({ $ref: `${schema.$id}#` });
}

export function nullable<T>(type: 'string' | 'integer', options: Record<string, unknown> = {}) {
  return Type.Unsafe<T | null>({ type: [type, 'null'], ...options });
}

/** Declares the `$id` on the type, which TypeBox drops. */
export function named<Id extends string, S extends TSchema>($id: Id, schema: S): S & { $id: Id } {
  return Object.assign(schema, { $id });
}

/**
 * The key of a schema's own words for what is wrong with a value, by keyword: `{ [words]: { minItems: '…' } }`. It is a symbol, so
 * that the OpenAPI document does not show it.
 */
export const words = Symbol('words');
