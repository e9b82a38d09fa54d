import { isObject } from '../../ground/values/differences.ts';
import type { Document } from './attributes.ts';
import { invalidValue, ScimFailure } from './failure.ts';
import type { ListQuery } from './list.ts';
import type { Projection } from './projection.ts';

export const maxCount = 1_000;
const defaultCount = 100;
/** More than a user or a group has. */
const mostNames = 100;

/** The query parameters of a list, as RFC 7644 has them: numbers out of range are clamped. */
export function readListQuery(query: Document): ListQuery {
  const filter = readText(query, 'filter');
  return {
    filter: filter?.trim() ? filter : null,
    startIndex: Math.max(1, readInteger(query, 'startIndex') ?? 1),
    count: Math.min(maxCount, Math.max(0, readInteger(query, 'count') ?? defaultCount)),
  };
}

export function readProjection(query: Document): Projection {
  const names = (key: string) => tidyNames(key, (readText(query, key) ?? '').split(','));
  return { attributes: names('attributes'), excludedAttributes: names('excludedAttributes') };
}

/** The same in a JSON body of a .search request. */
export function readSearchRequest(body: unknown): { query: ListQuery; projection: Projection } {
  if (!isObject(body)) throw new ScimFailure('invalid', 'invalidSyntax', 'The body must be a JSON object.');
  const { filter, startIndex, count, attributes, excludedAttributes } = body;
  return {
    query: readListQuery({
      filter: checkType('filter', filter, 'string'),
      startIndex: checkType('startIndex', startIndex, 'number')?.toString(),
      count: checkType('count', count, 'number')?.toString(),
    }),
    projection: {
      attributes: readNames('attributes', attributes),
      excludedAttributes: readNames('excludedAttributes', excludedAttributes),
    },
  };
}

function readNames(key: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalidValue(key, 'must be a list of names');
  return tidyNames(
    key,
    value.map((name) => checkType(key, name, 'string') ?? ''),
  );
}

/** Every name is looked for in every document of the answer. */
function tidyNames(key: string, names: readonly string[]): string[] {
  const tidy = [...new Set(names.map((name) => name.trim()))].filter((name) => name !== '');
  if (tidy.length > mostNames) throw invalidValue(key, `may have at most ${mostNames} names`);
  return tidy;
}

function checkType(key: string, value: unknown, type: 'string'): string | undefined;
function checkType(key: string, value: unknown, type: 'number'): number | undefined;
function checkType(key: string, value: unknown, type: 'string' | 'number'): unknown {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== type) throw invalidValue(key, type === 'string' ? 'must be text' : 'must be a whole number');
  return value;
}

export function listResponse(total: number, startIndex: number, documents: readonly Document[]): Document {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex,
    itemsPerPage: documents.length,
    Resources: documents,
  };
}

function readText(query: Document, key: string): string | null {
  const value = query[key] ?? null;
  if (value === null || typeof value === 'string') return value;
  throw new ScimFailure('invalid', 'invalidSyntax', `${key} must be given once.`);
}

function readInteger(query: Document, key: string): number | null {
  const text = readText(query, key)?.trim();
  if (!text) return null;
  if (!/^[+-]?\d{1,15}$/.test(text)) throw new ScimFailure('invalid', 'invalidValue', `${key} must be a whole number.`);
  return Number(text);
}
