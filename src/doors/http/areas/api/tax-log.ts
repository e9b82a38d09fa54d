import { TaxLogPage, TaxLogQuery } from '../../../../ground/contract/tax-log.ts';
import { TaxTotalsPage, TaxTotalsQuery } from '../../../../ground/contract/tax-totals.ts';
import { readPieces } from '../../../../insight/reports/pieces.ts';
import { readTaxLog, taxLogColumns, taxLogPieces } from '../../../../spending/redemptions/tax-log.ts';
import { readTaxTotals } from '../../../../spending/redemptions/tax-totals.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import { json, jsonOrCsv } from './returns.ts';

export const taxLogRoutes: Routes = async (app, { reports, exports }) => {
  operation(app, 'getTaxLog', 'GET /tax-log', 'reports:read', {
    summary: 'Get the tax log',
    description:
      'The gifts of a year by member, as employers are asked to keep them: name, date, reason, type, amount and retailer. A line for each part that was spent, and one for what is left. It is not tax advice. An unknown parameter gives 400. `Accept: text/csv` returns all lines as CSV.',
    query: TaxLogQuery,
    returns: jsonOrCsv('A page of lines, and where the next page begins.', TaxLogPage),
    listsPeople: { of: 'payroll', field: 'lines' },
    handler: ({ workspaceId, query: { bom, ...filters } }) => readTaxLog(reports, workspaceId, filters),
    csv: {
      exports,
      file: ({ workspaceId, query: { bom, ...filters } }, database) => {
        const { pieces, read } = taxLogPieces(database, workspaceId, filters);
        return { name: `tax-log-${filters.year}`, columns: taxLogColumns, rows: readPieces(pieces, read) };
      },
    },
  });

  operation(app, 'getTaxTotals', 'GET /tax-log/totals', 'reports:read', {
    summary: 'Get the totals of the tax log',
    description:
      'What each person got in a year by type: by currency, the largest sum first, beside the limits of the workspace (`taxLimits` of the settings). It is not tax advice. An unknown parameter gives 400.',
    query: TaxTotalsQuery,
    returns: json('A page of people, and the sums of the year.', TaxTotalsPage),
    listsPeople: { of: 'payroll', field: 'people' },
    handler: ({ workspaceId, query }) => readTaxTotals(reports, workspaceId, query),
  });
};
