import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { isBelow } from '../../../../company/directory/reporting-line.ts';
import { giftColumns, giftPieces } from '../../../../giving/gifts/export.ts';
import { listGifts } from '../../../../giving/gifts/list.ts';
import { readDetails } from '../../../../giving/gifts/records.ts';
import { noGift } from '../../../../giving/gifts/repairs.ts';
import { GiftDetails, GiftPage, GiftParams, GiftQuery, giftSchemas } from '../../../../ground/contract/gift.ts';
import { giftDraftSchemas } from '../../../../ground/contract/gift-draft.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { readPieces } from '../../../../insight/reports/pieces.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { sendCsv } from './csv.ts';
import { allAsCsv, type Exports } from './exports.ts';
import { draftRoutes, type GiftDraftOptions } from './gift-drafts.ts';
import { type GiftPrintOptions, printRoutes } from './gift-print.ts';
import { type GiftRepairOptions, repairRoutes } from './gift-repairs.ts';
import { asksForCsv } from './media.ts';
import type { Resource } from './resource.ts';
import { type TillOptions, tillRoutes } from './till.ts';

export interface GiftOptions extends GiftRepairOptions, GiftPrintOptions, GiftDraftOptions, TillOptions {
  reports: Queryable;
  exports: Exports;
}

const giftRoutes: FastifyPluginAsyncTypebox<GiftOptions> = async (app, options) => {
  const { lookUps, reports, exports } = options;
  const headers = Type.Object(WorkspaceHeader);
  const config = { access: 'gifts:read' as const, forManagers: true };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });

  app.route({
    method: 'GET',
    url: '',
    config: { ...config, csv: true },
    schema: {
      operationId: 'listGifts',
      summary: 'List gifts',
      description:
        'Where the gifts of the workspace stand, the newest first. Filters combine with AND. An unknown parameter gives 400. `Accept: text/csv` returns all that fit as CSV.',
      headers,
      querystring: GiftQuery,
      response: {
        200: {
          description: 'A page of gifts, and where to go on.',
          content: { 'application/json': { schema: ref(GiftPage) }, 'text/csv': allAsCsv },
        },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: (request, reply) => {
      const { workspaceId, onlyReportsOf } = request.caller.workspace;
      const { bom, ...asked } = request.query;
      const filters = { ...asked, onlyReportsOf };
      if (!asksForCsv(request)) return listGifts(reports, workspaceId, filters, { lookUps });
      const { pieces, read } = giftPieces(exports.databaseFor(request), workspaceId, filters);
      const file = { name: 'gifts', columns: giftColumns, rows: readPieces(pieces, read), hasByteOrderMark: bom };
      return sendCsv(reply, file, exports);
    },
  });

  app.route({
    method: 'GET',
    url: '/:id',
    config,
    schema: {
      operationId: 'getGift',
      summary: 'Get a gift',
      description: 'Where one gift stands and everything that happened to it, with the answers of mail servers.',
      headers,
      params: GiftParams,
      response: {
        200: { description: 'The gift with its timeline.', ...json(ref(GiftDetails)) },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
    handler: async ({ caller, params }) => {
      const { workspaceId, onlyReportsOf } = caller.workspace;
      const gift = await readDetails(lookUps, workspaceId, params.id);
      if (!gift || !(await isBelow(lookUps, workspaceId, onlyReportsOf, gift.recipient.id))) throw noGift();
      return gift;
    },
  });

  await printRoutes(app, options);
  await repairRoutes(app, options);
  await app.register(draftRoutes, options);
  await tillRoutes(app, options);
};

export const gifts: Resource<GiftOptions> = {
  prefix: '/gifts',
  tag: { name: 'Gifts', description: 'Where each gift stands, and how to put right what went wrong.' },
  schemas: [...giftSchemas, ...giftDraftSchemas],
  routes: giftRoutes,
};
