import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { actorOf } from '../../../../company/access/actor.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import {
  SpendingOption,
  SpendingOptionList,
  SpendingOptionParams,
  SpendingOptionQuery,
  SpendingOptionSetting,
  spendingOptionSchemas,
} from '../../../../ground/contract/spending-option.ts';
import type { Database, Queryable } from '../../../../ground/database/database.ts';
import { offerSpendingOption } from '../../../../spending/redemptions/offer.ts';
import { kindsToOffer, readSpendingOptions } from '../../../../spending/redemptions/spending-options.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import type { Resource } from './resource.ts';
import { tidySpendingOption } from './tidy-spending.ts';

export interface SpendingOptionRouteOptions {
  lookUps: Queryable;
  people: Database;
}

const spendingOptionRoutes: FastifyPluginAsyncTypebox<SpendingOptionRouteOptions> = async (
  app,
  { lookUps, people },
) => {
  const headers = Type.Object(WorkspaceHeader);
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });

  app.route({
    method: 'GET',
    url: '',
    config: { access: 'settings:read' },
    schema: {
      operationId: 'listSpendingOptions',
      summary: 'List spending options',
      description:
        'All spending options of the workspace, also those that are off. Payroll is there and on until somebody switches it off. The operation takes no parameters.',
      headers,
      querystring: SpendingOptionQuery,
      response: {
        200: {
          description: 'All spending options, and the kinds that they can have.',
          ...json(ref(SpendingOptionList)),
        },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: async ({ caller }) => ({
      spendingOptions: await readSpendingOptions(lookUps, caller.workspace.workspaceId),
      kinds: kindsToOffer,
    }),
  });

  app.route({
    method: 'PUT',
    url: '/:id',
    config: { access: 'settings:manage' },
    schema: {
      operationId: 'setSpendingOption',
      summary: 'Set a spending option',
      description:
        'Adds the spending option or replaces it; fields that are left out get their defaults. What was spent before stays as it was. The kind of a spending option cannot be changed: 409.',
      headers,
      params: SpendingOptionParams,
      body: ref(SpendingOptionSetting),
      response: {
        200: { description: 'The spending option.', ...json(ref(SpendingOption)) },
        ...problems(400, 401, 403, 404, 406, 409, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = tidySpendingOption(request.body) as typeof request.body;
    },
    handler: ({ caller, grant, params: { id }, body }) => {
      const { workspaceId } = caller.workspace;
      return inWorkspace(people, workspaceId, (tx) => offerSpendingOption(tx, actorOf(grant), workspaceId, id, body));
    },
  });
};

export const spendingOptions: Resource<SpendingOptionRouteOptions> = {
  prefix: '/spending-options',
  tag: { name: 'Spending options', description: 'How recipients can spend their gifts.' },
  schemas: spendingOptionSchemas,
  routes: spendingOptionRoutes,
};
