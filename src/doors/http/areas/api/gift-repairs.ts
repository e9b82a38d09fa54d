import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { actorOf } from '../../../../company/access/actor.ts';
import { cancel, correctAddress, extend, type RepairOptions, sendAgain } from '../../../../giving/delivery/repairs.ts';
import {
  GiftCorrection,
  GiftDetails,
  GiftExtension,
  GiftHeaders,
  GiftParams,
} from '../../../../ground/contract/gift.ts';
import { ReplayedHeader } from '../../../../ground/contract/idempotency.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import { headerText, restoreHeaderText } from '../../callers/header-text.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { tidyCorrection, tidyExtension } from './tidy.ts';

export interface GiftRepairOptions {
  repairs: Omit<RepairOptions, 'actor'>;
}

export const repairRoutes: FastifyPluginAsyncTypebox<GiftRepairOptions> = async (app, options) => {
  const repairs = ({ grant }: FastifyRequest) => ({ ...options.repairs, actor: actorOf(grant) });
  const headers = Type.Object(WorkspaceHeader);
  const config = { access: 'gifts:manage' as const };
  const answers = {
    200: {
      description: 'The gift with its timeline. The same request once more changes nothing.',
      content: { 'application/json': { schema: ref(GiftDetails) } },
    },
    ...problems(400, 401, 403, 404, 406, 409, 413, 415, 429, 500, 503),
  };

  app.route({
    method: 'POST',
    url: '/:id/resend',
    config,
    schema: {
      operationId: 'resendGift',
      summary: 'Send a gift again',
      description:
        'Mails the gift once more, with the same link and code. A gift that was never mailed is mailed now, a scheduled one at once. While its mail is QUEUED, nothing new happens; with an Idempotency-Key, a repeated request sends nothing either.',
      headers: Type.Object({ ...WorkspaceHeader, ...GiftHeaders.properties }),
      params: GiftParams,
      response: { ...answers, 200: { ...answers[200], headers: ReplayedHeader } },
    },
    preValidation: async (request) => restoreHeaderText(request, 'Idempotency-Key'),
    handler: async (request, reply) => {
      const { workspaceId } = request.caller.workspace;
      const key = headerText(request, 'Idempotency-Key');
      const { gift, isReplay } = await sendAgain(repairs(request), workspaceId, request.params.id, key);
      if (isReplay) reply.header('Idempotent-Replayed', 'true');
      return gift;
    },
  });

  app.route({
    method: 'POST',
    url: '/:id/correct',
    config,
    schema: {
      operationId: 'correctGift',
      summary: 'Correct the address of a gift',
      description:
        'Mails the gift to another address, with a new link and a new code. The earlier ones end at once. The address in the directory stays. With the address that the gift has already, nothing changes.',
      headers,
      params: GiftParams,
      body: ref(GiftCorrection),
      response: answers,
    },
    preValidation: async (request) => {
      request.body = tidyCorrection(request.body) as typeof request.body;
    },
    handler: (request) =>
      correctAddress(repairs(request), request.caller.workspace.workspaceId, request.params.id, request.body.email),
  });

  app.route({
    method: 'POST',
    url: '/:id/cancel',
    config,
    schema: {
      operationId: 'cancelGift',
      summary: 'Cancel a gift',
      description: 'Nobody can claim the gift, and no mail about it is sent. A claimed gift cannot be cancelled.',
      headers,
      params: GiftParams,
      response: answers,
    },
    handler: (request) => cancel(repairs(request), request.caller.workspace.workspaceId, request.params.id),
  });

  app.route({
    method: 'POST',
    url: '/:id/extend',
    config,
    schema: {
      operationId: 'extendGift',
      summary: 'Extend a gift',
      description:
        'Lets a gift be claimed for longer, or for good. One that has expired can be claimed again, if its budget still has what it costs.',
      headers,
      params: GiftParams,
      body: ref(GiftExtension),
      response: { ...answers, ...problems(402) },
    },
    preValidation: async (request) => {
      request.body = tidyExtension(request.body) as typeof request.body;
    },
    handler: (request) =>
      extend(repairs(request), request.caller.workspace.workspaceId, request.params.id, request.body.expiresOn),
  });
};
