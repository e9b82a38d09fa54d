import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { ref } from '../../../../ground/contract/schema.ts';
import { TaxLogPage, TaxLogQuery } from '../../../../ground/contract/tax-log.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { readPieces } from '../../../../insight/reports/pieces.ts';
import { readTaxLog, taxLogColumns, taxLogPieces } from '../../../../spending/redemptions/tax-log.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { sendCsv } from './csv.ts';
import { allAsCsv, type Exports } from './exports.ts';
import { asksForCsv } from './media.ts';

interface TaxLogOptions {
  reports: Queryable;
  exports: Exports;
}

export const taxLogRoutes: FastifyPluginAsyncTypebox<TaxLogOptions> = async (app, { reports, exports }) => {
  app.route({
    method: 'GET',
    url: '/tax-log',
    config: { access: 'reports:read', csv: true },
    schema: {
      operationId: 'getTaxLog',
      summary: 'Get the tax log',
      description:
        'The gifts of a year by member, as employers are asked to keep them: name, date, reason, type, amount and retailer. A line for each part that was spent, and one for what is left. It is not tax advice. An unknown parameter gives 400. `Accept: text/csv` returns all lines as CSV.',
      headers: Type.Object(WorkspaceHeader),
      querystring: TaxLogQuery,
      response: {
        200: {
          description: 'A page of lines, and where to go on.',
          content: { 'application/json': { schema: ref(TaxLogPage) }, 'text/csv': allAsCsv },
        },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: (request, reply) => {
      const { workspaceId } = request.caller.workspace;
      const { bom, ...filters } = request.query;
      if (!asksForCsv(request)) return readTaxLog(reports, workspaceId, filters);
      const { pieces, read } = taxLogPieces(exports.databaseFor(request), workspaceId, filters);
      const rows = readPieces(pieces, read);
      const file = { name: `tax-log-${filters.year}`, columns: taxLogColumns, rows, hasByteOrderMark: bom };
      return sendCsv(reply, file, exports);
    },
  });
};
