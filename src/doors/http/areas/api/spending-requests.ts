import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import {
  SpendingRequest,
  SpendingRequestDecision,
  SpendingRequestParams,
  spendingRequestSchemas,
} from '../../../../ground/contract/spending-request.ts';
import { decideSpendingRequest } from '../../../../spending/redemptions/decide.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { json } from './returns.ts';

const decisions = [
  {
    decision: 'fulfil',
    id: 'fulfilSpendingRequest',
    summary: 'Fulfil a request',
    description:
      'Says that what a recipient asked for is done, for instance that a donation was made. The same decision again changes nothing; what was declined gives 409.',
  },
  {
    decision: 'decline',
    id: 'declineSpendingRequest',
    summary: 'Decline a request',
    description:
      'Says that what a recipient asked for is not possible. The gift has its balance back, and the recipient can choose again. What was fulfilled gives 409.',
  },
] as const;

const spendingRequestRoutes: Routes = async (app, { people, desk }) => {
  for (const { id, decision, ...described } of decisions)
    operation(app, id, `POST /:id/${decision}`, 'gifts:manage', {
      ...described,
      bodyIsOptional: true,
      params: SpendingRequestParams,
      body: SpendingRequestDecision,
      returns: json('The request as decided.', SpendingRequest),
      fails: [409],
      handler: ({ workspaceId, actor, params, body }) =>
        inWorkspace(people, workspaceId, (tx) =>
          decideSpendingRequest(tx, actor, workspaceId, params.id, decision, body.note, desk.mails),
        ),
    });
};

export const spendingRequests: Resource = {
  prefix: '/redemptions',
  tag: { name: 'Spending requests', description: 'What recipients ask for, and the people team fulfils or declines.' },
  schemas: spendingRequestSchemas,
  routes: spendingRequestRoutes,
};
