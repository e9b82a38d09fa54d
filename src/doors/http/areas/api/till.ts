import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { actorOf } from '../../../../company/access/actor.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import type { GiftDesk } from '../../../../giving/gifts/claim.ts';
import type { Gift } from '../../../../giving/gifts/gift.ts';
import { inTurnOfGift } from '../../../../giving/gifts/turns.ts';
import { ReplayedHeader, RequiredIdempotencyHeader } from '../../../../ground/contract/idempotency.ts';
import { Redemption, RedemptionParams } from '../../../../ground/contract/redemption.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import { CheckedGift, TillCheck, TillRedemption } from '../../../../ground/contract/till.ts';
import { voidAtTill } from '../../../../spending/redemptions/take-back.ts';
import { checkGift, findByToken, noSuchToken, redeemAtTill } from '../../../../spending/redemptions/till.ts';
import { headerText, restoreHeaderText } from '../../callers/header-text.ts';
import type { LookUpCode } from '../../limits/guesses.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { tidyTillCheck, tidyTillRedemption } from './tidy-spending.ts';

export interface TillOptions {
  /** `lookUpCode` limits wrong codes as on the gift page, for each address. */
  till: GiftDesk & { lookUpCode: LookUpCode };
}

/** What tills and shops do. */
export const tillRoutes: FastifyPluginAsyncTypebox<TillOptions> = async (app, { till }) => {
  const headers = Type.Object(WorkspaceHeader);
  const config = { access: 'gifts:redeem' as const };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const find = async ({ ip, caller }: FastifyRequest, token: string): Promise<Gift> => {
    const { workspaceId } = caller.workspace;
    const gift = await till.lookUpCode(ip, () => findByToken(till.database, till.keys, workspaceId, token));
    if (!gift) throw noSuchToken();
    return gift;
  };

  app.route({
    method: 'POST',
    url: '/check',
    config,
    schema: {
      operationId: 'checkGift',
      summary: 'Check a gift at a till',
      description: 'Says whether a code is good and what is left. Nothing changes: the gift is not claimed by it.',
      headers,
      body: ref(TillCheck),
      response: {
        200: { description: 'The gift, as a till has to know it.', ...json(ref(CheckedGift)) },
        ...problems(400, 401, 403, 404, 406, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = tidyTillCheck(request.body) as typeof request.body;
    },
    handler: async (request) => checkGift(till.database, await find(request, request.body.token)),
  });

  app.route({
    method: 'POST',
    url: '/redemptions',
    config,
    schema: {
      operationId: 'redeemGift',
      summary: 'Redeem a gift at a till',
      description:
        'Takes a gift or a part of it. A gift that nobody has claimed is claimed by that. If less is left than is asked for, the answer is 402 and says how much; nothing is taken. A gift can be spent in 100 parts; after that, only all that is left: 409.',
      headers: Type.Object({ ...WorkspaceHeader, ...RequiredIdempotencyHeader }),
      body: ref(TillRedemption),
      response: {
        201: {
          description: 'The redemption. If the Idempotency-Key was used before, the one of that request as it is now.',
          headers: ReplayedHeader,
          ...json(ref(Redemption)),
        },
        ...problems(400, 401, 402, 403, 404, 406, 409, 413, 415, 422, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = tidyTillRedemption(request.body) as typeof request.body;
      restoreHeaderText(request, 'Idempotency-Key');
    },
    handler: async (request, reply) => {
      const { token, ...asked } = request.body;
      const gift = await find(request, token);
      const idempotencyKey = headerText(request, 'Idempotency-Key') as string;
      const { redemption, replayed } = await inTurnOfGift(till.database, gift, (tx) =>
        redeemAtTill(tx, actorOf(request.grant), till, gift, { ...asked, idempotencyKey }),
      );
      if (replayed) reply.header('Idempotent-Replayed', 'true');
      return reply.code(201).send(redemption);
    },
  });

  app.route({
    method: 'POST',
    url: '/redemptions/:id/void',
    config,
    schema: {
      operationId: 'voidRedemption',
      summary: 'Void a redemption of a till',
      description: 'The gift has the amount back. The same request once more changes nothing.',
      headers,
      params: RedemptionParams,
      response: {
        200: { description: 'The redemption.', ...json(ref(Redemption)) },
        ...problems(400, 401, 403, 404, 406, 409, 413, 415, 429, 500, 503),
      },
    },
    handler: ({ caller, grant, params: { id } }) => {
      const { workspaceId } = caller.workspace;
      return inWorkspace(till.database, workspaceId, (tx) => voidAtTill(tx, actorOf(grant), workspaceId, id));
    },
  });
};
