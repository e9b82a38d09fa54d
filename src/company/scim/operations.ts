import { parse } from 'scim2-parse-filter';
import { Failure } from '../../ground/errors.ts';
import { isObject } from '../../ground/values/differences.ts';
import { beginningOf } from '../../ground/values/text.ts';
import { type Document, findAttribute, tidyValue } from './attributes.ts';
import { ScimFailure } from './failure.ts';
import { type Attribute, allAttributes, type ScimSchema } from './schemas.ts';

export interface PatchOperation {
  op: 'add' | 'remove' | 'replace';
  schema: ScimSchema;
  attribute: Attribute;
  /** The filter in brackets behind the attribute. */
  filter: string | null;
  part: Attribute | null;
  /** Null without a value, or if the attribute is to be cleared. */
  value: unknown;
}

const maxOperations = 1_000;
const maxPathLength = 1_000;

/**
 * The operations of a PATCH, each about one attribute that Giftwire keeps. Understands the forms that identity providers send:
 * names in any case, no path and an object whose keys are paths, a whole extension, texts in place of booleans, and the forms
 * that `unwrap` handles. Attributes of SCIM that Giftwire does not keep, and those of other extensions, are ignored. Attributes
 * that SCIM does not have, or that only the server writes, are refused.
 */
export function readOperations(
  body: unknown,
  core: ScimSchema,
  extensions: readonly ScimSchema[] = [],
): PatchOperation[] {
  const list = isObject(body) ? Object.entries(body).find(([key]) => key.toLowerCase() === 'operations')?.[1] : null;
  if (!Array.isArray(list) || list.length === 0)
    throw new ScimFailure('invalid', 'invalidSyntax', 'The body must have a list of Operations.');
  if (countOperations(list) > maxOperations)
    throw new Failure(
      'tooLarge',
      `A PATCH may have at most ${maxOperations} operations, and as many attributes in all.`,
    );
  const schemas = [core, ...extensions];
  return list.flatMap((sent) => {
    const { op, path, value } = readOperation(sent);
    return expand(schemas, op, path, value);
  });
}

/** The number of operations after objects are expanded to one operation for each attribute. */
function countOperations(list: readonly unknown[]): number {
  let count = 0;
  for (const sent of list)
    for (const part of isObject(sent) && isObject(sent.value) ? Object.values(sent.value) : [null])
      count += isObject(part) ? Object.keys(part).length : 1;
  return count;
}

interface Sent {
  op: PatchOperation['op'];
  path: string | null;
  value: unknown;
}

function readOperation(sent: unknown): Sent {
  const { op, path, value }: Document = isObject(sent) ? sent : {};
  const name = typeof op === 'string' ? op.toLowerCase() : null;
  if (name !== 'add' && name !== 'remove' && name !== 'replace')
    throw new ScimFailure('invalid', 'invalidSyntax', 'The op of an operation must be add, remove or replace.');
  if (path !== undefined && path !== null && typeof path !== 'string') throw badPath();
  if (name === 'remove' && !path)
    throw new ScimFailure('invalid', 'noTarget', 'An operation that removes must say what, with a path.');
  if (name !== 'remove' && value === undefined)
    throw new ScimFailure('invalid', 'invalidValue', 'An operation that adds or replaces must have a value.');
  return { op: name, path: path || null, value: value ?? null };
}

function expand(schemas: readonly ScimSchema[], op: Sent['op'], path: string | null, value: unknown): PatchOperation[] {
  const whole = path === null ? null : schemas.find(({ id }) => id.toLowerCase() === path.toLowerCase());
  if (path !== null && !whole) return resolve(schemas, op, path, value);
  if (whole && op === 'remove')
    return whole.attributes
      .filter((attribute) => !isReadOnly(attribute))
      .flatMap(({ name }) => resolve([whole], op, `${whole.id}:${name}`, null));
  if (!isObject(value))
    throw new ScimFailure('invalid', 'invalidValue', 'An operation without a path must have an object as its value.');
  return Object.entries(value).flatMap(([key, part]) => {
    if (whole) return resolve([whole], op, `${whole.id}:${key}`, part);
    if (envelope.has(key.toLowerCase())) return [];
    return isObject(part) && schemas.some(({ id }) => id.toLowerCase() === key.toLowerCase())
      ? expand(schemas, op, key, part)
      : resolve(schemas, op, key, part);
  });
}

