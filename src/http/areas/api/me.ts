import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Grant } from '../../../access/grants.ts';
import { Me, meSchemas } from '../../../contract/me.ts';
import { ref, strictQuery } from '../../../contract/schema.ts';
import { problems } from '../../openapi.ts';
import type { Resource } from './resource.ts';

export interface MeOptions {
  environment: Me['environment'];
}

const meRoutes: FastifyPluginAsyncTypebox<MeOptions> = async (app, { environment }) => {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'self' },
    schema: {
      operationId: 'getMe',
      summary: 'Who is calling',
      description:
        'The person or the token that calls, and what they may do in which workspace. It takes no X-Workspace-id.',
      querystring: strictQuery({}),
      response: {
        200: { description: 'The caller.', content: { 'application/json': { schema: ref(Me) } } },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: async ({ grant }) => describe(grant, environment),
  });
};

function describe({ token, session, expiresAt, workspaces }: Grant, environment: Me['environment']): Me {
  return {
    user: (session?.user ?? null) as Me['user'],
    token: token && { ...token, expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString() },
    environment,
    workspaces: workspaces.map(({ workspaceId, name, role, scopes, memberId, onlyReportsOf, language, timeZone }) => ({
      id: workspaceId,
      name,
      role,
      scopes: [...scopes],
      memberId,
      seesReportsOnly: onlyReportsOf !== null,
      language,
      timeZone,
    })),
  };
}

export const me: Resource<MeOptions> = {
  prefix: '/me',
  tag: { name: 'Me', description: 'Who is calling.' },
  schemas: meSchemas,
  routes: meRoutes,
};
