import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { entryCsvColumns, listEntries, readEntryDetails, streamEntries } from '../../../../giving/budgets/entries.ts';
import { BudgetParams, EntryParams, EntryQuery } from '../../../../ground/contract/budget.ts';
import { LedgerEntryDetails, LedgerEntryPage } from '../../../../ground/contract/ledger-entry.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { sendCsv } from './csv.ts';
import { allAsCsv, type Exports } from './exports.ts';
import { asksForCsv } from './media.ts';

interface EntryOptions {
  lookUps: Queryable;
  exports: Exports;
}

/** What moved the money of a budget. */
export const entryRoutes: FastifyPluginAsyncTypebox<EntryOptions> = async (app, options) => {
  const { lookUps, exports } = options;
  const headers = Type.Object(WorkspaceHeader);
  const access = 'budgets:read' as const;

  app.route({
    method: 'GET',
    url: '/:id/entries',
    config: { access, csv: true },
    schema: {
      operationId: 'listLedgerEntries',
      summary: 'List the entries of a budget',
      description:
        'Everything that moved its money, the newest first. An unknown parameter gives 400. `Accept: text/csv` returns all rows as CSV.',
      headers,
      params: BudgetParams,
      querystring: EntryQuery,
      response: {
        200: {
          description: 'A page of entries.',
          content: { 'application/json': { schema: ref(LedgerEntryPage) }, 'text/csv': allAsCsv },
        },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
    handler: (request, reply) => {
      const { workspaceId } = request.caller.workspace;
      const { id } = request.params;
      if (!asksForCsv(request)) return listEntries(lookUps, workspaceId, id, request.query);
      const rows = streamEntries(exports.databaseFor(request), workspaceId, id);
      const file = { name: `budget-${id}`, columns: entryCsvColumns, rows, hasByteOrderMark: request.query.bom };
      return sendCsv(reply, file, exports);
    },
  });

  app.route({
    method: 'GET',
    url: '/:id/entries/:number',
    config: { access },
    schema: {
      operationId: 'getLedgerEntry',
      summary: 'Get an entry of a budget',
      description: 'One entry with the orders or gifts that it is about, and the text that its hash is made of.',
      headers,
      params: EntryParams,
      response: {
        200: { description: 'The entry.', content: { 'application/json': { schema: ref(LedgerEntryDetails) } } },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
    handler: ({ caller, params }) => readEntryDetails(lookUps, caller.workspace.workspaceId, params.id, params.number),
  });
};
