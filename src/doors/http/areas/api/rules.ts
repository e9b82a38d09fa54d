import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import { addRule, changeRule, deleteRule, listRules, readRule } from '../../../../giving/approvals/rules.ts';
import { NewRule, Rule, RuleChange, RuleList, RuleParams, ruleSchemas } from '../../../../ground/contract/rule.ts';
import { noQuery } from '../../../../ground/contract/schema.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { created, json, nothing } from './returns.ts';
import { matchVersion, sendVersion } from './versions.ts';

const ruleRoutes: Routes = async (app, { lookUps, people }) => {
  operation(app, 'listRules', 'GET /', 'rules:read', {
    summary: 'List rules',
    description: 'All rules of the workspace in the order in which they are tried. The operation takes no parameters.',
    query: noQuery,
    returns: json('All rules.', RuleList),
    handler: async ({ workspaceId }) => ({ rules: await listRules(lookUps, workspaceId) }),
  });

  operation(app, 'addRule', 'POST /', 'rules:manage', {
    summary: 'Add a rule',
    description:
      'Every node applies it to new orders within a second. Orders that were accepted before are not affected. A workspace can have 100 rules: one more gives 409.',
    body: NewRule,
    returns: created('The rule.', Rule),
    fails: [409],
    handler: ({ workspaceId, actor, body }) =>
      inWorkspace(people, workspaceId, (tx) => addRule(tx, actor, workspaceId, body)),
  });

  operation(app, 'getRule', 'GET /:id', 'rules:read', {
    summary: 'Get a rule',
    description: 'One rule.',
    params: RuleParams,
    returns: json('The rule.', Rule),
    isVersioned: true,
    handler: async ({ workspaceId, params }, reply) =>
      sendVersion(reply, await readRule(lookUps, workspaceId, params.id)),
  });

  operation(app, 'changeRule', 'PATCH /:id', 'rules:manage', {
    summary: 'Change a rule',
    description:
      'Changes the fields that are given, turns the rule on or off, or moves it to another position. Orders that wait keep their approvers.',
    params: RuleParams,
    body: RuleChange,
    returns: json('The rule.', Rule),
    isVersioned: true,
    handler: async (request, reply) => {
      const { workspaceId, actor, params, body } = request;
      const saved = await inWorkspace(people, workspaceId, async (tx) => {
        await matchVersion(request, () => readRule(tx, workspaceId, params.id));
        return changeRule(tx, actor, workspaceId, params.id, body);
      });
      return sendVersion(reply, saved);
    },
  });

  operation(app, 'deleteRule', 'DELETE /:id', 'rules:manage', {
    summary: 'Delete a rule',
    description: 'Orders that wait because of it keep waiting for their approvers.',
    params: RuleParams,
    returns: nothing('The rule is deleted.'),
    handler: ({ workspaceId, actor, params }) =>
      inWorkspace(people, workspaceId, (tx) => deleteRule(tx, actor, workspaceId, params.id)),
  });
};

export const rules: Resource = {
  prefix: '/rules',
  tag: { name: 'Rules', description: 'When an order waits for approval or is rejected.' },
  schemas: ruleSchemas,
  routes: ruleRoutes,
};
