import { findShoutout, listShoutouts } from '../../../../giving/recognition/read.ts';
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
import { Failure } from '../../../../ground/errors.ts';
import { headerText } from '../../callers/header-text.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { created, json } from './returns.ts';

const key = 'Idempotency-Key';

const shoutoutRoutes: Routes = async (app, options) => {
  const { shoutouts, lookUps } = options;

  operation(app, 'giveShoutout', 'POST /', 'recognition:write', {
    forManagers: true,
    summary: 'Give a shoutout',
    description:
      'Records the shoutout at once: APPROVED, or PENDING if the workspace asks for approval. Naming a sender also needs the scope recognition:delegate.',
    headers: ShoutoutHeaders.properties,
    body: ShoutoutRequest,
    returns: created(
      'The shoutout is recorded. If the Idempotency-Key was used before, this is the shoutout of that request.',
      Shoutout,
    ),
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
      return record;
    },
  });

  operation(app, 'listShoutouts', 'GET /', 'recognition:read', {
    summary: 'List shoutouts',
    description: 'The shoutouts with one status, newest first. An unknown parameter gives 400.',
    query: ShoutoutQuery,
    returns: json('A page of shoutouts.', ShoutoutPage),
    listsPeople: { of: 'recognition', field: 'shoutouts' },
    handler: ({ caller, query }) => listShoutouts(lookUps, caller.workspace, query),
  });

  operation(app, 'getShoutout', 'GET /:id', 'recognition:read', {
    summary: 'Get a shoutout',
    description: 'One shoutout, including declined ones.',
    params: ShoutoutParams,
    returns: json('The shoutout.', Shoutout),
    handler: ({ workspaceId, caller, params }) => findShoutout(lookUps, workspaceId, params.id, caller.workspace),
  });

  for (const { verb, decision, ...described } of decisions)
    operation(app, `${verb}Shoutout`, `POST /:id/${verb}`, 'recognition:approve', {
      ...described,
      bodyIsOptional: true,
      params: ShoutoutParams,
      body: Decision,
      returns: json('The shoutout as decided.', Shoutout),
      fails: [409],
      handler: ({ actor, caller, params: { id }, body }) =>
        shoutouts.decide(caller.workspace, { id, decision, reason: body.reason ?? null, actor }),
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

export const shoutouts: Resource = {
  prefix: '/shoutouts',
  tag: {
    name: 'Shoutouts',
    description: 'Say thanks without a gift; approve or decline if the workspace asks for approval.',
  },
  schemas: shoutoutSchemas,
  routes: shoutoutRoutes,
};
