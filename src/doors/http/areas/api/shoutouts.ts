import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { actorOf } from '../../../../company/access/actor.ts';
import type { Shoutouts } from '../../../../giving/recognition/give.ts';
import { findShoutout, listShoutouts } from '../../../../giving/recognition/read.ts';
import { ReplayedHeader } from '../../../../ground/contract/idempotency.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import {
  Decision,
  Shoutout,
  ShoutoutHeaders,
  ShoutoutPage,
  ShoutoutParams,
  ShoutoutQuery,
  ShoutoutRequest,
  shoutoutSchemas,
} from '../../../../ground/contract/shoutout.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { Failure } from '../../../../ground/errors.ts';
import { headerText, restoreHeaderText } from '../../callers/header-text.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import type { Resource } from './resource.ts';
import { tidyDecision, tidyShoutout } from './tidy.ts';

export interface ShoutoutOptions {
  shoutouts: Shoutouts;
  lookUps: Queryable;
}

const key = 'Idempotency-Key';

const shoutoutRoutes: FastifyPluginAsyncTypebox<ShoutoutOptions> = async (app, options) => {
  const { shoutouts, lookUps } = options;

  app.route({
    method: 'POST',
    url: '',
    config: { access: 'recognition:write', forManagers: true },
    schema: {
      operationId: 'giveShoutout',
      summary: 'Give a shoutout',
      description:
        'Records the shoutout at once: APPROVED, or PENDING if the workspace asks for approval. Naming a sender also needs the scope recognition:delegate.',
      headers: Type.Object({ ...WorkspaceHeader, ...ShoutoutHeaders.properties }),
      body: ref(ShoutoutRequest),
      response: {
        201: {
          description:
            'The shoutout is recorded. If the Idempotency-Key was used before, this is the shoutout of that request.',
          headers: ReplayedHeader,
          content: { 'application/json': { schema: ref(Shoutout) } },
        },
        ...problems(400, 401, 403, 406, 413, 415, 422, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = tidyShoutout(request.body) as typeof request.body;
      restoreHeaderText(request, key);
    },
    handler: async (request, reply) => {
      const { caller, body: shoutout } = request;
      if (shoutout.sender && !caller.workspace.scopes.includes('recognition:delegate'))
        throw new Failure('forbidden', 'This token lacks the scope recognition:delegate: leave the sender out.');
      const { record, replayed } = await shoutouts.give({
        tokenId: caller.callerId,
        workspace: caller.workspace,
        idempotencyKey: headerText(request, key),
        shoutout,
      });
      if (replayed) reply.header('Idempotent-Replayed', 'true');
      return reply.code(201).send(record);
    },
  });

  app.route({
    method: 'GET',
    url: '',
    config: { access: 'recognition:read' },
    schema: {
      operationId: 'listShoutouts',
      summary: 'List shoutouts',
      description: 'The shoutouts with one status, newest first. An unknown parameter gives 400.',
      headers: Type.Object(WorkspaceHeader),
      querystring: ShoutoutQuery,
      response: {
        200: { description: 'A page of shoutouts.', content: { 'application/json': { schema: ref(ShoutoutPage) } } },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: ({ caller, query }) => listShoutouts(lookUps, caller.workspace, query),
  });

  app.route({
    method: 'GET',
    url: '/:id',
    config: { access: 'recognition:read' },
    schema: {
      operationId: 'getShoutout',
      summary: 'Get a shoutout',
      description: 'One shoutout, including declined ones.',
      headers: Type.Object(WorkspaceHeader),
      params: ShoutoutParams,
      response: {
        200: { description: 'The shoutout.', content: { 'application/json': { schema: ref(Shoutout) } } },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
    handler: ({ caller: { workspace }, params }) =>
      findShoutout(lookUps, workspace.workspaceId, params.id, workspace.memberId),
  });

  for (const { verb, summary, description, decision } of decisions)
    app.route({
      method: 'POST',
      url: `/:id/${verb}`,
      config: { access: 'recognition:approve', bodyIsOptional: true },
      schema: {
        operationId: `${verb}Shoutout`,
        summary,
        description,
        headers: Type.Object(WorkspaceHeader),
        params: ShoutoutParams,
        body: ref(Decision),
        response: {
          200: { description: 'The shoutout as decided.', content: { 'application/json': { schema: ref(Shoutout) } } },
          ...problems(400, 401, 403, 404, 406, 409, 413, 415, 429, 500, 503),
        },
      },
      preValidation: async (request) => {
        request.body = tidyDecision(request.body) as typeof request.body;
      },
      handler: ({ grant, caller, params, body }) => {
        const made = { id: params.id, decision, reason: body.reason ?? null, actor: actorOf(grant) };
        return shoutouts.decide(caller.workspace, made);
      },
    });
};

const decisions = [
  {
    verb: 'approve',
    summary: 'Approve a shoutout',
    description:
      'An approved shoutout counts as recognition. Approving it again changes nothing. A declined shoutout gives 409. The sender and the receiver get 403.',
    decision: 'APPROVED',
  },
  {
    verb: 'decline',
    summary: 'Decline a shoutout',
    description:
      'The reports leave a declined shoutout out. Declining it again changes nothing. An approved shoutout gives 409. The sender and the receiver get 403.',
    decision: 'DECLINED',
  },
] as const;

export const shoutouts: Resource<ShoutoutOptions> = {
  prefix: '/shoutouts',
  tag: {
    name: 'Shoutouts',
    description: 'Say thanks without a gift; approve or decline if the workspace asks for approval.',
  },
  schemas: shoutoutSchemas,
  routes: shoutoutRoutes,
};
