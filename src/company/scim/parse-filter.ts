import { type Filter, parse } from 'scim2-parse-filter';
import { ScimFailure } from './failure.ts';

const maxTerms = 50;
const longestFilter = 16_000;

/** Reads a filter. Its strings are JSON strings; one with an invalid escape is taken as it is written. */
export function parseFilter(text: string): Filter {
  if (text.length > longestFilter) throw invalidFilter(`A filter may have at most ${longestFilter} characters`);
  const texts: string[] = [];
  // The parser does not decode JSON's escapes. So it gets each string's index in `texts`, and the strings are put back afterwards.
  const marked = text.replace(quotedOrBoolean, (token, end: string | undefined) => {
    if (end !== undefined && end !== '"') throw invalidFilter('A string in the filter has no end');
    // The parser also refuses the dollar sign of `$ref`.
    if (token.startsWith('$')) return 'ref';
    if (!token.startsWith('"')) return token.toLowerCase();
    return `"${texts.push(unquote(token)) - 1}"`;
  });
  try {
    const terms = { count: 0 };
    return restore(parse(marked), texts, terms);
  } catch (cause) {
    if (cause instanceof ScimFailure) throw cause;
    throw invalidFilter('The filter is not one that SCIM has', cause);
  }
}

export function invalidFilter(problem: string, cause?: unknown): ScimFailure {
  return new ScimFailure('invalid', 'invalidFilter', `${problem}.`, cause);
}

// A string without an end is found too. If it were not, each of its escaped quotes would be tried as the beginning of another one.
const quotedOrBoolean = /"(?:[^"\\]|\\.)*("|\\?$)|\b(?:true|false|null)\b|\$ref\b/gis;

function unquote(token: string): string {
  try {
    return JSON.parse(token) as string;
  } catch {
    return token.slice(1, -1).replaceAll('\\"', '"');
  }
}

function restore(filter: Filter, texts: readonly string[], terms: { count: number }): Filter {
  if (++terms.count > maxTerms) throw invalidFilter(`A filter may have at most ${maxTerms} terms`);
  switch (filter.op) {
    case 'and':
    case 'or':
      return { ...filter, filters: filter.filters.map((one) => restore(one, texts, terms)) };
    case 'not':
      return { ...filter, filter: restore(filter.filter, texts, terms) };
    case '[]':
      return { ...filter, valFilter: restore(filter.valFilter, texts, terms) };
    case 'pr':
      return filter;
    default:
      return typeof filter.compValue === 'string'
        ? { ...filter, compValue: texts[Number(filter.compValue)] ?? '' }
        : filter;
  }
}
