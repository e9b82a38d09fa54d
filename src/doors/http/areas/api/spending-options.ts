import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import { noQuery } from '../../../../ground/contract/schema.ts';
import {
  SpendingOption,
  SpendingOptionList,
  SpendingOptionParams,
  SpendingOptionSetting,
  spendingOptionSchemas,
} from '../../../../ground/contract/spending-option.ts';
import { offerSpendingOption } from '../../../../spending/redemptions/offer.ts';
import { kindsToOffer, readSpendingOptions } from '../../../../spending/redemptions/spending-options.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { json } from './returns.ts';
import { matchVersion, sendVersion } from './versions.ts';

const spendingOptionRoutes: Routes = async (app, { lookUps, people }) => {
  operation(app, 'listSpendingOptions', 'GET /', 'settings:read', {
    summary: 'List spending options',
    description:
      'All spending options of the workspace, also those that are off. Payroll exists and is on until a user turns it off. The operation has no parameters.',
    query: noQuery,
    returns: json('All spending options, and the kinds that they can have.', SpendingOptionList),
    isVersioned: true,
    handler: async ({ workspaceId }, reply) => {
      const spendingOptions = await readSpendingOptions(lookUps, workspaceId);
      sendVersion(reply, spendingOptions);
      return { spendingOptions, kinds: kindsToOffer };
    },
  });

  operation(app, 'setSpendingOption', 'PUT /:id', 'settings:manage', {
    summary: 'Set a spending option',
    description:
      'Adds the spending option or replaces it; fields that are left out get their defaults. What was spent before stays as it was. The kind of a spending option cannot be changed: 409. ETag and If-Match are the version of the whole list.',
    isVersioned: true,
    params: SpendingOptionParams,
    body: SpendingOptionSetting,
    returns: json('The spending option.', SpendingOption),
    fails: [409],
    handler: (request, reply) => {
      const { workspaceId, actor, params, body } = request;
      return inWorkspace(people, workspaceId, async (tx) => {
        await matchVersion(request, () => readSpendingOptions(tx, workspaceId));
        const option = await offerSpendingOption(tx, actor, workspaceId, params.id, body);
        sendVersion(reply, await readSpendingOptions(tx, workspaceId));
        return option;
      });
    },
  });
};

export const spendingOptions: Resource = {
  prefix: '/spending-options',
  tag: { name: 'Spending options', description: 'How recipients can spend their gifts.' },
  schemas: spendingOptionSchemas,
  routes: spendingOptionRoutes,
};
