import { isObject } from '../../ground/values/differences.ts';
import type { Document } from './attributes.ts';

/** The attributes that a caller wants included or excluded. */
export interface Projection {
  attributes: readonly string[];
  excludedAttributes: readonly string[];
}

/** Schemas and id are always returned. */
const always = ['schemas', 'id'];

export function project(document: Document, { attributes, excludedAttributes }: Projection): Document {
  if (attributes.length > 0)
    return pick(
      document,
      [...always, ...attributes].map((path) => stepsOf(path, document)),
    );
  const excluded = excludedAttributes.filter((path) => !always.includes(path.toLowerCase()));
  return excluded.length === 0
    ? document
    : omit(
        document,
        excluded.map((path) => stepsOf(path, document)),
      );
}

/** Whether an attribute will be returned, and so has to be read. */
export function isWanted(name: string, { attributes, excludedAttributes }: Projection): boolean {
  const names = (paths: readonly string[]) => paths.map((path) => path.toLowerCase().replace(/^urn:.*:/, ''));
  if (attributes.length === 0) return !names(excludedAttributes).includes(name);
  return names(attributes).some((path) => path === name || path.startsWith(`${name}.`));
}

/** The steps of `name.givenName`. The core schema in front of it is dropped; an extension's schema is a step. */
function stepsOf(path: string, { schemas }: Document): string[] {
  const name = path.toLowerCase();
  const [core, ...extensions] = (schemas as string[]).map((id) => id.toLowerCase());
  const extension = extensions.find((id) => name === id || name.startsWith(`${id}:`));
  if (extension) return [extension, ...name.slice(extension.length + 1).split('.')].filter((step) => step !== '');
  return (name.startsWith(`${core}:`) ? name.slice(`${core}:`.length) : name).split('.');
}

function pick(value: Document, paths: readonly string[][]): Document {
  return each(value, paths, (part, rests) =>
    rests.length === 0 ? [] : rests.some((rest) => rest.length === 0) ? [part] : [within(part, rests, pick)],
  );
}

function omit(value: Document, paths: readonly string[][]): Document {
  return each(value, paths, (part, rests) =>
    rests.length === 0 ? [part] : rests.some((rest) => rest.length === 0) ? [] : [within(part, rests, omit)],
  );
}

/**
 * Calls `decide` for each attribute, with the rest of each path that begins with its name. The result is the attribute itself,
 * a changed one, or none.
 */
function each(value: Document, paths: readonly string[][], decide: (part: unknown, rests: string[][]) => unknown[]) {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => {
      const rests = paths.filter(([step]) => step === key.toLowerCase()).map(([, ...rest]) => rest);
      return decide(part, rests).map((decided) => [key, decided]);
    }),
  );
}

function within(part: unknown, rests: string[][], choose: (value: Document, paths: string[][]) => Document): unknown {
  if (Array.isArray(part)) return part.map((one) => within(one, rests, choose));
  return isObject(part) && !(part instanceof Date) ? choose(part, rests) : part;
}
