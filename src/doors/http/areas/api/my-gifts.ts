import type { Gift } from '../../../../giving/gifts/gift.ts';
import {
  claimOwnGift,
  mailOwnCode,
  type OwnClaimOutcome,
  openOwnGift,
  thankForOwnGift,
} from '../../../../giving/gifts/own/desk.ts';
import { findOwnGift, listOwnGifts, ownGift, readCodeLimit } from '../../../../giving/gifts/own/list.ts';
import type { Claimant } from '../../../../giving/gifts/own/standing.ts';
import { readThanks } from '../../../../giving/gifts/thank.ts';
import {
  MyClaim,
  type MyClaimOutcome,
  MyClaimResult,
  MyGift,
  MyGiftCode,
  MyGiftCodeRequest,
  MyGiftDetails,
  MyGiftPage,
  MyGiftParams,
  MyGiftQuery,
  MyThanks,
  myGiftSchemas,
} from '../../../../ground/contract/my-gift.ts';
import { invalid } from '../../../../ground/errors.ts';
import { readOwnCode } from '../../../../spending/redemptions/own/code.ts';
import { readOwnRedemptions } from '../../../../spending/redemptions/own/read.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import { recipientOf, refuseTokens } from './recipient.ts';
import type { Resource } from './resource.ts';
import { json } from './returns.ts';

const outcomes: Record<OwnClaimOutcome, MyClaimOutcome> = {
  claimed: 'CLAIMED',
  'code asked': 'CODE_SENT',
  'code wrong': 'CODE_WRONG',
  'code over': 'CODE_OVER',
  'no more codes': 'TOO_MANY_CODES',
};

const myGiftRoutes: Routes = async (app, { lookUps, desk }) => {
  const shown = async (recipient: Claimant, gift: Gift) => ownGift(gift, await readCodeLimit(lookUps, recipient));
  const claimed = async (recipient: Claimant, { outcome, gift }: { outcome: OwnClaimOutcome; gift: Gift }) => ({
    outcome: outcomes[outcome],
    gift: await shown(recipient, gift),
  });

  operation(app, 'listMyGifts', 'GET /', 'me:read', {
    forLeavers: true,
    summary: 'List your gifts',
    description:
      'All gifts of the member that the caller acts as, with what they can spend in each currency and what expires first. A sealed gift does not say what it is worth. No gift code and no link is in it. An unknown parameter gives 400.',
    query: MyGiftQuery,
    returns: json('A page of gifts, with the totals of all.', MyGiftPage),
    handler: (request) => listOwnGifts(lookUps, recipientOf(request), request.query),
  });

  operation(app, 'getMyGift', 'GET /:id', 'me:read', {
    forLeavers: true,
    summary: 'Get one of your gifts',
    description: 'The gift, and what was spent of it. Reading a sealed gift does not open it.',
    params: MyGiftParams,
    returns: json('The gift.', MyGiftDetails),
    handler: async (request) => {
      const recipient = recipientOf(request);
      const gift = await findOwnGift(lookUps, recipient, request.params.id);
      return { ...(await shown(recipient, gift)), redemptions: await readOwnRedemptions(lookUps, gift) };
    },
  });

  operation(app, 'openMyGift', 'POST /:id/open', 'me:write', {
    forLeavers: true,
    summary: 'Open one of your gifts',
    description: 'From then on it says what it is worth. The same request once more changes nothing.',
    params: MyGiftParams,
    returns: json('The gift.', MyGift),
    handler: async (request) => {
      const recipient = recipientOf(request);
      return shown(recipient, await openOwnGift(desk, recipient, request.params.id));
    },
  });

  operation(app, 'claimMyGift', 'POST /:id/claim', 'me:write', {
    forLeavers: true,
    bodyIsOptional: true,
    summary: 'Claim one of your gifts',
    description:
      'A claimed gift does not expire. A gift above the limit of the workspace needs a verification code, unless the caller has signed in through the email address of their record: the first request emails it, the next one sends it. A gift that has expired or was cancelled gives 409.',
    params: MyGiftParams,
    body: MyClaim,
    returns: json('What came of it.', MyClaimResult),
    fails: [409],
    handler: async (request) => {
      const recipient = recipientOf(request);
      return claimed(recipient, await claimOwnGift(desk, recipient, request.params.id, request.body.code ?? null));
    },
  });

  operation(app, 'sendMyVerificationCode', 'POST /:id/verification-code', 'me:write', {
    forLeavers: true,
    summary: 'Email another verification code',
    description: 'For a gift that needs one to be claimed. Once a minute, and ten a day.',
    params: MyGiftParams,
    returns: json('What came of it.', MyClaimResult),
    fails: [409],
    handler: async (request) => {
      const recipient = recipientOf(request);
      return claimed(recipient, await mailOwnCode(desk, recipient, request.params.id));
    },
  });

  operation(app, 'thankForMyGift', 'POST /:id/thank', 'me:write', {
    forLeavers: true,
    summary: 'Send a thank-you note',
    description: 'Once for each gift, after it is claimed. A second note changes nothing.',
    params: MyGiftParams,
    body: MyThanks,
    returns: json('The gift with the note.', MyGift),
    fails: [409],
    handler: async (request) => {
      const recipient = recipientOf(request);
      const note = readThanks(request.body.text);
      if (note === null) throw invalid([{ path: 'text', problem: 'must have 1 to 500 characters' }]);
      return shown(recipient, await thankForOwnGift(desk, recipient, request.params.id, note));
    },
  });

  operation(app, 'readMyGiftCode', 'POST /:id/code', 'me:write', {
    forLeavers: true,
    bodyIsOptional: true,
    changesNothing: true,
    summary: 'Read the code of one of your gifts',
    description:
      'For a till or a shop: everyone who has the code can spend the gift there. Only for people who are signed in, and only for a claimed gift.',
    params: MyGiftParams,
    body: MyGiftCodeRequest,
    returns: json('The code.', MyGiftCode),
    fails: [409],
    handler: async (request) => {
      refuseTokens(request);
      const gift = await findOwnGift(lookUps, recipientOf(request), request.params.id);
      return readOwnCode(lookUps, desk.keys, gift, request.body.spendingOption);
    },
  });
};

export const myGifts: Resource = {
  prefix: '/me/gifts',
  tag: { name: 'My gifts', description: 'What the caller has received, and what they do with it.' },
  schemas: myGiftSchemas,
  routes: myGiftRoutes,
};
