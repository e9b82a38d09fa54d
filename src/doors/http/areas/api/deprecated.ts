import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import Type, { type TSchema } from 'typebox';

/** Former names, and the names that replace them. */
type Names = Readonly<Record<string, string>>;

/** When the old names of this release were deprecated, and until when they work at least: docs/versions.md. */
const deprecatedOn = '2026-11-18';
const sunsetOn = '2027-12-31';

/** As RFC 9745 and RFC 8594 write them. */
const deprecation = `@${Date.parse(deprecatedOn) / 1_000}`;
const sunset = new Date(sunsetOn).toUTCString();

const deprecationHeaders = { Deprecation: deprecation, Sunset: sunset };

const DeprecationHeaders = {
  Deprecation: Type.String({ description: 'When the name was deprecated (RFC 9745).', examples: [deprecation] }),
  Sunset: Type.String({ description: 'Until when it works at least (RFC 8594).', examples: [sunset] }),
};

/** The same operation under its former path: deprecated in the document and in the headers of its responses. */
export function formerRoute(options: RouteOptions, successor: string, { id, path }: { id: string; path: string }) {
  const { schema, onRequest } = options;
  const responses = Object.entries((schema?.response ?? {}) as Record<string, { headers?: object }>).map(
    ([status, response]) => [
      status,
      Number(status) < 300 ? { ...response, headers: { ...DeprecationHeaders, ...response.headers } } : response,
    ],
  );
  return {
    ...options,
    url: path,
    onRequest: [...[onRequest ?? []].flat(), sayDeprecated],
    schema: {
      ...schema,
      operationId: id,
      deprecated: true,
      description: `Deprecated: use \`${successor.replaceAll(/:(\w+)/g, '{$1}')}\` instead. This path works until ${sunsetOn} at least.`,
      response: Object.fromEntries(responses),
    },
  } as RouteOptions;
}

/** The query with the former names of its parameters, which the document marks as deprecated. */
export function withFormerQuery<Query extends TSchema>(query: Query, names: Names): Query {
  const { properties } = query as unknown as { properties: Record<string, object> };
  const former = Object.entries(names).map(([old, name]) => [
    old,
    { ...properties[name], deprecated: true, description: `Deprecated: use \`${name}\` instead.` },
  ]);
  return { ...query, properties: { ...properties, ...Object.fromEntries(former) } };
}

/** Gives handlers the parameters by their names of today. Where both are given, today's counts. */
export function renameQuery(names: Names) {
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const query = request.query as Record<string, unknown>;
    for (const [old, name] of Object.entries(names)) {
      if (query[old] === undefined) continue;
      query[name] ??= query[old];
      delete query[old];
      reply.headers(deprecationHeaders);
    }
    done();
  };
}

function sayDeprecated(_request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
  reply.headers(deprecationHeaders);
  done();
}
