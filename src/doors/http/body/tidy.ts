import { keepsNull, trims } from '../../../ground/contract/schema.ts';
import { isObject } from '../../../ground/values/differences.ts';
import type { NamedSchema } from '../area.ts';

/** The key of a reference to the schema of a body that callers may leave out. */
export const optionalBody = Symbol('optional body');

/** What is read of the schema of a body. */
export interface BodySchema {
  $id?: string;
  $ref?: string;
  type?: string | readonly string[];
  anyOf?: readonly BodySchema[];
  properties?: Record<string, BodySchema>;
  required?: readonly string[];
  items?: BodySchema;
  maxItems?: number;
  format?: string;
  minLength?: number;
  default?: unknown;
  [trims]?: boolean;
  [keepsNull]?: boolean;
  [optionalBody]?: boolean;
}

export type Tidy = (value: unknown) => unknown;

const asItIs: Tidy = (value) => value;

/**
 * Makes functions that tidy a body as its schema says, before it is checked and stored:
 *
 * - Objects have the fields of their schema, and no others.
 * - Texts (`format: 'text'`) are trimmed. Other strings are taken as they are, unless their schema says `trims`.
 * - In an optional field, null counts as absent, and so does a blank text or email address that may be empty. In an object that
 *   says `keepsNull`, null and every blank string are null in the fields that can be null.
 * - An absent field gets the default of its schema.
 *
 * A value of a wrong type is left alone, so that the check names it. A list keeps at most one element more than it may have: that
 * is enough to reject it.
 */
export function createTidier(schemas: readonly NamedSchema[]): (schema: object) => Tidy {
  const resolve = createResolver(schemas);
  const known = new Map<BodySchema, Tidy>();
  const tidyOf = (written: BodySchema): Tidy => {
    const schema = resolve(written);
    const tidy = known.get(schema) ?? make(schema);
    known.set(schema, tidy);
    return tidy;
  };
  const make = (schema: BodySchema): Tidy => {
    const { properties, items, maxItems = Number.POSITIVE_INFINITY } = schema;
    if (properties) return objectOf(schema, properties);
    if (items) return listOf(tidyOf(items), maxItems);
    return isTrimmed(schema) ? trimmed : asItIs;
  };
  const objectOf = (
    { required = [], [keepsNull]: keeps = false }: BodySchema,
    properties: Record<string, BodySchema>,
  ) => {
    const fields = Object.entries(properties).map(([name, schema]): [string, Tidy] => {
      const tidy = tidyOf(schema);
      return [name, required.includes(name) ? tidy : optional(schema, tidy, keeps && allowsNull(schema))];
    });
    return builderOf(fields);
  };
  return (schema) => {
    const { [optionalBody]: isOptional } = schema as BodySchema;
    const tidy = tidyOf(schema as BodySchema);
    return isOptional ? (body) => tidy(body ?? {}) : tidy;
  };
}

/** Makes the function that replaces a reference by the schema it names. */
export function createResolver(schemas: readonly NamedSchema[]): (schema: BodySchema) => BodySchema {
  const byId = new Map<string, BodySchema>(schemas.map((schema) => [`${schema.$id}#`, schema]));
  const resolve = (schema: BodySchema): BodySchema => {
    const { $ref, anyOf } = schema;
    if ($ref !== undefined) return byId.get($ref) ?? {};
    // "A named schema or null".
    return anyOf?.[0]?.$ref !== undefined ? resolve(anyOf[0]) : schema;
  };
  return resolve;
}

function isTrimmed({ format, [trims]: isMarked }: BodySchema): boolean {
  return format === 'text' || isMarked === true;
}

function allowsNull({ type = [], anyOf = [] }: BodySchema): boolean {
  return [type].flat().includes('null') || anyOf.some((one) => allowsNull(one));
}

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}

function listOf(tidy: Tidy, maxItems: number): Tidy {
  if (tidy === asItIs) return asItIs;
  return (list) =>
    Array.isArray(list) ? (list.length > maxItems ? list.slice(0, maxItems + 1) : list).map(tidy) : list;
}

function optional(schema: BodySchema, tidy: Tidy, keepsNulls: boolean): Tidy {
  const { default: usual } = schema;
  const none = keepsNulls ? null : usual;
  const other = (value: unknown) => (value === undefined ? usual : value === null ? none : tidy(value));
  if (!mayBeBlank(schema, keepsNulls)) return other;
  return (value) => (typeof value !== 'string' ? other(value) : value.trim() === '' ? none : tidy(value));
}

function mayBeBlank({ type = [], format, minLength = 0 }: BodySchema, keepsNulls: boolean): boolean {
  const isText = format === 'text' || format === 'email' || keepsNulls;
  return isText && minLength === 0 && [type].flat().includes('string');
}

/**
 * A function that builds an object of these fields. It is written as code, as the checks of schemas are: with a loop over names, tidying
 * an order took four times as long.
 */
function builderOf(fields: readonly (readonly [name: string, tidy: Tidy])[]): Tidy {
  const tidies = fields.map(([, tidy]) => tidy);
  const parts = fields.map(([name, tidy], at) => {
    const value = `value[${JSON.stringify(name)}]`;
    return `${JSON.stringify(name)}: ${tidy === asItIs ? value : `tidy${at}(${value})`}`;
  });
  const code = `return (value) => isObject(value) ? { ${parts.join(', ')} } : value;`;
  return new Function('isObject', ...tidies.map((_, at) => `tidy${at}`), code)(isObject, ...tidies);
}
