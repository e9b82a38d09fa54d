import type { Fault } from '../../../ground/errors.ts';

export const invalidFieldsHeader = 'X-Invalid-Fields';

/** More would make the headers of a response longer than many clients and proxies accept. */
const mostPaths = 100;
const mostCharacters = 4_000;

/**
 * The paths of invalid inputs as the value of a header, separated by commas; null if no path is known. Characters that a header
 * or the list cannot have are encoded as in a URL.
 */
export function invalidFields(faults: readonly Fault[]): string | null {
  const paths = [...new Set(faults.map(({ path }) => path))].filter((path) => path !== 'The body').map(encoded);
  let text = '';
  for (const path of paths.slice(0, mostPaths)) {
    if (text.length + path.length > mostCharacters) break;
    text += text === '' ? path : `, ${path}`;
  }
  return text === '' ? null : text;
}

function encoded(path: string): string {
  return path.toWellFormed().replace(/[^\w.[\]-]/gu, encodeURIComponent);
}
