import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Dispatcher } from 'undici';
import { actorOf } from '../../../../company/access/actor.ts';
import { listAttempts } from '../../../../company/events/webhooks/attempts.ts';
import { findWebhook } from '../../../../company/events/webhooks/endpoints.ts';
import type { Networks } from '../../../../company/events/webhooks/networks.ts';
import { replay } from '../../../../company/events/webhooks/replay.ts';
import type { DeriveSecret } from '../../../../company/events/webhooks/signature.ts';
import { tryWebhook } from '../../../../company/events/webhooks/try.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import type { EventType } from '../../../../ground/contract/event.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import {
  Webhook,
  WebhookAttempt,
  WebhookAttemptList,
  WebhookAttemptQuery,
  WebhookParams,
  WebhookReplay,
  WebhookTest,
} from '../../../../ground/contract/webhook.ts';
import type { Database, Queryable } from '../../../../ground/database/database.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';

export interface WebhookOptions {
  lookUps: Queryable;
  people: Database;
  /** Sends samples. It checks addresses as the deliveries do. */
  agent: Dispatcher;
  networks: Networks;
  deriveSecret: DeriveSecret;
  /** The version of the server's key that new secrets derive from. */
  keyVersion: number;
}

/** What was posted to a webhook, and what is posted to it on request. */
export const deliveryRoutes: FastifyPluginAsyncTypebox<WebhookOptions> = async (app, options) => {
  const { lookUps, people, agent, deriveSecret } = options;
  const headers = Type.Object(WorkspaceHeader);
  const config = { access: 'webhooks:manage' as const };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });

  app.route({
    method: 'POST',
    url: '/:id/test',
    config: { ...config, bodyIsOptional: true },
    schema: {
      operationId: 'testWebhook',
      summary: 'Post a sample',
      description: 'Posts a sample event of any type at once and answers with what came of it. Nothing of it is kept.',
      headers,
      params: WebhookParams,
      body: ref(WebhookTest),
      response: {
        200: { description: 'The attempt.', ...json(ref(WebhookAttempt)) },
        ...problems(400, 401, 403, 404, 406, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body ??= {};
    },
    handler: async ({ caller, params, body }) => {
      const { workspaceId } = caller.workspace;
      const endpoint = { workspaceId, ...(await findWebhook(lookUps, workspaceId, params.id)) };
      return tryWebhook(agent, endpoint, deriveSecret, (body.type ?? 'order.completed') as EventType);
    },
  });

  app.route({
    method: 'POST',
    url: '/:id/replay',
    config,
    schema: {
      operationId: 'replayWebhook',
      summary: 'Replay events',
      description: 'Posts one event, or everything from a number, once more.',
      headers,
      params: WebhookParams,
      body: ref(WebhookReplay),
      response: {
        202: { description: 'They are posted soon.', ...json(ref(Webhook)) },
        ...problems(400, 401, 403, 404, 406, 410, 413, 415, 429, 500, 503),
      },
    },
    handler: async ({ grant, caller, params, body }, reply) => {
      const { workspaceId } = caller.workspace;
      const webhook = await inWorkspace(people, workspaceId, (tx) =>
        replay(tx, actorOf(grant), workspaceId, params.id, body),
      );
      return reply.code(202).send(webhook);
    },
  });

  app.route({
    method: 'GET',
    url: '/:id/attempts',
    config: { access: 'webhooks:read' },
    schema: {
      operationId: 'listWebhookAttempts',
      summary: 'List attempts',
      description: 'The latest attempts to post an event, with status, time and the beginning of the answer.',
      headers,
      params: WebhookParams,
      querystring: WebhookAttemptQuery,
      response: {
        200: { description: 'The latest first.', ...json(ref(WebhookAttemptList)) },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
    handler: async ({ caller, params, query }) => {
      const { workspaceId } = caller.workspace;
      await findWebhook(lookUps, workspaceId, params.id);
      return { attempts: await listAttempts(lookUps, workspaceId, params.id, query.size) };
    },
  });
};
