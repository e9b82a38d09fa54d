import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  balanceCsvColumns,
  listMemberBalances,
  readMemberBalance,
  readWorkspaceBalance,
  streamMemberBalances,
} from '../../../../giving/budgets/balances.ts';
import {
  BalanceQuery,
  balanceSchemas,
  CurrencyParams,
  MemberBalance,
  MemberBalancePage,
  MemberBalanceParams,
  WorkspaceBalance,
} from '../../../../ground/contract/budget.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { sendCsv } from './csv.ts';
import { allAsCsv, type Exports } from './exports.ts';
import { asksForCsv } from './media.ts';
import type { Resource } from './resource.ts';

export interface BalanceOptions {
  lookUps: Queryable;
  reports: Queryable;
  exports: Exports;
}

const balanceRoutes: FastifyPluginAsyncTypebox<BalanceOptions> = async (app, { lookUps, reports, exports }) => {
  const headers = Type.Object(WorkspaceHeader);
  const access = 'budgets:read' as const;
  const answers = (schema: object) => ({
    200: { description: 'What is left.', content: { 'application/json': { schema } } },
    ...problems(400, 401, 403, 404, 406, 429, 500, 503),
  });

  app.route({
    method: 'GET',
    url: '/workspaces/currencies/:currency',
    config: { access },
    schema: {
      operationId: 'getWorkspaceBalance',
      summary: 'Balance of the workspace',
      description:
        "What is left in the workspace's budget. Without a budget in the currency: 404, orders are not limited.",
      headers,
      params: CurrencyParams,
      response: answers(ref(WorkspaceBalance)),
    },
    handler: ({ caller, params }) => readWorkspaceBalance(lookUps, caller.workspace.workspaceId, params.currency),
  });

  app.route({
    method: 'GET',
    url: '/members/:employeeNumber/currencies/:currency',
    config: { access },
    schema: {
      operationId: 'getMemberBalance',
      summary: 'Balance of a member',
      description: "What is left in a member's own budget. A member without one draws on the workspace's: 404.",
      headers,
      params: MemberBalanceParams,
      response: answers(ref(MemberBalance)),
    },
    handler: ({ caller, params }) =>
      readMemberBalance(lookUps, caller.workspace.workspaceId, params.employeeNumber, params.currency),
  });

  app.route({
    method: 'GET',
    url: '/members/currencies/:currency',
    config: { access, csv: true },
    schema: {
      operationId: 'listMemberBalances',
      summary: 'Balances of members',
      description:
        'What is left in the budgets of all members who have one. Unknown parameters are ignored. `Accept: text/csv` returns all rows as CSV.',
      headers,
      params: CurrencyParams,
      querystring: BalanceQuery,
      response: {
        200: {
          description: 'A page of balances.',
          content: { 'application/json': { schema: ref(MemberBalancePage) }, 'text/csv': allAsCsv },
        },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
    handler: (request, reply) => {
      const { caller, params, query } = request;
      const { workspaceId } = caller.workspace;
      if (!asksForCsv(request)) return listMemberBalances(reports, workspaceId, params.currency, query);
      const rows = streamMemberBalances(exports.databaseFor(request), workspaceId, params.currency);
      const file = { name: 'balances', columns: balanceCsvColumns, rows, hasByteOrderMark: query.bom };
      return sendCsv(reply, file, exports);
    },
  });
};

export const balances: Resource<BalanceOptions> = {
  prefix: '/balances',
  tag: { name: 'Balances', description: 'What is left, for clients of the interface that know these addresses.' },
  schemas: balanceSchemas,
  routes: balanceRoutes,
};
