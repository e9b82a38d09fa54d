import type { FastifyRequest } from 'fastify';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import type { Gift } from '../../../../giving/gifts/gift.ts';
import { inTurnOfGift } from '../../../../giving/gifts/turns.ts';
import { RequiredIdempotencyHeader } from '../../../../ground/contract/idempotency.ts';
import { Redemption, RedemptionParams } from '../../../../ground/contract/redemption.ts';
import { CheckedGift, TillCheck, TillRedemption } from '../../../../ground/contract/till.ts';
import { voidAtTill } from '../../../../spending/redemptions/take-back.ts';
import { checkGift, findByToken, noSuchToken, redeemAtTill } from '../../../../spending/redemptions/till.ts';
import { headerText } from '../../callers/header-text.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import { created, json } from './returns.ts';

/** What tills and shops do. */
export const tillRoutes: Routes = async (app, { desk }) => {
  const find = async ({ ip, workspaceId }: FastifyRequest, token: string): Promise<Gift> => {
    const gift = await desk.lookUpCode(ip, () => findByToken(desk.database, desk.keys, workspaceId, token));
    if (!gift) throw noSuchToken();
    return gift;
  };

  operation(app, 'checkGift', 'POST /check', 'gifts:redeem', {
    changesNothing: true,
    summary: 'Check a gift at a till',
    description: 'Says whether a code is good and what is left. Nothing changes: the gift is not claimed by it.',
    body: TillCheck,
    returns: json('The gift, as a till has to know it.', CheckedGift),
    fails: [404],
    handler: async (request) => checkGift(desk.database, await find(request, request.body.token)),
  });

  operation(app, 'redeemGift', 'POST /redemptions', 'gifts:redeem', {
    summary: 'Redeem a gift at a till',
    description:
      'Redeems a gift or a part of it. Redeeming an unclaimed gift claims it. If the balance is too small, the status is 402, the message says how much is left, and nothing is redeemed. A gift can be spent in 100 parts; after that, only all that is left: 409.',
    headers: RequiredIdempotencyHeader,
    body: TillRedemption,
    returns: created(
      'The redemption. If the Idempotency-Key was used before, the one of that request as it is now.',
      Redemption,
    ),
    fails: [402, 404, 409],
    handler: async (request, reply) => {
      const { token, ...asked } = request.body;
      const gift = await find(request, token);
      const idempotencyKey = headerText(request, 'Idempotency-Key') as string;
      const { redemption, replayed } = await inTurnOfGift(desk.database, gift, (tx) =>
        redeemAtTill(tx, request.actor, desk, gift, { ...asked, idempotencyKey }),
      );
      if (replayed) reply.header('Idempotent-Replayed', 'true');
      return redemption;
    },
  });

  operation(app, 'voidRedemption', 'POST /redemptions/:id/void', 'gifts:redeem', {
    summary: 'Void a redemption of a till',
    description: 'The gift has the amount back. The same request once more changes nothing.',
    params: RedemptionParams,
    returns: json('The redemption.', Redemption),
    fails: [409],
    handler: ({ workspaceId, actor, params: { id } }) =>
      inWorkspace(desk.database, workspaceId, (tx) => voidAtTill(tx, actor, workspaceId, id)),
  });
};
