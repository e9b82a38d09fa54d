import { entryCsvColumns, listEntries, readEntryDetails, streamEntries } from '../../../../giving/budgets/entries.ts';
import { BudgetParams, EntryParams, EntryQuery } from '../../../../ground/contract/budget.ts';
import { LedgerEntryDetails, LedgerEntryPage } from '../../../../ground/contract/ledger-entry.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import { json, jsonOrCsv } from './returns.ts';

/** What moved the money of a budget. */
export const entryRoutes: Routes = async (app, options) => {
  const { lookUps, exports } = options;

  operation(app, 'listLedgerEntries', 'GET /:id/entries', 'budgets:read', {
    summary: 'List the entries of a budget',
    description:
      'Everything that moved its money, the newest first. An unknown parameter gives 400. `Accept: text/csv` returns all rows as CSV.',
    params: BudgetParams,
    query: EntryQuery,
    returns: jsonOrCsv('A page of entries.', LedgerEntryPage),
    handler: ({ workspaceId, params, query }) => listEntries(lookUps, workspaceId, params.id, query),
    csv: {
      exports,
      file: ({ workspaceId, params: { id } }, database) => ({
        name: `budget-${id}`,
        columns: entryCsvColumns,
        rows: streamEntries(database, workspaceId, id),
      }),
    },
  });

  operation(app, 'getLedgerEntry', 'GET /:id/entries/:number', 'budgets:read', {
    summary: 'Get an entry of a budget',
    description: 'One entry with the orders or gifts that it is about, and the text that its hash is made of.',
    params: EntryParams,
    returns: json('The entry.', LedgerEntryDetails),
    handler: ({ workspaceId, params }) => readEntryDetails(lookUps, workspaceId, params.id, params.number),
  });
};
