import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import { IdempotencyHeader } from '../../../../ground/contract/idempotency.ts';
import {
  PayrollExport,
  PayrollPage,
  PayrollParams,
  PayrollPreview,
  PayrollPreviewQuery,
  PayrollQuery,
  payrollSchemas,
} from '../../../../ground/contract/payroll.ts';
import { closePayroll } from '../../../../spending/redemptions/payroll.ts';
import { previewPayroll } from '../../../../spending/redemptions/payroll-preview.ts';
import { listPayroll, payrollFile, readPayroll } from '../../../../spending/redemptions/payroll-read.ts';
import { headerText } from '../../callers/header-text.ts';
import { sendCsvText } from './csv-text.ts';
import { asksForCsv } from './media.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { created, json, jsonOrCsv } from './returns.ts';

/** An export of 100,000 lines may take minutes on a busy machine. */
const longestCloseMs = 10 * 60_000;

const payrollRoutes: Routes = async (app, { lookUps, payroll: closing, exports }) => {
  operation(app, 'closePayrollExport', 'POST /', 'budgets:manage', {
    holdsMs: longestCloseMs,
    summary: 'Close a payroll export',
    description:
      'Takes all redemptions by payroll that no export has, and the reversals of those that one has, as negative lines. If there are none: 409. The columns are those of the spending option `payroll`.',
    headers: IdempotencyHeader,
    returns: created('The export. If the Idempotency-Key was used before, the export of that request.', PayrollExport),
    fails: [409],
    handler: async (request, reply) => {
      const { workspaceId } = request;
      const key = headerText(request, 'Idempotency-Key');
      const { payroll, replayed } = await inWorkspace(closing, workspaceId, (tx) =>
        closePayroll(tx, request.actor, workspaceId, key),
      );
      if (replayed) reply.header('Idempotent-Replayed', 'true');
      return payroll;
    },
  });

  operation(app, 'listPayrollExports', 'GET /', 'budgets:read', {
    summary: 'List payroll exports',
    description: 'The closed exports, and how many lines wait for the next one. An unknown parameter gives 400.',
    query: PayrollQuery,
    returns: json('A page of exports.', PayrollPage),
    handler: ({ workspaceId, query }) => listPayroll(lookUps, workspaceId, query),
  });

  operation(app, 'previewPayrollExport', 'GET /next', 'budgets:read', {
    summary: 'Preview the next payroll export',
    description:
      'What the next export would hold if it were closed now: its number, its sums and a page of its lines. Nothing is closed. An unknown parameter gives 400.',
    query: PayrollPreviewQuery,
    returns: json('The next export.', PayrollPreview),
    listsPeople: { of: 'payroll', field: 'lines' },
    handler: ({ workspaceId, query }) => previewPayroll(lookUps, workspaceId, query),
  });

  operation(app, 'getPayrollExport', 'GET /:number', 'budgets:read', {
    summary: 'Get a payroll export',
    description:
      'What an export holds. `Accept: text/csv` returns its file, which is always the same byte for byte, until lines of erased people lose their texts after the years of tax law.',
    params: PayrollParams,
    returns: jsonOrCsv('The export, or its file.', PayrollExport, 'A line for each redemption or reversal.'),
    handler: (request, reply) => {
      const { workspaceId } = request;
      const { number } = request.params;
      if (!asksForCsv(request)) return readPayroll(lookUps, workspaceId, number);
      const texts = payrollFile(exports.databaseFor(request), workspaceId, number);
      return sendCsvText(reply, `payroll-${number}`, texts, exports);
    },
  });
};

export const payroll: Resource = {
  prefix: '/payroll-exports',
  tag: { name: 'Payroll', description: 'What is paid with the salary, as closed files.' },
  schemas: payrollSchemas,
  routes: payrollRoutes,
};
