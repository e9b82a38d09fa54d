import SerializerSelector from '@fastify/fast-json-stringify-compiler';
import type { FastifySerializerCompiler } from 'fastify';
import type { NamedSchema } from './area.ts';

/**
 * Schemas write the answers, which is fast and sends no field that is not in the schema. Errors are written without one:
 * compiling a serializer for every error status of every route would take most of the start.
 *
 * Routes with the same schema share a serializer. It is compiled for the first answer, and with the schemas that it refers
 * to alone: the library checks all schemas that it gets for each serializer, which took 3 of the 4 seconds of a start.
 */
export function createSerializerCompiler(schemas: readonly NamedSchema[]): FastifySerializerCompiler<unknown> {
  const byId = new Map(schemas.map((schema) => [schema.$id, schema]));
  const compiled = new Map<string, Serialize>();
  const compile = (schema: unknown) => {
    const text = JSON.stringify(schema);
    const serialize = compiled.get(text) ?? SerializerSelector()(referred(text, byId), {})({ schema } as never);
    compiled.set(text, serialize);
    return serialize;
  };
  return ({ schema, httpStatus }) => {
    if (Number(httpStatus) >= 400) return JSON.stringify;
    let serialize: Serialize | null = null;
    return (answer) => {
      serialize ??= compile(schema);
      return serialize(answer);
    };
  };
}

type Serialize = (answer: unknown) => string;

/** The schemas that a schema refers to, directly or through others. */
function referred(text: string, byId: ReadonlyMap<string, NamedSchema>, found: Record<string, unknown> = {}) {
  for (const [, id = ''] of text.matchAll(/"\$ref":"([^"#]+)/g)) {
    const schema = byId.get(id);
    if (id in found || !schema) continue;
    found[id] = withPlainNulls(schema);
    referred(JSON.stringify(found[id]), byId, found);
  }
  return found;
}

/**
 * "A named schema or null", as the serializer writes it fastest. For `anyOf` it would check each value against the schema
 * before it writes it.
 */
function withPlainNulls(schema: NamedSchema): unknown {
  return JSON.parse(JSON.stringify(schema), (_key, value) =>
    value?.anyOf?.[1]?.type === 'null' ? { ...value.anyOf[0], nullable: true } : value,
  );
}
