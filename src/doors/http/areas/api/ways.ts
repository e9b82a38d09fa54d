import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { actorOf } from '../../../../company/access/audit.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import { Way, WayList, WayParams, WayQuery, WaySetting, waySchemas } from '../../../../ground/contract/way.ts';
import type { Database, Queryable } from '../../../../ground/database/database.ts';
import { offerWay } from '../../../../spending/redemptions/offer.ts';
import { readWays } from '../../../../spending/redemptions/ways.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import type { Resource } from './resource.ts';
import { tidyWay } from './tidy-ways.ts';

export interface WayOptions {
  lookUps: Queryable;
  people: Database;
}

const wayRoutes: FastifyPluginAsyncTypebox<WayOptions> = async (app, { lookUps, people }) => {
  const headers = Type.Object(WorkspaceHeader);
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });

  app.route({
    method: 'GET',
    url: '',
    config: { access: 'settings:read' },
    schema: {
      operationId: 'listWays',
      summary: 'List ways to spend',
      description:
        'All ways of the workspace, also those that are off. Payroll is there and on until somebody switches it off. The operation takes no parameters.',
      headers,
      querystring: WayQuery,
      response: {
        200: { description: 'All ways, by position and id.', ...json(ref(WayList)) },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: async ({ caller }) => ({ ways: await readWays(lookUps, caller.workspace.workspaceId) }),
  });

  app.route({
    method: 'PUT',
    url: '/:id',
    config: { access: 'settings:manage' },
    schema: {
      operationId: 'setWay',
      summary: 'Set a way to spend',
      description:
        'Adds the way or replaces it; fields that are left out get their defaults. What was spent before stays as it was. The kind of a way cannot be changed: 409.',
      headers,
      params: WayParams,
      body: ref(WaySetting),
      response: {
        200: { description: 'The way.', ...json(ref(Way)) },
        ...problems(400, 401, 403, 404, 406, 409, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = tidyWay(request.body) as typeof request.body;
    },
    handler: ({ caller, grant, params: { id }, body }) => {
      const { workspaceId } = caller.workspace;
      return inWorkspace(people, workspaceId, (tx) => offerWay(tx, actorOf(grant), workspaceId, id, body));
    },
  });
};

export const ways: Resource<WayOptions> = {
  prefix: '/ways',
  tag: { name: 'Ways', description: 'How recipients can spend their gifts.' },
  schemas: waySchemas,
  routes: wayRoutes,
};
