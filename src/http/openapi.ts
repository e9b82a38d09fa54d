import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { Problem } from '../contract/problem.ts';
import { ref } from '../contract/schema.ts';

export const meanings: Record<number, string> = {
  400: 'The input is not valid; the message names every field at fault.',
  401: 'The credential is missing or wrong.',
  403: 'The token has no right to the workspace or the operation.',
  404: 'There is no such thing in this workspace.',
  406: 'Accept rules out what the answer can be.',
  409: 'It contradicts what is there already; the message says what.',
  412: 'It has changed since the version in If-Match.',
  413: 'The body has more bytes or more values than this operation takes; the message says how many it may have.',
  415: 'The body is of another media type than it has to be.',
  422: 'The Idempotency-Key was used with another body.',
  429: 'The token has used up its rate limit, or too many wrong credentials came from this address.',
  500: "A failure on the service's side.",
  503: 'Overloaded, or the database is away: retry after the seconds in Retry-After.',
};

const headers: Record<number, Record<string, unknown>> = {
  401: { 'WWW-Authenticate': Type.String({ description: 'Bearer' }) },
  429: { 'Retry-After': Type.Integer({ description: 'Seconds to wait.' }) },
  503: { 'Retry-After': Type.Integer({ description: 'Seconds to wait.' }) },
};

/** The error answers of a route, by status. */
export function problems<S extends number>(...statuses: S[]) {
  const entries = statuses.map((status) => [
    status,
    {
      description: meanings[status],
      ...(headers[status] && { headers: headers[status] }),
      content: { 'application/json': { schema: ref(Problem) } },
    },
  ]);
  return Object.fromEntries(entries) as Record<S, { content: { 'application/json': { schema: unknown } } }>;
}

export const WorkspaceHeader = {
  'X-Workspace-id': Type.String({
    pattern: '^\\d+$',
    description: 'The workspace in which orders are placed and read.',
    examples: ['1'],
  }),
};

export interface Tag {
  name: string;
  description: string;
}

interface Operation {
  operationId?: string;
  requestBody?: { required: boolean };
}

/** OpenAPI 3.1 from the schemas that check the requests. Only routes that are registered after this are in the document. */
export async function describeRoutes(app: FastifyInstance, tags: readonly Tag[]): Promise<void> {
  const bodyIsOptional = new Set<string | undefined>();
  await app.register(swagger, {
    transform: ({ schema, url, route }) => {
      if (route.config?.bodyIsOptional) bodyIsOptional.add((schema as { operationId?: string }).operationId);
      return { schema, url };
    },
    transformObject: (documented) => {
      const document = 'openapiObject' in documented ? documented.openapiObject : {};
      const paths = Object.values(document.paths ?? {}) as Record<string, Operation>[];
      for (const { operationId, requestBody } of paths.flatMap((path) => Object.values(path)))
        if (requestBody && bodyIsOptional.has(operationId)) requestBody.required = false;
      return document;
    },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Giftwire',
        version: '1.0.0',
        description: 'Gift orders and recognition reports: send one to a thousand gifts with one request.',
        contact: { name: 'Giftwire' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This service' }],
      tags: [...tags],
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer', description: 'An API token: `npx giftwire token create`.' },
        },
      },
      security: [{ token: [] }],
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema${index}`) },
  });
}
