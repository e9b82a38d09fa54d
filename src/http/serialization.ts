import SerializerSelector from '@fastify/fast-json-stringify-compiler';
import type { FastifySerializerCompiler } from 'fastify';

type Schema = { $id: string };

/**
 * Answers are written by their schemas, which is fast and lets nothing out that is not in them. Errors have one form and are
 * written as they are: compiling them for every status of every route would take most of a start.
 */
export function createSerializerCompiler(sharedSchemas: readonly Schema[]): FastifySerializerCompiler<unknown> {
  const compile = SerializerSelector()(Object.fromEntries(sharedSchemas.map((schema) => [schema.$id, schema])), {});
  return (route) => (Number(route.httpStatus) >= 400 ? JSON.stringify : compile(route as never));
}
