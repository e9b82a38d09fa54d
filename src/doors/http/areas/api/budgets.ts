import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import { grantMoney, withdrawMoney } from '../../../../giving/budgets/grants.ts';
import { addBudget, changeBudget, closeBudget } from '../../../../giving/budgets/manage.ts';
import { budgetCsvColumns, listBudgets, readBudget, streamBudgets } from '../../../../giving/budgets/read.ts';
import {
  Budget,
  BudgetChange,
  BudgetPage,
  BudgetParams,
  BudgetQuery,
  budgetSchemas,
  MoneyGrant,
  NewBudget,
} from '../../../../ground/contract/budget.ts';
import { IdempotencyHeader } from '../../../../ground/contract/idempotency.ts';
import { LedgerEntry, ledgerEntrySchemas } from '../../../../ground/contract/ledger-entry.ts';
import { headerText } from '../../callers/header-text.ts';
import { entryRoutes } from './budget-entries.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { created, json, jsonOrCsv, nothing } from './returns.ts';
import { editedBy, versionsOf } from './versions.ts';

const budgetRoutes: Routes = async (app, options) => {
  const { lookUps, reports, people, exports } = options;

  operation(app, 'listBudgets', 'GET /', 'budgets:read', {
    formerQuery: { memberId: 'member' },
    summary: 'List budgets',
    description:
      'The budgets of the workspace with their balances. Filters combine with AND. An unknown parameter gives 400. `Accept: text/csv` returns all rows as CSV.',
    query: BudgetQuery,
    returns: jsonOrCsv('A page of budgets.', BudgetPage),
    listsPeople: { of: 'budgets', field: 'budgets' },
    handler: ({ workspaceId, query }) => listBudgets(reports, workspaceId, query),
    csv: {
      exports,
      file: ({ workspaceId, query }, database) => ({
        name: 'budgets',
        columns: budgetCsvColumns,
        rows: streamBudgets(database, workspaceId, query),
      }),
    },
  });

  operation(app, 'addBudget', 'POST /', 'budgets:manage', {
    summary: 'Set a budget',
    description:
      "From now on, orders of the member draw on it, or those of all members without a budget of their own if it is the workspace's. Every node knows of the first budget of a workspace within a second. A closed budget is opened again; an open one gives 409.",
    body: NewBudget,
    returns: created('The budget.', Budget),
    fails: [409],
    handler: ({ workspaceId, actor, body }) =>
      inWorkspace(people, workspaceId, (tx) => addBudget(tx, actor, workspaceId, body)),
  });

  operation(app, 'getBudget', 'GET /:id', 'budgets:read', {
    summary: 'Get a budget',
    description: 'One budget with its balances and the head of its chain.',
    params: BudgetParams,
    returns: json('The budget.', Budget),
    isVersioned: true,
    handler: async ({ workspaceId, params }, reply) =>
      versions.send(reply, await readBudget(lookUps, workspaceId, params.id)),
  });

  operation(app, 'changeBudget', 'PATCH /:id', 'budgets:manage', {
    summary: 'Change a budget',
    description:
      'Changes the limit for one gift, the thresholds or the allowance. A new allowance is granted for the current month or year at once.',
    params: BudgetParams,
    body: BudgetChange,
    returns: json('The budget.', Budget),
    fails: [409],
    isVersioned: true,
    handler: async (request, reply) => {
      const { workspaceId, actor, params, body } = request;
      const changed = await inWorkspace(people, workspaceId, async (tx) => {
        await versions.match(request, () => readBudget(tx, workspaceId, params.id));
        return changeBudget(tx, actor, workspaceId, params.id, body);
      });
      return versions.send(reply, changed);
    },
  });

  operation(app, 'closeBudget', 'DELETE /:id', 'budgets:manage', {
    summary: 'Close a budget',
    description:
      'What is available is withdrawn. Orders then draw on the budget of the workspace, or on none. What is committed and issued stays where it is.',
    params: BudgetParams,
    returns: nothing('The budget is closed.'),
    fails: [409],
    handler: ({ workspaceId, actor, params }) =>
      inWorkspace(people, workspaceId, (tx) => closeBudget(tx, actor, workspaceId, params.id)),
  });

  const transfers = [
    {
      kind: 'grants',
      move: grantMoney,
      id: 'grantMoney',
      summary: 'Grant money to a budget',
      description: 'Orders can draw on it at once.',
    },
    {
      kind: 'withdrawals',
      move: withdrawMoney,
      id: 'withdrawMoney',
      summary: 'Withdraw money from a budget',
      description: 'Takes back what is available. What is committed to orders or spent cannot be withdrawn: 409.',
    },
  ];
  for (const { id, kind, move, ...described } of transfers)
    operation(app, id, `POST /:id/${kind}`, 'budgets:manage', {
      ...described,
      headers: IdempotencyHeader,
      params: BudgetParams,
      body: MoneyGrant,
      returns: created(
        'The entry in the ledger. If the Idempotency-Key was used before, the entry of that request.',
        LedgerEntry,
      ),
      fails: [409],
      handler: async (request, reply) => {
        const { workspaceId, actor, params, body } = request;
        const asked = { ...body, idempotencyKey: headerText(request, 'Idempotency-Key') };
        const { entry, replayed } = await inWorkspace(people, workspaceId, (tx) =>
          move(tx, actor, workspaceId, params.id, asked),
        );
        if (replayed) reply.header('Idempotent-Replayed', 'true');
        return entry;
      },
    });

  await entryRoutes(app, options);
};

const terms = editedBy(BudgetChange);

/** The terms that people edit. Orders move the amounts, and the day of the next allowance comes without an edit. */
const versions = versionsOf((budget: Budget) => {
  const { nextAt, ...allowance } = budget.allowance ?? {};
  return terms({ ...budget, allowance });
});

export const budgets: Resource = {
  prefix: '/budgets',
  tag: { name: 'Budgets', description: 'What may be spent, what was, and the ledger that proves it.' },
  schemas: [...budgetSchemas, ...ledgerEntrySchemas],
  routes: budgetRoutes,
};
