import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import { decideOrders, userOf } from '../../../../giving/approvals/decide.ts';
import { nameDeputy, readDeputy, removeDeputy } from '../../../../giving/approvals/deputies.ts';
import { findApproval, listApprovals } from '../../../../giving/approvals/list.ts';
import {
  ApprovalPage,
  ApprovalQuery,
  approvalSchemas,
  DecidedOrders,
  OrderApproval,
  OrderDecisions,
} from '../../../../ground/contract/approval.ts';
import { Deputy, deputySchemas, NewDeputy } from '../../../../ground/contract/deputy.ts';
import { RequestIdParams } from '../../../../ground/contract/order.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { json, nothing } from './returns.ts';

const approvalRoutes: Routes = async (app, { lookUps, people, steps }) => {
  operation(app, 'listApprovals', 'GET /', 'approvals:read', {
    forManagers: true,
    summary: 'List approvals',
    description:
      'Orders and shoutouts that wait for approval, in one list, the oldest first; or orders that were decided, the newest first. An unknown parameter gives 400.',
    query: ApprovalQuery,
    returns: json('A page of approvals.', ApprovalPage),
    listsPeople: { of: 'recognition', field: 'approvals' },
    handler: ({ caller, query }) => listApprovals(lookUps, caller.workspace, query),
  });

  operation(app, 'getApproval', 'GET /orders/:requestId', 'approvals:read', {
    forManagers: true,
    summary: "Get an order's approval",
    description:
      'Whom the order waits for and since when, or what was decided, with the comments. Managers and approvers see the orders that they sent, are asked about or have decided.',
    params: RequestIdParams,
    returns: json("The order's approval.", OrderApproval),
    handler: ({ caller, params }) => findApproval(lookUps, caller.workspace, params.requestId.toLowerCase()),
  });

  operation(app, 'decideOrders', 'POST /decisions', 'approvals:decide', {
    forManagers: true,
    summary: 'Approve or decline orders',
    description:
      'Decides orders that wait for the caller: all of them, or none. An approved order goes to the next level or is fulfilled. A declined order fails, and its money returns. The same decision again changes nothing. An order that another approver has decided gives 409. The sender, the person who requested or retried the order and its recipients get 403, and so do tokens: only a person decides. A limit of a budget that was set while an order waited gives 402.',
    body: OrderDecisions,
    returns: json('The orders as decided.', DecidedOrders),
    fails: [402, 404, 409],
    handler: async ({ caller, actor, body }) => ({
      orders: await decideOrders(people, steps, caller.workspace, actor, body),
    }),
  });

  operation(app, 'getDeputy', 'GET /deputy', 'approvals:decide', {
    forManagers: true,
    summary: 'Get your deputy',
    description: 'Who decides for the caller while they are away. Without a deputy: 404.',
    returns: json('The deputy.', Deputy),
    fails: [404],
    handler: ({ workspaceId, caller }) => readDeputy(lookUps, workspaceId, caller.workspace.memberId),
  });

  operation(app, 'nameDeputy', 'PUT /deputy', 'approvals:decide', {
    forManagers: true,
    summary: 'Name your deputy',
    description:
      'The deputy is asked too on these days, and instead of the caller after the caller has left. A deputy needs a role that may decide. A token gets 403.',
    body: NewDeputy,
    returns: json('The deputy.', Deputy),
    handler: async ({ workspaceId, actor, caller, body }) => {
      userOf(actor);
      return inWorkspace(people, workspaceId, (tx) =>
        nameDeputy(tx, actor, workspaceId, caller.workspace.memberId, body),
      );
    },
  });

  operation(app, 'removeDeputy', 'DELETE /deputy', 'approvals:decide', {
    forManagers: true,
    summary: 'Remove your deputy',
    description: 'From now on the caller alone is asked. Without a deputy: 404. A token gets 403.',
    returns: nothing('The caller has no deputy.'),
    fails: [404],
    handler: async ({ workspaceId, actor, caller }) => {
      userOf(actor);
      await inWorkspace(people, workspaceId, (tx) => removeDeputy(tx, actor, workspaceId, caller.workspace.memberId));
    },
  });
};

export const approvals: Resource = {
  prefix: '/approvals',
  tag: { name: 'Approvals', description: 'What waits for a decision: orders and shoutouts.' },
  schemas: [...approvalSchemas, ...deputySchemas],
  routes: approvalRoutes,
};
