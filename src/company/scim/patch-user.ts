import scimPatch from 'scim-patch';
import { scimPlaces } from '../../ground/values/member.ts';
import type { Document } from './attributes.ts';
import { ScimFailure } from './failure.ts';
import type { PatchOperation } from './operations.ts';
import { userSchema } from './schemas.ts';

/**
 * scim-patch looks for the dots of a path in a time that grows with the square of its length. Only a filter can make a path long. A
 * filter of 400 characters still names the longest email address.
 */
const longestFilter = 400;
const maxFiltered = 100;

/** Applies a PATCH to a user's document. Keys that the caller sent are never used as keys: see `tidyValue`. */
export function patchUser(document: Document, operations: readonly PatchOperation[]): Document {
  checkFilters(operations);
  const patched = structuredClone(document);
  const isLeaving = operations.some(({ attribute, value }) => attribute.name === 'active' && value === false);
  for (const operation of operations) apply(patched, operation, isLeaving);
  return patched;
}

function checkFilters(operations: readonly PatchOperation[]): void {
  const filters = operations.flatMap(({ filter }) => filter ?? []);
  if (filters.some((filter) => filter.length > longestFilter))
    throw new ScimFailure(
      'invalid',
      'invalidPath',
      `The filter in the path of an operation may have at most ${longestFilter} characters.`,
    );
  if (filters.length > maxFiltered)
    throw new ScimFailure(
      'invalid',
      'invalidPath',
      `A PATCH of a user may have at most ${maxFiltered} operations with a filter, counting each attribute of a value: send several.`,
    );
}

/** A deactivation succeeds even if another change of the request has no target: `isLeaving` ignores operations without a target. */
function apply(document: Document, operation: PatchOperation, isLeaving: boolean): void {
  const { op, attribute, filter, value } = operation;
  const present = document[attribute.name];
  if (Array.isArray(present) && Array.isArray(value) && filter === null) {
    // Identity providers mean one value of each type (one work address, for instance), so an added value replaces that of its type.
    if (op === 'add')
      document[attribute.name] = present.filter(
        (one) => !value.some((added) => typeOf(added, attribute.name) === typeOf(one, attribute.name)),
      );
    if (op === 'remove') {
      document[attribute.name] = present.filter((one) => !value.some((gone) => gone.value === one.value));
      return;
    }
  }
  const path = pathOf(operation);
  const before = attribute.config.multiValued ? structuredClone(present) : null;
  try {
    scimPatch.scimPatch(
      document as unknown as scimPatch.ScimResource,
      [op === 'remove' ? { op, path } : { op, path, value }],
      { mutateDocument: true, treatMissingAsAdd: op !== 'replace' || filter === null || isKept(operation) },
    );
  } catch (error) {
    if ((op === 'remove' || isLeaving) && error instanceof scimPatch.ScimError) return;
    throw new ScimFailure('invalid', 'noTarget', `Nothing is there to change at ${attributePath(operation)}.`, error);
  }
  keepOnePrimary(document, attribute.name, before);
}

/**
 * Whether a filter names the one value that Giftwire keeps, for example the work address. Entra ID replaces it in users who have none, so it
 * is added. A replace with any other filter that matches nothing has no target (RFC 7644, 3.5.2.3).
 */
function isKept({ attribute, filter }: PatchOperation): boolean {
  const type = /^\s*type eq "(\w+)"\s*$/i.exec(filter ?? '')?.[1]?.toLowerCase();
  return Object.values(scimPlaces).some((place) => place.attribute === attribute.name && place.type === type);
}

/** The type of a value in a list. One without a type has the type that Giftwire keeps. */
function typeOf({ type }: Document, attribute: string): string | undefined {
  const kept = Object.values(scimPlaces).find((place) => place.attribute === attribute)?.type;
  return type === undefined ? kept : String(type).toLowerCase();
}

/** Values that were primary give way to one that an operation has made primary: a list has one at most (RFC 7644, 3.5.2). */
function keepOnePrimary(document: Document, attribute: string, before: unknown): void {
  const values = document[attribute];
  if (!Array.isArray(values) || !Array.isArray(before)) return;
  const primary = values.filter((one) => one.primary === true);
  const former = new Set(before.filter((one) => one.primary === true).map((one) => one.value));
  const next = primary.find((one) => !former.has(one.value));
  if (next) for (const one of primary) if (one !== next) delete one.primary;
}

function pathOf({ schema, attribute, filter, part }: PatchOperation): string {
  const prefix = schema.id === userSchema.id ? '' : `${schema.id}:`;
  return `${prefix}${attribute.name}${filter === null ? '' : `[${filter}]`}${part ? `.${part.name}` : ''}`;
}

function attributePath({ attribute, part }: PatchOperation): string {
  return part ? `${attribute.name}.${part.name}` : attribute.name;
}
