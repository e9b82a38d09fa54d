import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { actorOf } from '../../../../company/access/actor.ts';
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
  Grant,
  NewBudget,
} from '../../../../ground/contract/budget.ts';
import { IdempotencyHeader, ReplayedHeader } from '../../../../ground/contract/idempotency.ts';
import { LedgerEntry, ledgerEntrySchemas } from '../../../../ground/contract/ledger-entry.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import type { Database, Queryable } from '../../../../ground/database/database.ts';
import { headerText, restoreHeaderText } from '../../callers/header-text.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { entryRoutes } from './budget-entries.ts';
import { sendCsv } from './csv.ts';
import { allAsCsv, type Exports } from './exports.ts';
import { asksForCsv } from './media.ts';
import type { Resource } from './resource.ts';
import { tidyBudgetChange, tidyGrant, tidyNewBudget } from './tidy.ts';

export interface BudgetOptions {
  lookUps: Queryable;
  reports: Queryable;
  people: Database;
  exports: Exports;
}

const budgetRoutes: FastifyPluginAsyncTypebox<BudgetOptions> = async (app, options) => {
  const { lookUps, reports, people, exports } = options;
  const headers = Type.Object(WorkspaceHeader);
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const read = { access: 'budgets:read' as const };
  const manage = { access: 'budgets:manage' as const };

  app.route({
    method: 'GET',
    url: '',
    config: { ...read, csv: true },
    schema: {
      operationId: 'listBudgets',
      summary: 'List budgets',
      description:
        'The budgets of the workspace with their balances. Filters combine with AND. An unknown parameter gives 400. `Accept: text/csv` returns all rows as CSV.',
      headers,
      querystring: BudgetQuery,
      response: {
        200: {
          description: 'A page of budgets.',
          content: { 'application/json': { schema: ref(BudgetPage) }, 'text/csv': allAsCsv },
        },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: (request, reply) => {
      const { workspaceId } = request.caller.workspace;
      if (!asksForCsv(request)) return listBudgets(reports, workspaceId, request.query);
      const rows = streamBudgets(exports.databaseFor(request), workspaceId, request.query);
      const file = { name: 'budgets', columns: budgetCsvColumns, rows, hasByteOrderMark: request.query.bom };
      return sendCsv(reply, file, exports);
    },
  });

  app.route({
    method: 'POST',
    url: '',
    config: manage,
    schema: {
      operationId: 'addBudget',
      summary: 'Set a budget',
      description:
        "From now on, orders of the member draw on it, or those of all members without a budget of their own if it is the workspace's. Every node knows of the first budget of a workspace within a second. A closed budget is opened again; an open one gives 409.",
      headers,
      body: ref(NewBudget),
      response: {
        201: { description: 'The budget.', ...json(ref(Budget)) },
        ...problems(400, 401, 403, 406, 409, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = tidyNewBudget(request.body) as typeof request.body;
    },
    handler: async ({ caller, grant, body }, reply) => {
      const { workspaceId } = caller.workspace;
      const budget = await inWorkspace(people, workspaceId, (tx) => addBudget(tx, actorOf(grant), workspaceId, body));
      return reply.code(201).send(budget);
    },
  });

  app.route({
    method: 'GET',
    url: '/:id',
    config: read,
    schema: {
      operationId: 'getBudget',
      summary: 'Get a budget',
      description: 'One budget with its balances and the head of its chain.',
      headers,
      params: BudgetParams,
      response: {
        200: { description: 'The budget.', ...json(ref(Budget)) },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
    handler: ({ caller, params }) => readBudget(lookUps, caller.workspace.workspaceId, params.id),
  });

  app.route({
    method: 'PATCH',
    url: '/:id',
    config: manage,
    schema: {
      operationId: 'changeBudget',
      summary: 'Change a budget',
      description:
        'Changes the limit for one gift, the thresholds or the allowance. A new allowance is granted for the current month or year at once.',
      headers,
      params: BudgetParams,
      body: ref(BudgetChange),
      response: {
        200: { description: 'The budget.', ...json(ref(Budget)) },
        ...problems(400, 401, 403, 404, 406, 409, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = tidyBudgetChange(request.body) as typeof request.body;
    },
    handler: ({ caller, grant, params, body }) =>
      inWorkspace(people, caller.workspace.workspaceId, (tx) =>
        changeBudget(tx, actorOf(grant), caller.workspace.workspaceId, params.id, body),
      ),
  });

  app.route({
    method: 'DELETE',
    url: '/:id',
    config: manage,
    schema: {
      operationId: 'closeBudget',
      summary: 'Close a budget',
      description:
        'What is available is withdrawn. Orders then draw on the budget of the workspace, or on none. What is committed and issued stays where it is.',
      headers,
      params: BudgetParams,
      response: {
        204: { description: 'The budget is closed.', type: 'null' },
        ...problems(400, 401, 403, 404, 406, 409, 413, 415, 429, 500, 503),
      },
    },
    handler: async ({ caller, grant, params }, reply) => {
      await inWorkspace(people, caller.workspace.workspaceId, (tx) =>
        closeBudget(tx, actorOf(grant), caller.workspace.workspaceId, params.id),
      );
      return reply.code(204).send(null);
    },
  });

  const transfers = [
    {
      url: '/:id/grants',
      move: grantMoney,
      operationId: 'grantMoney',
      summary: 'Grant money to a budget',
      description: 'Orders can draw on it at once.',
    },
    {
      url: '/:id/withdrawals',
      move: withdrawMoney,
      operationId: 'withdrawMoney',
      summary: 'Withdraw money from a budget',
      description: 'Takes back what is available. What is committed to orders or spent cannot be withdrawn: 409.',
    },
  ];
  for (const { url, move, ...described } of transfers)
    app.route({
      method: 'POST',
      url,
      config: manage,
      schema: {
        ...described,
        headers: Type.Object({ ...WorkspaceHeader, ...IdempotencyHeader }),
        params: BudgetParams,
        body: ref(Grant),
        response: {
          201: {
            description: 'The entry in the ledger. If the Idempotency-Key was used before, the entry of that request.',
            headers: ReplayedHeader,
            ...json(ref(LedgerEntry)),
          },
          ...problems(400, 401, 403, 404, 406, 409, 413, 415, 422, 429, 500, 503),
        },
      },
      preValidation: async (request) => {
        request.body = tidyGrant(request.body) as typeof request.body;
        restoreHeaderText(request, 'Idempotency-Key');
      },
      handler: async (request, reply) => {
        const { caller, grant, params, body } = request;
        const asked = { ...body, idempotencyKey: headerText(request, 'Idempotency-Key') };
        const { entry, replayed } = await inWorkspace(people, caller.workspace.workspaceId, (tx) =>
          move(tx, actorOf(grant), caller.workspace.workspaceId, params.id, asked),
        );
        if (replayed) reply.header('Idempotent-Replayed', 'true');
        return reply.code(201).send(entry);
      },
    });

  await entryRoutes(app, options);
};

export const budgets: Resource<BudgetOptions> = {
  prefix: '/budgets',
  tag: { name: 'Budgets', description: 'What may be spent, what was, and the ledger that proves it.' },
  schemas: [...budgetSchemas, ...ledgerEntrySchemas],
  routes: budgetRoutes,
};
