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
} from '../../../../ground/contract/balance.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { json, jsonOrCsv } from './returns.ts';

const balanceRoutes: Routes = async (app, { lookUps, reports, exports }) => {
  operation(app, 'getWorkspaceBalance', 'GET /workspaces/currencies/:currency', 'budgets:read', {
    summary: 'Balance of the workspace',
    description:
      "What is left in the workspace's budget. Without a budget in the currency: 404, orders are not limited.",
    params: CurrencyParams,
    returns: json('What is left.', WorkspaceBalance),
    handler: ({ workspaceId, params }) => readWorkspaceBalance(lookUps, workspaceId, params.currency),
  });

  operation(app, 'getMemberBalance', 'GET /members/:employeeNumber/currencies/:currency', 'budgets:read', {
    summary: 'Balance of a member',
    description: "What is left in a member's own budget. A member without one draws on the workspace's: 404.",
    params: MemberBalanceParams,
    returns: json('What is left.', MemberBalance),
    handler: ({ workspaceId, params }) =>
      readMemberBalance(lookUps, workspaceId, params.employeeNumber, params.currency),
  });

  operation(app, 'listMemberBalances', 'GET /members/currencies/:currency', 'budgets:read', {
    summary: 'Balances of members',
    description:
      'What is left in the budgets of all members who have one. Unknown parameters are ignored. `Accept: text/csv` returns all rows as CSV.',
    params: CurrencyParams,
    query: BalanceQuery,
    returns: jsonOrCsv('A page of balances.', MemberBalancePage),
    listsPeople: { of: 'budgets', field: 'memberBalanceResponses' },
    handler: ({ workspaceId, params, query }) => listMemberBalances(reports, workspaceId, params.currency, query),
    csv: {
      exports,
      file: ({ workspaceId, params }, database) => ({
        name: 'balances',
        columns: balanceCsvColumns,
        rows: streamMemberBalances(database, workspaceId, params.currency),
      }),
    },
  });
};

export const balances: Resource = {
  prefix: '/balances',
  tag: { name: 'Balances', description: 'What is left, for clients of the interface that know these addresses.' },
  schemas: balanceSchemas,
  routes: balanceRoutes,
};
