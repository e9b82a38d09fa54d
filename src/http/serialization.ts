import SerializerSelector from '@fastify/fast-json-stringify-compiler';
import type { FastifySerializerCompiler } from 'fastify';
import type { NamedSchema } from './area.ts';

/**
 * Schemas write the answers, which is fast and sends no field that is not in the schema. Errors are written without one:
 * compiling a serializer for every error status of every route would take most of the start.
 */
export function createSerializerCompiler(schemas: readonly NamedSchema[]): FastifySerializerCompiler<unknown> {
  const compile = SerializerSelector()(Object.fromEntries(schemas.map((schema) => [schema.$id, schema])), {});
  return (route) => (Number(route.httpStatus) >= 400 ? JSON.stringify : compile(route as never));
}
