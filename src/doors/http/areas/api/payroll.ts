import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { actorOf } from '../../../../company/access/actor.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import { IdempotencyHeader, ReplayedHeader } from '../../../../ground/contract/idempotency.ts';
import {
  PayrollExport,
  PayrollPage,
  PayrollParams,
  PayrollQuery,
  payrollSchemas,
} from '../../../../ground/contract/payroll.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import type { Database, Queryable } from '../../../../ground/database/database.ts';
import { closePayroll } from '../../../../spending/redemptions/payroll.ts';
import { listPayroll, payrollFile, readPayroll } from '../../../../spending/redemptions/payroll-read.ts';
import { headerText, restoreHeaderText } from '../../callers/header-text.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { sendCsvText } from './csv-text.ts';
import type { Exports } from './exports.ts';
import { asksForCsv } from './media.ts';
import type { Resource } from './resource.ts';

export interface PayrollOptions {
  lookUps: Queryable;
  closing: Database;
  exports: Exports;
}

/** An export of 100,000 lines may take minutes on a busy machine. */
const longestCloseMs = 10 * 60_000;

const payrollRoutes: FastifyPluginAsyncTypebox<PayrollOptions> = async (app, { lookUps, closing, exports }) => {
  const headers = Type.Object(WorkspaceHeader);
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const read = { access: 'budgets:read' as const };

  app.route({
    method: 'POST',
    url: '',
    config: { access: 'budgets:manage', holdsMs: longestCloseMs },
    schema: {
      operationId: 'closePayrollExport',
      summary: 'Close a payroll export',
      description:
        'Takes all redemptions by payroll that no export has, and the reversals of those that one has, as negative lines. If there are none: 409. The columns are those of the spending option `payroll`.',
      headers: Type.Object({ ...WorkspaceHeader, ...IdempotencyHeader }),
      response: {
        201: {
          description: 'The export. If the Idempotency-Key was used before, the export of that request.',
          headers: ReplayedHeader,
          ...json(ref(PayrollExport)),
        },
        ...problems(400, 401, 403, 406, 409, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => restoreHeaderText(request, 'Idempotency-Key'),
    handler: async (request, reply) => {
      const { workspaceId } = request.caller.workspace;
      const key = headerText(request, 'Idempotency-Key');
      const { payroll, replayed } = await inWorkspace(closing, workspaceId, (tx) =>
        closePayroll(tx, actorOf(request.grant), workspaceId, key),
      );
      if (replayed) reply.header('Idempotent-Replayed', 'true');
      return reply.code(201).send(payroll);
    },
  });

  app.route({
    method: 'GET',
    url: '',
    config: read,
    schema: {
      operationId: 'listPayrollExports',
      summary: 'List payroll exports',
      description: 'The closed exports, and how many lines wait for the next one. An unknown parameter gives 400.',
      headers,
      querystring: PayrollQuery,
      response: {
        200: { description: 'A page of exports.', ...json(ref(PayrollPage)) },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: ({ caller, query }) => listPayroll(lookUps, caller.workspace.workspaceId, query),
  });

  app.route({
    method: 'GET',
    url: '/:number',
    config: { ...read, csv: true },
    schema: {
      operationId: 'getPayrollExport',
      summary: 'Get a payroll export',
      description: 'What an export holds. `Accept: text/csv` returns its file, which is always the same byte for byte.',
      headers,
      params: PayrollParams,
      response: {
        200: {
          description: 'The export, or its file.',
          content: {
            'application/json': { schema: ref(PayrollExport) },
            'text/csv': { schema: Type.String({ description: 'A line for each redemption or reversal.' }) },
          },
        },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
    handler: (request, reply) => {
      const { workspaceId } = request.caller.workspace;
      const { number } = request.params;
      if (!asksForCsv(request)) return readPayroll(lookUps, workspaceId, number);
      const texts = payrollFile(exports.databaseFor(request), workspaceId, number);
      return sendCsvText(reply, `payroll-${number}`, texts, exports);
    },
  });
};

export const payroll: Resource<PayrollOptions> = {
  prefix: '/payroll-exports',
  tag: { name: 'Payroll', description: 'What is paid with the salary, as closed files.' },
  schemas: payrollSchemas,
  routes: payrollRoutes,
};
