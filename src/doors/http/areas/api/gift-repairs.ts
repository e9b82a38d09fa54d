import type { FastifyRequest } from 'fastify';
import type { WorkspaceGrant } from '../../../../company/access/grant.ts';
import { isBelow } from '../../../../company/directory/reporting-line.ts';
import { cancel, correctAddress, extend, sendAgain } from '../../../../giving/delivery/repairs.ts';
import { findGift, noGift } from '../../../../giving/gifts/repairs.ts';
import {
  GiftCorrection,
  GiftDetails,
  GiftExtension,
  GiftHeaders,
  GiftParams,
} from '../../../../ground/contract/gift.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { Failure } from '../../../../ground/errors.ts';
import { headerText } from '../../callers/header-text.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import { json } from './returns.ts';

/** A manager corrects what they sent to one of their reports. Gifts that they may not see do not exist for them. */
async function checkManager(on: Queryable, { workspaceId, onlyReportsOf, memberId }: WorkspaceGrant, id: number) {
  if (onlyReportsOf === null) return;
  const gift = await findGift(on, workspaceId, id);
  if (!(await isBelow(on, workspaceId, onlyReportsOf, gift.memberId))) throw noGift();
  if (gift.senderId !== memberId)
    throw new Failure(
      'forbidden',
      'Managers can only correct gifts that they sent: ask the sender or the people team.',
    );
}

export const repairRoutes: Routes = async (app, { people, keys, desk }) => {
  const isMailOn = desk.mails !== null;
  const repairs = ({ actor }: FastifyRequest) => ({ database: people, keys, isMailOn, actor });
  const returns = json('The gift with its timeline. The same request once more changes nothing.', GiftDetails);

  operation(app, 'resendGift', 'POST /:id/resend', 'gifts:manage', {
    summary: 'Send a gift again',
    description:
      'Emails the gift once more, with the same link and code. A gift that was never emailed is emailed now, a scheduled one at once. While its email is QUEUED, nothing new happens; with an Idempotency-Key, a repeated request sends nothing either.',
    headers: GiftHeaders.properties,
    params: GiftParams,
    returns,
    fails: [409],
    handler: async (request, reply) => {
      const { workspaceId } = request;
      const key = headerText(request, 'Idempotency-Key');
      const { gift, isReplay } = await sendAgain(repairs(request), workspaceId, request.params.id, key);
      if (isReplay) reply.header('Idempotent-Replayed', 'true');
      return gift;
    },
  });

  operation(app, 'correctGift', 'POST /:id/correct', 'gifts:correct', {
    forManagers: true,
    summary: 'Correct the address of a gift',
    description:
      'Emails the gift to another address, with a new link and a new code. The earlier ones end at once. The address in the directory stays. With the address that the gift has already, nothing changes. Managers can correct the gifts that they sent to their own reports.',
    params: GiftParams,
    body: GiftCorrection,
    returns,
    fails: [409],
    handler: async (request) => {
      await checkManager(people, request.caller.workspace, request.params.id);
      return correctAddress(repairs(request), request.workspaceId, request.params.id, request.body.email);
    },
  });

  operation(app, 'cancelGift', 'POST /:id/cancel', 'gifts:manage', {
    summary: 'Cancel a gift',
    description:
      'The gift can no longer be claimed, and no email about it is sent. A claimed gift cannot be cancelled.',
    params: GiftParams,
    returns,
    fails: [409],
    handler: (request) => cancel(repairs(request), request.workspaceId, request.params.id),
  });

  operation(app, 'extendGift', 'POST /:id/extend', 'gifts:manage', {
    summary: 'Extend a gift',
    description:
      'Extends a gift, or removes its expiry date. One that has expired can be claimed again, if its budget still has what it costs.',
    params: GiftParams,
    body: GiftExtension,
    returns,
    fails: [402, 409],
    handler: (request) => extend(repairs(request), request.workspaceId, request.params.id, request.body.expiresOn),
  });
};
