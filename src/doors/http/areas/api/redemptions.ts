import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { actorOf } from '../../../../company/access/actor.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import {
  Redemption,
  RedemptionPage,
  RedemptionParams,
  RedemptionQuery,
  redemptionSchemas,
} from '../../../../ground/contract/redemption.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import { SpendingRequestDecision } from '../../../../ground/contract/spending-request.ts';
import { tillSchemas } from '../../../../ground/contract/till.ts';
import type { Database, Queryable } from '../../../../ground/database/database.ts';
import { readPieces } from '../../../../insight/reports/pieces.ts';
import { redemptionCsvColumns, redemptionPieces } from '../../../../spending/redemptions/export.ts';
import { listRedemptions } from '../../../../spending/redemptions/read.ts';
import { reverseRedemption } from '../../../../spending/redemptions/take-back.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { sendCsv } from './csv.ts';
import { allAsCsv, type Exports } from './exports.ts';
import { asksForCsv } from './media.ts';
import type { Resource } from './resource.ts';
import { tidySpendingRequestDecision } from './tidy.ts';

export interface RedemptionOptions {
  reports: Queryable;
  people: Database;
  exports: Exports;
}

const redemptionRoutes: FastifyPluginAsyncTypebox<RedemptionOptions> = async (app, { reports, people, exports }) => {
  const headers = Type.Object(WorkspaceHeader);

  app.route({
    method: 'GET',
    url: '',
    config: { access: 'gifts:read', csv: true },
    schema: {
      operationId: 'listRedemptions',
      summary: 'List redemptions',
      description:
        'What recipients have spent, the newest first. Filters combine with AND. An unknown parameter gives 400. `Accept: text/csv` returns all that fit as CSV.',
      headers,
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
      return sendCsv(reply, file, exports);
    },
  });

  app.route({
    method: 'POST',
    url: '/:id/reverse',
    config: { access: 'gifts:manage', bodyIsOptional: true },
    schema: {
      operationId: 'reverseRedemption',
      summary: 'Reverse a redemption',
      description:
        'The gift has the amount back. If a payroll export has paid it, the next one takes it back. A code of a pool cannot be taken back: 409. The same request once more changes nothing.',
      headers,
      params: RedemptionParams,
      body: ref(SpendingRequestDecision),
      response: {
        200: { description: 'The redemption.', content: { 'application/json': { schema: ref(Redemption) } } },
        ...problems(400, 401, 403, 404, 406, 409, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = tidySpendingRequestDecision(request.body) as typeof request.body;
    },
    handler: ({ caller, grant, params, body }) => {
      const { workspaceId } = caller.workspace;
      return inWorkspace(people, workspaceId, (tx) =>
        reverseRedemption(tx, actorOf(grant), workspaceId, params.id, body.note),
      );
    },
  });
};

export const redemptions: Resource<RedemptionOptions> = {
  prefix: '/redemptions',
  tag: { name: 'Redemptions', description: 'What recipients have spent, and how.' },
  schemas: [...redemptionSchemas, ...tillSchemas],
  routes: redemptionRoutes,
};
