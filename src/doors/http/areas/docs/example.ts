import type { DocumentedSchema, Follow, Media, Parameter } from './document.ts';

/** The example of a body: the one that it declares, else one made from its schema. */
export function exampleOf(media: Media, follow: Follow): unknown {
  const declared = media.example ?? Object.values(media.examples ?? {}).map(follow)[0]?.value;
  return declared ?? (media.schema ? sampleOf(media.schema, follow) : undefined);
}

/** What a parameter could be, as text; empty where it is best left out. */
export function parameterExample({ example, examples, schema }: Parameter, follow: Follow): string {
  const own = follow(schema);
  const value =
    example ?? Object.values(examples ?? {})[0]?.value ?? own.examples?.[0] ?? own.default ?? own.enum?.[0] ?? '';
  return String(value);
}

/** Deeper than any body here; a schema that contains itself ends there. */
const deepest = 8;

function sampleOf(schema: DocumentedSchema, follow: Follow, depth = 0): unknown {
  const own = follow(schema);
  const declared = own.examples?.[0] ?? own.example ?? own.const ?? own.default ?? own.enum?.[0];
  if (declared !== undefined) return declared;
  if (depth === deepest) return null;
  const choice = (own.anyOf ?? own.oneOf)?.find((one) => follow(one).type !== 'null');
  if (own.properties) return objectOf(own, follow, depth);
  if (own.allOf) return Object.assign({}, ...own.allOf.map((one) => sampleOf(one, follow, depth + 1)));
  if (own.items) return [sampleOf(own.items, follow, depth + 1)];
  return choice ? sampleOf(choice, follow, depth + 1) : plainValue(own);
}

function objectOf({ properties = {} }: DocumentedSchema, follow: Follow, depth: number): unknown {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, sampleOf(property, follow, depth + 1)]),
  );
}

const texts: Record<string, string> = {
  uuid: '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f',
  date: '2026-11-02',
  'date-time': '2026-11-02T14:03:27Z',
  email: 'ada@example.com',
  uri: 'https://example.com/',
};

function plainValue({ type, format = '', minimum }: DocumentedSchema): unknown {
  const [first, ...others] = [type ?? 'object'].flat();
  if (others.includes('null')) return null;
  if (first === 'integer' || first === 'number') return minimum ?? 1;
  if (first === 'boolean') return true;
  if (first === 'array') return [];
  return first === 'string' ? (texts[format] ?? 'text') : {};
}
