import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { actorOf } from '../../../../company/access/actor.ts';
import { checkWebhookUrl } from '../../../../company/events/webhooks/address.ts';
import {
  addWebhook,
  changeWebhook,
  checkWebhookCount,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  findWebhook,
  listWebhooks,
  rotateSecret,
  type StoredWebhook,
} from '../../../../company/events/webhooks/endpoints.ts';
import { webhookSecret } from '../../../../company/events/webhooks/signature.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import type { Actor } from '../../../../ground/contract/actor.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import {
  NewWebhook,
  Webhook,
  WebhookAttempt,
  WebhookAttemptList,
  WebhookChange,
  WebhookList,
  WebhookParams,
  WebhookQuery,
  WebhookReplay,
  WebhookTest,
  WebhookWithSecret,
} from '../../../../ground/contract/webhook.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import type { Resource } from './resource.ts';
import { tidyWebhook } from './tidy.ts';
import { deliveryRoutes, type WebhookOptions } from './webhook-deliveries.ts';

const webhookRoutes: FastifyPluginAsyncTypebox<WebhookOptions> = async (app, options) => {
  const { lookUps, people, networks, deriveSecret, keyVersion } = options;
  const headers = Type.Object(WorkspaceHeader);
  const config = { access: 'webhooks:manage' as const };
  const read = { access: 'webhooks:read' as const };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const withSecret = (workspaceId: number, webhook: StoredWebhook) => ({
    ...webhook,
    secret: webhookSecret(deriveSecret, { workspaceId, ...webhook }),
  });
  /** Makes a change as the workspace's one writer. */
  const change = <T>(
    { grant, caller: { workspace } }: FastifyRequest,
    work: (tx: Queryable, actor: Actor, workspaceId: number) => Promise<T>,
  ): Promise<T> => inWorkspace(people, workspace.workspaceId, (tx) => work(tx, actorOf(grant), workspace.workspaceId));

  app.route({
    method: 'GET',
    url: '',
    config: read,
    schema: {
      operationId: 'listWebhooks',
      summary: 'List webhooks',
      description: 'Where events are posted to, and how far each endpoint has got. It takes no parameters.',
      headers,
      querystring: WebhookQuery,
      response: {
        200: { description: 'All of them.', ...json(ref(WebhookList)) },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: async ({ caller }) => ({ webhooks: await listWebhooks(lookUps, caller.workspace.workspaceId) }),
  });

  app.route({
    method: 'POST',
    url: '',
    config,
    schema: {
      operationId: 'addWebhook',
      summary: 'Add a webhook',
      description: 'It gets the events from now on. A workspace has at most 20.',
      headers,
      body: ref(NewWebhook),
      response: {
        201: {
          description: 'The webhook, with the secret that verifies its signatures.',
          ...json(ref(WebhookWithSecret)),
        },
        ...problems(400, 401, 403, 406, 409, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = tidyWebhook(request.body) as typeof request.body;
    },
    handler: async (request, reply) => {
      const { caller, body } = request;
      const { workspaceId } = caller.workspace;
      // Once more while the workspace is locked. Here it spares the look-up of the address, which can take seconds.
      await checkWebhookCount(lookUps, workspaceId);
      await checkWebhookUrl(body.url, networks);
      const added = await change(request, (tx, actor) => addWebhook(tx, actor, workspaceId, body, keyVersion));
      return reply.code(201).send(withSecret(workspaceId, added));
    },
  });

  app.route({
    method: 'GET',
    url: '/:id',
    config: read,
    schema: {
      operationId: 'getWebhook',
      summary: 'Get a webhook',
      description: 'One endpoint, and how far it has got.',
      headers,
      params: WebhookParams,
      response: {
        200: { description: 'The webhook.', ...json(ref(Webhook)) },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
    handler: ({ caller, params }) => findWebhook(lookUps, caller.workspace.workspaceId, params.id),
  });

  app.route({
    method: 'PATCH',
    url: '/:id',
    config,
    schema: {
      operationId: 'changeWebhook',
      summary: 'Change a webhook',
      description: 'Its address, types, ordering or description. What it has got and not got stays.',
      headers,
      params: WebhookParams,
      body: ref(WebhookChange),
      response: {
        200: { description: 'The webhook.', ...json(ref(Webhook)) },
        ...problems(400, 401, 403, 404, 406, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = tidyWebhook(request.body) as typeof request.body;
    },
    handler: async (request) => {
      const { params, body } = request;
      if (body.url !== undefined) await checkWebhookUrl(body.url, networks);
      return change(request, (tx, actor, workspaceId) => changeWebhook(tx, actor, workspaceId, params.id, body));
    },
  });

  app.route({
    method: 'DELETE',
    url: '/:id',
    config,
    schema: {
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'Nothing is posted to it from now on. Its attempts go with it.',
      headers,
      params: WebhookParams,
      response: {
        204: { description: 'Deleted.', type: 'null' },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
    handler: async (request, reply) => {
      await change(request, (tx, actor, workspaceId) => deleteWebhook(tx, actor, workspaceId, request.params.id));
      return reply.code(204).send(null);
    },
  });

  const actions = {
    rotate: {
      operationId: 'rotateWebhookSecret',
      summary: 'Rotate the secret',
      description: 'Deliveries are signed with both secrets for 24 hours, then with the new one alone.',
      schema: WebhookWithSecret,
      run: async (tx: Queryable, actor: Actor, workspaceId: number, id: number) =>
        withSecret(workspaceId, await rotateSecret(tx, actor, workspaceId, id, keyVersion)),
    },
    enable: {
      operationId: 'enableWebhook',
      summary: 'Enable a webhook',
      description: 'It goes on with the first event that it has not got.',
      schema: Webhook,
      run: enableWebhook,
    },
    disable: {
      operationId: 'disableWebhook',
      summary: 'Disable a webhook',
      description: 'Nothing is posted to it until it is enabled again.',
      schema: Webhook,
      run: (tx: Queryable, actor: Actor, workspaceId: number, id: number) =>
        disableWebhook(tx, actor, workspaceId, id, 'BY_HAND'),
    },
  };
  for (const [name, { schema, run, ...described }] of Object.entries(actions))
    app.route({
      method: 'POST',
      url: `/:id/${name}`,
      config,
      schema: {
        ...described,
        headers,
        params: WebhookParams,
        response: {
          200: { description: 'The webhook.', ...json(ref(schema)) },
          ...problems(400, 401, 403, 404, 406, 409, 413, 415, 429, 500, 503),
        },
      },
      handler: (request) => change(request, (tx, actor, workspaceId) => run(tx, actor, workspaceId, request.params.id)),
    });

  await deliveryRoutes(app, options);
};

export const webhooks: Resource<WebhookOptions> = {
  prefix: '/webhooks',
  tag: { name: 'Webhooks', description: 'Events posted to other systems, signed as Standard Webhooks.' },
  schemas: [
    NewWebhook,
    WebhookChange,
    Webhook,
    WebhookWithSecret,
    WebhookList,
    WebhookAttempt,
    WebhookAttemptList,
    WebhookTest,
    WebhookReplay,
  ],
  routes: webhookRoutes,
};
