import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { actorOf } from '../../../../company/access/audit.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import type { GiftMails } from '../../../../giving/gifts/claim.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import { Wish, WishDecision, WishParams, wishSchemas } from '../../../../ground/contract/wish.ts';
import type { Database } from '../../../../ground/database/database.ts';
import { decideWish } from '../../../../spending/redemptions/decide.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import type { Resource } from './resource.ts';
import { tidyWishDecision } from './tidy.ts';

interface WishOptions {
  people: Database;
  /** Null where this installation mails nothing. */
  mails: GiftMails | null;
}

const decisions = [
  {
    decision: 'fulfil',
    operationId: 'fulfilWish',
    summary: 'Fulfil a wish',
    description:
      'Says that what a recipient asked for is done, for instance that a donation was made. The same decision again changes nothing; what was declined gives 409.',
  },
  {
    decision: 'decline',
    operationId: 'declineWish',
    summary: 'Decline a wish',
    description:
      'Says that what a recipient asked for is not possible. The gift has its balance back, and the recipient can choose again. What was fulfilled gives 409.',
  },
] as const;

const wishRoutes: FastifyPluginAsyncTypebox<WishOptions> = async (app, { people, mails }) => {
  for (const { decision, ...described } of decisions)
    app.route({
      method: 'POST',
      url: `/:id/${decision}`,
      config: { access: 'gifts:manage', bodyIsOptional: true },
      schema: {
        ...described,
        headers: Type.Object(WorkspaceHeader),
        params: WishParams,
        body: ref(WishDecision),
        response: {
          200: { description: 'The wish as decided.', content: { 'application/json': { schema: ref(Wish) } } },
          ...problems(400, 401, 403, 404, 406, 409, 413, 415, 429, 500, 503),
        },
      },
      preValidation: async (request) => {
        request.body = tidyWishDecision(request.body) as typeof request.body;
      },
      handler: ({ caller, grant, params, body }) =>
        inWorkspace(people, caller.workspace.workspaceId, (tx) =>
          decideWish(tx, actorOf(grant), caller.workspace.workspaceId, params.id, decision, body.note, mails),
        ),
    });
};

export const wishes: Resource<WishOptions> = {
  prefix: '/redemptions',
  tag: { name: 'Wishes', description: 'What recipients ask for, and somebody fulfils or declines.' },
  schemas: wishSchemas,
  routes: wishRoutes,
};
