import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import packageJson from '../../../../package.json' with { type: 'json' };
import { Problem } from '../../../ground/contract/problem.ts';
import { ignoresUnknown, ref } from '../../../ground/contract/schema.ts';
import { problemBody } from '../errors/problems.ts';
import { finishDocument } from './document.ts';
import { documentError, documentedErrors } from './documented-errors.ts';

/** The error answers of a route, by status. */
export function problems<S extends number>(...statuses: S[]) {
  const entries = statuses.map((status) => {
    const example = problemBody(status, documentedErrors[status]?.example ?? '');
    return [status, documentError(status, 'application/json', ref(Problem), example)];
  });
  return Object.fromEntries(entries) as Record<S, { content: { 'application/json': { schema: unknown } } }>;
}

export const WorkspaceHeader = {
  'X-Workspace-id': Type.String({
    pattern: '^\\d+$',
    description: 'The id of the workspace that the request is about.',
    examples: ['1'],
  }),
};

export interface Tag {
  name: string;
  description: string;
}

/** OpenAPI 3.1 from the schemas that check the requests. Only routes that are registered after this are in the document. */
export async function describeRoutes(app: FastifyInstance, tags: readonly Tag[]): Promise<void> {
  const optional = new Set<string | undefined>();
  const ignoring = new Set<string | undefined>();
  await app.register(swagger, {
    transform: ({ schema, url, route }) => {
      const { operationId, body = {} } = schema as { operationId?: string; body?: object };
      if (route.config?.bodyIsOptional) optional.add(operationId);
      if (ignoresUnknown in body) ignoring.add(operationId);
      return { schema, url };
    },
    transformObject: (documented) =>
      'openapiObject' in documented
        ? finishDocument(documented.openapiObject, { optional, ignoring }, app.getSchemas())
        : {},
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Giftwire',
        version: packageJson.version,
        description: 'Gift orders and recognition reports: send one to a thousand gifts with one request.',
        contact: { name: 'Giftwire' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This service' }],
      tags: [...tags],
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer', description: 'An API token: `npx giftwire token create`.' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: '__Host-giftwire',
            description:
              'The session of a person who is signed in to the console. Unsafe methods only from its own pages.',
          },
        },
      },
      security: [{ token: [] }, { session: [] }],
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema${index}`) },
  });
}
