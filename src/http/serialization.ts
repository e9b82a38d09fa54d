import SerializerSelector from '@fastify/fast-json-stringify-compiler';
import type { FastifySerializerCompiler } from 'fastify';
import type { NamedSchema } from './area.ts';

/**
 * Schemas write the answers, which is fast and sends no field that is not in the schema. Errors are written without one:
 * compiling a serializer for every error status of every route would take most of the start.
 */
export function createSerializerCompiler(schemas: readonly NamedSchema[]): FastifySerializerCompiler<unknown> {
  const byId = Object.fromEntries(schemas.map((schema) => [schema.$id, withPlainNulls(schema)]));
  const compile = SerializerSelector()(byId, {});
  return (route) => (Number(route.httpStatus) >= 400 ? JSON.stringify : compile(route as never));
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
