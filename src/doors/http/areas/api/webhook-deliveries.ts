import { listAttempts } from '../../../../company/events/webhooks/attempts.ts';
import { findWebhook } from '../../../../company/events/webhooks/endpoints.ts';
import { replayEvents } from '../../../../company/events/webhooks/replay.ts';
import { tryWebhook } from '../../../../company/events/webhooks/try.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import type { EventType } from '../../../../ground/contract/event.ts';
import {
  Webhook,
  WebhookAttempt,
  WebhookAttemptList,
  WebhookAttemptQuery,
  WebhookParams,
  WebhookReplay,
  WebhookTest,
} from '../../../../ground/contract/webhook.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import { accepted, json } from './returns.ts';

/** What was posted to a webhook, and what is posted to it on request. */
export const deliveryRoutes: Routes = async (app, options) => {
  const { lookUps, people, agent, deriveSecret } = options;

  operation(app, 'testWebhook', 'POST /:id/test', 'webhooks:manage', {
    actsOutside: true,
    bodyIsOptional: true,
    summary: 'Post a sample',
    description: 'Posts a sample event of any type at once and answers with what came of it. Nothing of it is kept.',
    params: WebhookParams,
    body: WebhookTest,
    returns: json('The attempt.', WebhookAttempt),
    handler: async ({ workspaceId, params, body }) => {
      const endpoint = { workspaceId, ...(await findWebhook(lookUps, workspaceId, params.id)) };
      return tryWebhook(agent, endpoint, deriveSecret, (body.type ?? 'order.completed') as EventType);
    },
  });

  operation(app, 'replayWebhook', 'POST /:id/replay', 'webhooks:manage', {
    summary: 'Replay events',
    description: 'Posts one event, or everything from a number, once more.',
    params: WebhookParams,
    body: WebhookReplay,
    returns: accepted('They are posted soon.', Webhook),
    fails: [410],
    handler: ({ workspaceId, actor, params, body }) =>
      inWorkspace(people, workspaceId, (tx) => replayEvents(tx, actor, workspaceId, params.id, body)),
  });

  operation(app, 'listWebhookAttempts', 'GET /:id/attempts', 'webhooks:read', {
    summary: 'List attempts',
    description: 'The latest attempts to post an event, with status, time and the beginning of the answer.',
    params: WebhookParams,
    query: WebhookAttemptQuery,
    returns: json('The latest first.', WebhookAttemptList),
    handler: async ({ workspaceId, params, query }) => {
      await findWebhook(lookUps, workspaceId, params.id);
      return { attempts: await listAttempts(lookUps, workspaceId, params.id, query.size) };
    },
  });
};
