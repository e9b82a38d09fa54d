import { isObject } from '../../ground/values/differences.ts';
import { invalidValue } from './failure.ts';
import type { Attribute, ScimSchema } from './schemas.ts';

export type Document = Record<string, unknown>;

/** Compares attribute names in any case. */
export function findAttribute(attributes: readonly Attribute[] | undefined, name: string): Attribute | undefined {
  return attributes?.find((attribute) => attribute.name?.toLowerCase() === name.toLowerCase());
}

/**
 * Reduces a resource to the attributes that Giftwire keeps, under their exact names. Null and empty values are dropped. Keys
 * that the caller sent are never used as keys.
 */
export function tidyResource(body: Document, core: ScimSchema, extensions: readonly ScimSchema[] = []): Document {
  const document = tidyParts(core.attributes, body, '');
  for (const extension of extensions) {
    const entry = Object.entries(body).find(([key]) => key.toLowerCase() === extension.id.toLowerCase());
    if (isObject(entry?.[1])) document[extension.id] = tidyParts(extension.attributes, entry[1], '');
  }
  return document;
}

/** Far more addresses or pictures than a person has: each operation of a PATCH may look through all of them. */
const maxValues = 100;

/** An attribute's value in the form that its definition requires; null if it is to be cleared. */
export function tidyValue(attribute: Attribute, value: unknown, path: string = attribute.name): unknown {
  if (isEmpty(value)) return null;
  if (attribute.type !== 'complex') return tidyPlain(attribute, value, path);
  if (!attribute.config.multiValued) return tidyComplex(attribute, value, path);
  // Clients send a single value in place of a list of one.
  const values = [value].flat();
  if (attribute.name !== 'members' && values.length > maxValues)
    throw invalidValue(path, `may have at most ${maxValues} values`);
  return values.flatMap((one) => tidyComplex(attribute, one, path) ?? []);
}

function tidyComplex(attribute: Attribute, value: unknown, path: string): Document | null {
  if (isEmpty(value)) return null;
  if (!isObject(value))
    throw invalidValue(path, attribute.config.multiValued ? 'must be a list of objects' : 'must be an object');
  const parts = tidyParts(attribute.subAttributes ?? [], value, `${path}.`);
  return Object.keys(parts).length === 0 ? null : parts;
}

function tidyParts(attributes: readonly Attribute[], value: Document, prefix: string): Document {
  const parts: Document = {};
  for (const [key, part] of Object.entries(value)) {
    const attribute = findAttribute(attributes, key);
    if (!attribute || unread.has(prefix + attribute.name)) continue;
    const tidied = tidyValue(attribute, part, prefix + attribute.name);
    if (tidied !== null) parts[attribute.name] = tidied;
  }
  return parts;
}

/** Attributes that only the server writes: what a caller sends for them is ignored. */
const unread = new Set(['schemas', 'meta', 'id', 'groups', 'manager.$ref']);

function tidyPlain(attribute: Attribute, value: unknown, path: string): unknown {
  if (isEmpty(value)) return null;
  if (attribute.type === 'boolean') {
    const read = typeof value === 'string' ? value.toLowerCase() : value;
    if (read === true || read === 'true') return true;
    if (read === false || read === 'false') return false;
    throw invalidValue(path, 'must be true or false');
  }
  // A number is read with its custom field.
  if (attribute.type === 'decimal' && typeof value === 'number') return value;
  if (typeof value !== 'string') throw invalidValue(path, 'must be text');
  return value.trim() === '' ? null : value.trim();
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}
