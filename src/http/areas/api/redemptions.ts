import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { RedemptionPage, RedemptionQuery, redemptionSchemas } from '../../../contract/redemption.ts';
import { ref } from '../../../contract/schema.ts';
import { tillSchemas } from '../../../contract/till.ts';
import type { Queryable } from '../../../database/database.ts';
import { redemptionCsvColumns, redemptionPieces } from '../../../redemptions/export.ts';
import { listRedemptions } from '../../../redemptions/read.ts';
import { readPieces } from '../../../reports/pieces.ts';
import { problems, WorkspaceHeader } from '../../openapi.ts';
import { sendCsv } from './csv.ts';
import { allAsCsv, type Exports } from './exports.ts';
import { asksForCsv } from './media.ts';
import type { Resource } from './resource.ts';

export interface RedemptionOptions {
  reports: Queryable;
  exports: Exports;
}

const redemptionRoutes: FastifyPluginAsyncTypebox<RedemptionOptions> = async (app, { reports, exports }) => {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'gifts:read', csv: true },
    schema: {
      operationId: 'listRedemptions',
      summary: 'List redemptions',
      description:
        'What recipients have spent, the newest first. Filters combine with AND. An unknown parameter gives 400. `Accept: text/csv` returns all that fit as CSV.',
      headers: Type.Object(WorkspaceHeader),
      querystring: RedemptionQuery,
      response: {
        200: {
          description: 'A page of redemptions, and where to go on.',
          content: { 'application/json': { schema: ref(RedemptionPage) }, 'text/csv': allAsCsv },
        },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: (request, reply) => {
      const { workspaceId } = request.caller.workspace;
      const { bom, ...filters } = request.query;
      if (!asksForCsv(request)) return listRedemptions(reports, workspaceId, filters);
      const { pieces, read } = redemptionPieces(exports.databaseFor(request), workspaceId, filters);
      const rows = readPieces(pieces, read);
      const file = { name: 'redemptions', columns: redemptionCsvColumns, rows, hasByteOrderMark: bom };
      return sendCsv(reply, file, () => exports.begin(workspaceId));
    },
  });
};

export const redemptions: Resource<RedemptionOptions> = {
  prefix: '/redemptions',
  tag: { name: 'Redemptions', description: 'What recipients have spent, and how.' },
  schemas: [...redemptionSchemas, ...tillSchemas],
  routes: redemptionRoutes,
};
