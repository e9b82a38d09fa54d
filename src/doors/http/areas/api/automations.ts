import { readsPrivate } from '../../../../company/directory/readers.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import {
  addAutomation,
  changeAutomation,
  deleteAutomation,
  listAutomations,
  pauseAll,
  readAutomation,
} from '../../../../giving/automations/manage.ts';
import { outlookOf } from '../../../../giving/automations/outlook.ts';
import { planOf, planWithoutPeople } from '../../../../giving/automations/plan.ts';
import { checkTerms } from '../../../../giving/automations/references.ts';
import { completeTerms } from '../../../../giving/automations/terms.ts';
import {
  Automation,
  AutomationChange,
  AutomationList,
  AutomationParams,
  automationSchemas,
  NewAutomation,
} from '../../../../ground/contract/automation.ts';
import {
  AutomationOutlooks,
  AutomationPlan,
  PlanRequest,
  planSchemas,
} from '../../../../ground/contract/automation-plan.ts';
import { occurrenceSchemas } from '../../../../ground/contract/occurrence.ts';
import { noQuery } from '../../../../ground/contract/schema.ts';
import { occurrenceRoutes } from './occurrences.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { created, json, nothing } from './returns.ts';
import { matchVersion, sendVersion } from './versions.ts';

const automationRoutes: Routes = async (app, options) => {
  const { lookUps, reports, people } = options;

  operation(app, 'listAutomations', 'GET /', 'automations:read', {
    summary: 'List automations',
    description: 'All automations of the workspace, by name. The operation takes no parameters.',
    query: noQuery,
    returns: json('All automations.', AutomationList),
    handler: ({ workspaceId }) => listAutomations(lookUps, workspaceId),
  });

  operation(app, 'addAutomation', 'POST /', 'automations:manage', {
    summary: 'Add an automation',
    description:
      'Adds it as a draft, which does nothing until it is turned on. A workspace can have 50 automations: one more gives 409.',
    body: NewAutomation,
    returns: created('The automation.', Automation),
    fails: [409],
    handler: ({ workspaceId, actor, body }) =>
      inWorkspace(people, workspaceId, (tx) => addAutomation(tx, actor, workspaceId, body)),
  });

  operation(app, 'getAutomationOutlook', 'GET /outlook', 'automations:read', {
    summary: 'See what automations do next',
    description:
      'What each automation that is on does next, how much the next 30 days cost, and what needs attention: months that are short of money, orders that wait, and what could not be done. Callers without directory:write get no people. The operation takes no parameters.',
    query: noQuery,
    returns: json('What comes next.', AutomationOutlooks),
    handler: async ({ workspaceId, caller }) => ({ outlooks: await outlookOf(reports, workspaceId, caller.workspace) }),
  });

  operation(app, 'planAutomation', 'POST /plan', 'automations:read', {
    changesNothing: true,
    summary: 'Plan an automation',
    description:
      'The next twelve months of an automation: who, when, how much, against the budget, and whom it misses. It works for automations that do not exist yet, and for changes: then it shows the differences. Nothing is stored. Callers without directory:write get the sums of a stored automation, without people; other terms give 403.',
    body: PlanRequest,
    returns: json('The plan.', AutomationPlan),
    fails: [404],
    handler: async ({ workspaceId, caller, body: { terms: asked, automationId, month } }) => {
      const terms = completeTerms(asked);
      const before = automationId === undefined ? null : await readAutomation(lookUps, workspaceId, automationId);
      if (!readsPrivate(caller.workspace.scopes)) return planWithoutPeople(reports, workspaceId, terms, before);
      await checkTerms(lookUps, workspaceId, terms);
      return planOf(reports, workspaceId, terms, { before, month });
    },
  });

  operation(app, 'pauseAutomations', 'POST /pause', 'automations:manage', {
    summary: 'Pause all automations',
    description: 'Nothing goes out until they continue. The state of each automation stays as it is.',
    returns: json('All automations.', AutomationList),
    handler: ({ workspaceId, actor }) => setPaused(workspaceId, actor, true),
  });

  operation(app, 'resumeAutomations', 'POST /resume', 'automations:manage', {
    summary: 'Let all automations continue',
    description: 'They do nothing for the days of the pause.',
    returns: json('All automations.', AutomationList),
    handler: ({ workspaceId, actor }) => setPaused(workspaceId, actor, false),
  });

  const setPaused = (workspaceId: number, actor: Parameters<typeof pauseAll>[1], isPaused: boolean) =>
    inWorkspace(people, workspaceId, async (tx) => {
      await pauseAll(tx, actor, workspaceId, isPaused);
      return listAutomations(tx, workspaceId);
    });

  operation(app, 'getAutomation', 'GET /:id', 'automations:read', {
    summary: 'Get an automation',
    description: 'One automation.',
    params: AutomationParams,
    returns: json('The automation.', Automation),
    isVersioned: true,
    handler: async ({ workspaceId, params }, reply) =>
      sendVersion(reply, await readAutomation(lookUps, workspaceId, params.id)),
  });

  operation(app, 'changeAutomation', 'PATCH /:id', 'automations:manage', {
    summary: 'Change an automation',
    description:
      'Changes the fields that are given, turns the automation on, pauses it or lets it continue. It does nothing for days before it was turned on, nor for the days of a pause. If it could do nothing, for example because it has no message, turning it on gives 409. What it did before is not done again.',
    params: AutomationParams,
    body: AutomationChange,
    returns: json('The automation.', Automation),
    isVersioned: true,
    fails: [409],
    handler: async (request, reply) => {
      const { workspaceId, actor, params, body } = request;
      const saved = await inWorkspace(people, workspaceId, async (tx) => {
        await matchVersion(request, () => readAutomation(tx, workspaceId, params.id));
        return changeAutomation(tx, actor, workspaceId, params.id, body);
      });
      return sendVersion(reply, saved);
    },
  });

  operation(app, 'deleteAutomation', 'DELETE /:id', 'automations:manage', {
    summary: 'Delete an automation',
    description: 'What it did stays in the list of occurrences.',
    params: AutomationParams,
    returns: nothing('The automation is deleted.'),
    handler: ({ workspaceId, actor, params }) =>
      inWorkspace(people, workspaceId, (tx) => deleteAutomation(tx, actor, workspaceId, params.id)),
  });

  await app.register(occurrenceRoutes, options);
};

export const automations: Resource = {
  prefix: '/automations',
  tag: { name: 'Automations', description: 'What the service does for people on their days.' },
  schemas: [...automationSchemas, ...planSchemas, ...occurrenceSchemas],
  routes: automationRoutes,
};
