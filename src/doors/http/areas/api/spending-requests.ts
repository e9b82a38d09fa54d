import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { actorOf } from '../../../../company/access/actor.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import type { GiftMails } from '../../../../giving/gifts/claim.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import {
  SpendingRequest,
  SpendingRequestDecision,
  SpendingRequestParams,
  spendingRequestSchemas,
} from '../../../../ground/contract/spending-request.ts';
import type { Database } from '../../../../ground/database/database.ts';
import { decideSpendingRequest } from '../../../../spending/redemptions/decide.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import type { Resource } from './resource.ts';
import { tidySpendingRequestDecision } from './tidy.ts';

interface SpendingRequestOptions {
  people: Database;
  /** Null where this installation mails nothing. */
  mails: GiftMails | null;
}

const decisions = [
  {
    decision: 'fulfil',
    operationId: 'fulfilSpendingRequest',
    summary: 'Fulfil a request',
    description:
      'Says that what a recipient asked for is done, for instance that a donation was made. The same decision again changes nothing; what was declined gives 409.',
  },
  {
    decision: 'decline',
    operationId: 'declineSpendingRequest',
    summary: 'Decline a request',
    description:
      'Says that what a recipient asked for is not possible. The gift has its balance back, and the recipient can choose again. What was fulfilled gives 409.',
  },
] as const;

const spendingRequestRoutes: FastifyPluginAsyncTypebox<SpendingRequestOptions> = async (app, { people, mails }) => {
  for (const { decision, ...described } of decisions)
    app.route({
      method: 'POST',
      url: `/:id/${decision}`,
      config: { access: 'gifts:manage', bodyIsOptional: true },
      schema: {
        ...described,
        headers: Type.Object(WorkspaceHeader),
        params: SpendingRequestParams,
        body: ref(SpendingRequestDecision),
        response: {
          200: {
            description: 'The request as decided.',
            content: { 'application/json': { schema: ref(SpendingRequest) } },
          },
          ...problems(400, 401, 403, 404, 406, 409, 413, 415, 429, 500, 503),
        },
      },
      preValidation: async (request) => {
        request.body = tidySpendingRequestDecision(request.body) as typeof request.body;
      },
      handler: ({ caller, grant, params, body }) =>
        inWorkspace(people, caller.workspace.workspaceId, (tx) =>
          decideSpendingRequest(
            tx,
            actorOf(grant),
            caller.workspace.workspaceId,
            params.id,
            decision,
            body.note,
            mails,
          ),
        ),
    });
};

export const spendingRequests: Resource<SpendingRequestOptions> = {
  prefix: '/redemptions',
  tag: { name: 'Spending requests', description: 'What recipients ask for, and somebody fulfils or declines.' },
  schemas: spendingRequestSchemas,
  routes: spendingRequestRoutes,
};
