import { inTurnOfRecipient } from '../../../../giving/gifts/turns.ts';
import { RequiredIdempotencyHeader } from '../../../../ground/contract/idempotency.ts';
import {
  GivenCard,
  MySpendingOptions,
  MySpendingOptionsQuery,
  mySpendingSchemas,
  NewSpending,
  Spending,
  SpendingParams,
  SpendingPreview,
} from '../../../../ground/contract/my-spending.ts';
import { readOwnCard } from '../../../../spending/redemptions/own/code.ts';
import { previewSpending, readOwnOptions } from '../../../../spending/redemptions/own/options.ts';
import { readOwnSpending } from '../../../../spending/redemptions/own/read.ts';
import { reverseOwnSpending } from '../../../../spending/redemptions/own/reverse.ts';
import { spendOwnGifts } from '../../../../spending/redemptions/own/spend.ts';
import { headerText } from '../../callers/header-text.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import { actingFor, recipientOf, refuseTokens } from './recipient.ts';
import type { Resource } from './resource.ts';
import { created, json } from './returns.ts';

const mySpendingRoutes: Routes = async (app, { lookUps, desk }) => {
  operation(app, 'listMySpendingOptions', 'GET /spending-options', 'me:read', {
    forLeavers: true,
    summary: 'List what your gifts can be spent on',
    description: 'With what is left in the currency. An unknown parameter gives 400.',
    query: MySpendingOptionsQuery,
    returns: json('The spending options.', MySpendingOptions),
    handler: (request) => readOwnOptions(lookUps, recipientOf(request), request.query.currency),
  });

  operation(app, 'previewMySpending', 'POST /spending/preview', 'me:read', {
    forLeavers: true,
    changesNothing: true,
    summary: 'Preview a spending',
    description:
      'Says which gifts would be used and what stays. Nothing is spent. Errors are those of the request that spends.',
    body: NewSpending,
    returns: json('Where it would come from.', SpendingPreview),
    fails: [402, 404, 409],
    handler: (request) => previewSpending(lookUps, recipientOf(request), request.body),
  });

  operation(app, 'spendMyGifts', 'POST /spending', 'me:write', {
    forLeavers: true,
    summary: 'Spend your gifts',
    description:
      'Spends one amount of one gift or of several together: all of it or nothing. Gifts that expire first are used first, unless `gifts` names the parts. Each gift has a redemption of its own. An opened gift that is not claimed yet is claimed by it. 402: the gifts have less. 409: a gift has changed meanwhile, or the spending option does not allow it; the message says what happened and what is left.',
    headers: RequiredIdempotencyHeader,
    body: NewSpending,
    returns: created(
      'What was spent. If the Idempotency-Key was used before, what was spent then, as it is now.',
      Spending,
    ),
    fails: [402, 404, 409],
    handler: async (request, reply) => {
      const recipient = recipientOf(request);
      const idempotencyKey = headerText(request, 'Idempotency-Key') as string;
      const asked = { ...request.body, idempotencyKey, ...actingFor(request) };
      const { id, replayed } = await inTurnOfRecipient(desk.database, recipient, (tx) =>
        spendOwnGifts(tx, desk, recipient, asked),
      );
      if (replayed) reply.header('Idempotent-Replayed', 'true');
      return readOwnSpending(desk.database, recipient, id);
    },
  });

  operation(app, 'getMySpending', 'GET /spending/:id', 'me:read', {
    forLeavers: true,
    summary: 'Get one of your spendings',
    description: 'What was spent at once, and of which gifts.',
    params: SpendingParams,
    returns: json('The spending.', Spending),
    handler: (request) => readOwnSpending(lookUps, recipientOf(request), request.params.id),
  });

  operation(app, 'reverseMySpending', 'POST /spending/:id/reverse', 'me:write', {
    forLeavers: true,
    summary: 'Reverse one of your spendings',
    description:
      'The gifts have the amounts back. What goes to the salary can be reversed until a payroll export has it, other spendings cannot: 409. The same request once more changes nothing.',
    params: SpendingParams,
    returns: json('The spending.', Spending),
    fails: [409],
    handler: async (request) => {
      const recipient = recipientOf(request);
      const { id } = request.params;
      await inTurnOfRecipient(desk.database, recipient, (tx) => reverseOwnSpending(tx, request.actor, recipient, id));
      return readOwnSpending(desk.database, recipient, id);
    },
  });

  operation(app, 'readMyCard', 'POST /spending/:id/code', 'me:write', {
    forLeavers: true,
    changesNothing: true,
    summary: 'Read the gift card of one of your spendings',
    description: 'The code of the retailer. Only for people who are signed in.',
    params: SpendingParams,
    returns: json('The gift card.', GivenCard),
    handler: (request) => {
      refuseTokens(request);
      return readOwnCard(lookUps, desk.keys, recipientOf(request), request.params.id);
    },
  });
};

export const mySpending: Resource = {
  prefix: '/me',
  tag: { name: 'My spending', description: 'What the caller spends their gifts on, also several together.' },
  schemas: mySpendingSchemas,
  routes: mySpendingRoutes,
};
