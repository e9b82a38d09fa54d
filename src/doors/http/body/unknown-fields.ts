import type { Fault } from '../../../ground/errors.ts';
import { isObject } from '../../../ground/values/differences.ts';
import { nearestName } from '../../../ground/values/nearest.ts';
import type { NamedSchema } from '../area.ts';
import { type BodySchema, createResolver } from './tidy.ts';

/** A field that the schema of a body does not have. */
export interface UnknownField {
  path: string;
  name: string;
  /** The fields that the schema has there. */
  known: readonly string[];
}

/** More than that are not named: a body that has them was written for another operation. */
const mostNamed = 20;
const longestName = 64;

type Find = (value: unknown, path: string, found: Map<string, UnknownField>) => void;

/**
 * Makes functions that find the unknown fields of a body, each once: a field that every element of a list has is named by its first
 * place. A value of a wrong type is left alone, so that the check of its type names it.
 */
export function createUnknownFinder(
  schemas: readonly NamedSchema[],
): (schema: object) => (body: unknown) => UnknownField[] {
  const resolve = createResolver(schemas);
  const finders = new Map<BodySchema, Find | null>();
  const finderOf = (written: BodySchema): Find | null => {
    const schema = resolve(written);
    const known = finders.get(schema);
    if (known !== undefined) return known;
    const find = make(schema);
    finders.set(schema, find);
    return find;
  };
  const make = ({ properties, items }: BodySchema): Find | null => {
    if (properties) return inObject(new Map(Object.entries(properties).map(([name, one]) => [name, finderOf(one)])));
    const find = items ? finderOf(items) : null;
    return find && inList(find);
  };
  return (schema) => {
    const find = finderOf(schema as BodySchema);
    return (body) => {
      const found = new Map<string, UnknownField>();
      find?.(body, '', found);
      return [...found.values()];
    };
  };
}

function inObject(fields: ReadonlyMap<string, Find | null>): Find {
  const known = [...fields.keys()];
  return (value, path, found) => {
    if (!isObject(value)) return;
    for (const name in value) {
      const find = fields.get(name);
      if (find === null) continue;
      const here = path === '' ? name : `${path}.${name}`;
      if (find) find(value[name], here, found);
      else note(found, { path: here, name, known });
    }
  };
}

function inList(find: Find): Find {
  return (list, path, found) => {
    if (Array.isArray(list)) for (const [at, value] of list.entries()) find(value, `${path}[${at}]`, found);
  };
}

function note(found: Map<string, UnknownField>, { path, name, known }: UnknownField): void {
  const place = path.replace(/\[\d+\]/g, '[]');
  if (found.size >= mostNamed || found.has(place)) return;
  const isLong = name.length > longestName;
  const shown = isLong ? `${path.slice(0, path.length - name.length + longestName)}…` : path;
  found.set(place, { path: shown, name: name.slice(0, longestName), known });
}

export function unknownFault({ path, name, known }: UnknownField): Fault {
  return { path, problem: `is not a field of this request: ${hintFor(name, known)}` };
}

/** What to send in place of an unknown name. */
export function hintFor(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  if (nearest !== null) return `did you mean ${nearest}?`;
  return known.length === 0 ? 'leave it out' : `it can have ${known.join(', ')}`;
}