/** Attributes of every resource, which Okta (id) and others send along with what they replace. */
const envelope = new Set(['schemas', 'id', 'meta']);

const pathForm = /^(?:(urn:[\w.:-]+):)?(\$?\w+)(?:\[(.+)\])?(?:\.(\$?\w+))?$/i;

function resolve(schemas: readonly ScimSchema[], op: Sent['op'], path: string, value: unknown): PatchOperation[] {
  const match = path.length <= maxPathLength ? pathForm.exec(path.trim()) : null;
  if (!match) throw badPath();
  const [, urn, name = '', filter = null, partName] = match;
  // Clients also send an extension's attribute without its schema.
  const schema = schemas.find(({ id, attributes }) =>
    urn ? id.toLowerCase() === urn.toLowerCase() : findAttribute(attributes, name),
  );
  const attribute = findAttribute(schema?.attributes, name);
  if (!schema || !attribute) return leaveOut(schemas, path, urn, name, partName);
  if (isReadOnly(attribute)) throw readOnly(path);
  const part = partName === undefined ? null : (findAttribute(attribute.subAttributes, partName) ?? null);
  if (partName !== undefined && !part) return leaveOut(schemas, path, urn, name, partName);
  if (part && isReadOnly(part)) throw readOnly(path);
  const target = { schema, attribute, filter: filter === null ? null : tidyFilter(filter) };
  // One operation for each sub-attribute of a filtered value: if the value is missing, the first one adds it.
  if (filter !== null && !part && op !== 'remove' && isObject(value))
    return Object.entries(value).flatMap(([key, one]) => resolve(schemas, op, `${path}.${key}`, one));
  const told = part ?? attribute;
  const tidied = tidyValue(told, unwrap(told, value), part ? `${attribute.name}.${part.name}` : attribute.name);
  if (tidied === null && op === 'add') return [];
  return [{ ...target, op: tidied === null ? 'remove' : op, part, value: tidied }];
}

/**
 * Unwraps the forms in which Entra ID sends a single value: a list of one object around it, and a manager as plain text.
 */
function unwrap(attribute: Attribute, value: unknown): unknown {
  if (attribute.config.multiValued) return value;
  const isListOfOne = Array.isArray(value) && value.length === 1 && isObject(value[0]);
  const one: unknown = isListOfOne ? value[0] : value;
  if (attribute.type !== 'complex') return isListOfOne && isObject(one) && 'value' in one ? one.value : value;
  return typeof one === 'string' && findAttribute(attribute.subAttributes, 'value') ? { value: one } : one;
}

function isReadOnly({ name, config }: Attribute): boolean {
  return config.mutable === false || envelope.has(name);
}

/** Ignores an attribute that SCIM has and Giftwire does not keep; refuses any other. */
function leaveOut(
  schemas: readonly ScimSchema[],
  path: string,
  urn: string | undefined,
  name: string,
  partName: string | undefined,
): PatchOperation[] {
  const own = schemas.filter(({ id }) => !urn || id.toLowerCase() === urn.toLowerCase());
  if (urn && own.length === 0) return [];
  const attribute = own
    .map((schema) => findAttribute(allAttributes.get(schema) ?? schema.attributes, name))
    .find((found) => found);
  if (attribute && (partName === undefined || findAttribute(attribute.subAttributes, partName))) return [];
  throw new ScimFailure('invalid', 'invalidPath', `There is no attribute ${beginningOf(path, 100)}.`);
}

function readOnly(path: string): ScimFailure {
  return new ScimFailure('invalid', 'mutability', `${beginningOf(path, 100)} is read-only.`);
}

const textBoolean = /\b(primary\s+(?:eq|ne)\s+)"?(true|false)"?/gi;

function tidyFilter(filter: string): string {
  const tidied = filter.replace(textBoolean, (_match, before: string, value: string) => before + value.toLowerCase());
  try {
    parse(tidied);
  } catch {
    throw badPath();
  }
  return tidied;
}

function badPath(): ScimFailure {
  return new ScimFailure('invalid', 'invalidPath', 'The path of an operation is not one that SCIM has.');
}
