import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { actorOf } from '../../../../company/access/actor.ts';
import { addReason, changeReason, listReasons, retireReason } from '../../../../giving/recognition/reasons.ts';
import {
  NewReason,
  Reason,
  ReasonChange,
  ReasonList,
  ReasonParams,
  ReasonQuery,
  reasonSchemas,
} from '../../../../ground/contract/reason.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import type { Database, Queryable } from '../../../../ground/database/database.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import type { Resource } from './resource.ts';
import { tidyReason } from './tidy.ts';

export interface ReasonOptions {
  lookUps: Queryable;
  people: Database;
}

const reasonRoutes: FastifyPluginAsyncTypebox<ReasonOptions> = async (app, { lookUps, people }) => {
  const headers = Type.Object(WorkspaceHeader);

  app.route({
    method: 'GET',
    url: '',
    config: { access: 'recognition:read', forManagers: true },
    schema: {
      operationId: 'listReasons',
      summary: 'List reasons',
      description:
        'All reasons of the workspace that are not retired, the default first. The operation takes no parameters.',
      headers,
      querystring: ReasonQuery,
      response: {
        200: { description: 'All reasons.', content: { 'application/json': { schema: ref(ReasonList) } } },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: async ({ caller }) => ({ reasons: await listReasons(lookUps, caller.workspace.workspaceId) }),
  });

  app.route({
    method: 'POST',
    url: '',
    config: { access: 'recognition:manage' },
    schema: {
      operationId: 'addReason',
      summary: 'Add a reason',
      description:
        'Adding a retired reason brings it back. A description that another reason has, ignoring case, gives 409.',
      headers,
      body: ref(NewReason),
      response: {
        201: { description: 'The reason.', content: { 'application/json': { schema: ref(Reason) } } },
        ...problems(400, 401, 403, 406, 409, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = tidyReason(request.body) as typeof request.body;
    },
    handler: async ({ grant, caller, body }, reply) => {
      const { workspaceId } = caller.workspace;
      const reason = await people.transaction((tx) => addReason(tx, actorOf(grant), workspaceId, body));
      return reply.code(201).send(reason);
    },
  });

  app.route({
    method: 'PATCH',
    url: '/:id',
    config: { access: 'recognition:manage' },
    schema: {
      operationId: 'changeReason',
      summary: 'Change a reason',
      description: 'Renames the reason, also in past recognitions, or makes it the default.',
      headers,
      params: ReasonParams,
      body: ref(ReasonChange),
      response: {
        200: { description: 'The reason.', content: { 'application/json': { schema: ref(Reason) } } },
        ...problems(400, 401, 403, 404, 406, 409, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = tidyReason(request.body) as typeof request.body;
    },
    handler: ({ grant, caller, params, body }) =>
      people.transaction((tx) => changeReason(tx, actorOf(grant), caller.workspace.workspaceId, params.id, body)),
  });

  app.route({
    method: 'DELETE',
    url: '/:id',
    config: { access: 'recognition:manage' },
    schema: {
      operationId: 'retireReason',
      summary: 'Retire a reason',
      description:
        'New shoutouts cannot use a retired reason; past recognitions keep it. Retiring the default reason gives 409.',
      headers,
      params: ReasonParams,
      response: {
        204: { description: 'The reason is retired.', type: 'null' },
        ...problems(400, 401, 403, 404, 406, 409, 413, 415, 429, 500, 503),
      },
    },
    handler: async ({ grant, caller, params }, reply) => {
      const { workspaceId } = caller.workspace;
      await people.transaction((tx) => retireReason(tx, actorOf(grant), workspaceId, params.id));
      return reply.code(204).send(null);
    },
  });
};

export const reasons: Resource<ReasonOptions> = {
  prefix: '/reasons',
  tag: { name: 'Reasons', description: 'What people are recognized for.' },
  schemas: reasonSchemas,
  routes: reasonRoutes,
};
