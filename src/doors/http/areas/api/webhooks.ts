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
import { noQuery } from '../../../../ground/contract/schema.ts';
import {
  NewWebhook,
  Webhook,
  WebhookAttempt,
  WebhookAttemptList,
  WebhookChange,
  WebhookList,
  WebhookParams,
  WebhookPosts,
  WebhookReplay,
  WebhookTest,
  WebhookWithSecret,
} from '../../../../ground/contract/webhook.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { created, json, nothing } from './returns.ts';
import { editedBy, versionsOf } from './versions.ts';
import { deliveryRoutes } from './webhook-deliveries.ts';

const webhookRoutes: Routes = async (app, options) => {
  const { lookUps, people, networks, deriveSecret, keys } = options;
  const withSecret = (workspaceId: number, webhook: StoredWebhook) => ({
    ...webhook,
    secret: webhookSecret(deriveSecret, { workspaceId, ...webhook }),
  });

  operation(app, 'listWebhooks', 'GET /', 'webhooks:read', {
    summary: 'List webhooks',
    description: 'Where events are posted to, and how far each endpoint has got. It takes no parameters.',
    query: noQuery,
    returns: json('All of them.', WebhookList),
    handler: async ({ workspaceId }) => ({ webhooks: await listWebhooks(lookUps, workspaceId) }),
  });

  operation(app, 'addWebhook', 'POST /', 'webhooks:manage', {
    returnsSecret: true,
    summary: 'Add a webhook',
    description: 'It gets the events from now on. A workspace has at most 20.',
    body: NewWebhook,
    returns: created('The webhook, with the secret that verifies its signatures.', WebhookWithSecret),
    fails: [409],
    handler: async ({ workspaceId, actor, body }) => {
      // Once more while the workspace is locked. Here it spares the look-up of the address, which can take seconds.
      await checkWebhookCount(lookUps, workspaceId);
      await checkWebhookUrl(body.url, networks);
      const add = (tx: Queryable) => addWebhook(tx, actor, workspaceId, body, keys.current);
      return withSecret(workspaceId, await inWorkspace(people, workspaceId, add));
    },
  });

  operation(app, 'getWebhook', 'GET /:id', 'webhooks:read', {
    summary: 'Get a webhook',
    description: 'One endpoint, and how far it has got.',
    params: WebhookParams,
    returns: json('The webhook.', Webhook),
    isVersioned: true,
    handler: async ({ workspaceId, params }, reply) =>
      versions.send(reply, await findWebhook(lookUps, workspaceId, params.id)),
  });

  operation(app, 'changeWebhook', 'PATCH /:id', 'webhooks:manage', {
    summary: 'Change a webhook',
    description: 'Its address, types, ordering or description. What it has got and not got stays.',
    params: WebhookParams,
    body: WebhookChange,
    returns: json('The webhook.', Webhook),
    isVersioned: true,
    handler: async (request, reply) => {
      const { workspaceId, actor, params, body } = request;
      if (body.url !== undefined) await checkWebhookUrl(body.url, networks);
      const changed = await inWorkspace(people, workspaceId, async (tx) => {
        await versions.match(request, () => findWebhook(tx, workspaceId, params.id));
        return changeWebhook(tx, actor, workspaceId, params.id, body);
      });
      return versions.send(reply, changed);
    },
  });

  operation(app, 'deleteWebhook', 'DELETE /:id', 'webhooks:manage', {
    summary: 'Delete a webhook',
    description: 'Nothing is posted to it from now on. Its attempts go with it.',
    params: WebhookParams,
    returns: nothing('Deleted.'),
    handler: ({ workspaceId, actor, params }) =>
      inWorkspace(people, workspaceId, (tx) => deleteWebhook(tx, actor, workspaceId, params.id)),
  });

  const actions = {
    rotate: {
      id: 'rotateWebhookSecret',
      summary: 'Rotate the secret',
      description: 'Deliveries are signed with both secrets for 24 hours, then with the new one alone.',
      schema: WebhookWithSecret,
      run: async (tx: Queryable, actor: Actor, workspaceId: number, id: number) =>
        withSecret(workspaceId, await rotateSecret(tx, actor, workspaceId, id, keys.current)),
    },
    enable: {
      id: 'enableWebhook',
      summary: 'Enable a webhook',
      description: 'Delivery resumes with the first undelivered event.',
      schema: Webhook,
      run: enableWebhook,
    },
    disable: {
      id: 'disableWebhook',
      summary: 'Disable a webhook',
      description: 'Nothing is posted to it until it is enabled again.',
      schema: Webhook,
      run: (tx: Queryable, actor: Actor, workspaceId: number, id: number) =>
        disableWebhook(tx, actor, workspaceId, id, 'BY_HAND'),
    },
  };
  for (const [name, { id, schema, run, ...described }] of Object.entries(actions))
    operation(app, id, `POST /:id/${name}`, 'webhooks:manage', {
      ...described,
      params: WebhookParams,
      returnsSecret: schema === WebhookWithSecret,
      returns: json('The webhook.', schema),
      fails: [409],
      handler: ({ workspaceId, actor, params }) =>
        inWorkspace(people, workspaceId, (tx) => run(tx, actor, workspaceId, params.id)),
    });

  await deliveryRoutes(app, options);
};

const versions = versionsOf(editedBy(WebhookChange));

export const webhooks: Resource = {
  prefix: '/webhooks',
  tag: { name: 'Webhooks', description: 'Events posted to other systems, signed as Standard Webhooks.' },
  schemas: [
    NewWebhook,
    WebhookChange,
    WebhookPosts,
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
