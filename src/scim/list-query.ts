import type { Document } from './attributes.ts';
import { ScimFailure } from './failure.ts';
import type { ListQuery } from './list.ts';
import type { Projection } from './projection.ts';

export const maxCount = 1_000;
const defaultCount = 100;

/** What RFC 7644 allows in the query of a list: numbers out of range count as the nearest that is in it. */
export function readListQuery(query: Document): ListQuery {
  const filter = readText(query, 'filter');
  return {
    filter: filter?.trim() ? filter : null,
    startIndex: Math.max(1, readInteger(query, 'startIndex') ?? 1),
    count: Math.min(maxCount, Math.max(0, readInteger(query, 'count') ?? defaultCount)),
  };
}

export function readProjection(query: Document): Projection {
  const names = (key: string) =>
    (readText(query, key) ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
  return { attributes: names('attributes'), excludedAttributes: names('excludedAttributes') };
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
