import { createHash } from 'node:crypto';
import { Failure } from '../../ground/errors.ts';

/** A resource's version: equal for equal states, on every node. */
export function versionOf(row: object): string {
  return `W/"${createHash('sha256').update(JSON.stringify(row)).digest('base64url').slice(0, 22)}"`;
}

export function isVersion(tags: string, version: string): boolean {
  return tags.trim() === '*' || tags.split(',').some((tag) => opaque(tag) === opaque(version));
}

/** Refuses a write whose If-Match names another version than the current one. */
export function checkVersion(ifMatch: string | undefined, row: object): void {
  if (ifMatch !== undefined && !isVersion(ifMatch, versionOf(row)))
    throw new Failure(
      'precondition',
      'The resource has changed since you read it: read it again and repeat the change.',
    );
}

function opaque(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
