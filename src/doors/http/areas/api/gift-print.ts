import { createHash } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { ReadTraces } from '../../../../company/access/read-traces.ts';
import { type Printing, printGifts } from '../../../../giving/delivery/print-gifts.ts';
import { printStyle } from '../../../../giving/delivery/print-style.ts';
import { PrintQuery } from '../../../../ground/contract/gift.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { createExportLimit } from './export-limit.ts';

export interface GiftPrintOptions {
  lookUps: Queryable;
  /** Asked for each print: where the service listens is known only after its start. */
  printing: () => Printing;
  traces: ReadTraces;
}

const styleHash = createHash('sha256').update(printStyle).digest('base64');
const contentPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export const printRoutes: FastifyPluginAsyncTypebox<GiftPrintOptions> = async (app, { lookUps, printing, traces }) => {
  const beginPrint = createExportLimit();

  app.route({
    method: 'GET',
    url: '/print',
    config: { access: 'gifts:manage', html: true },
    schema: {
      operationId: 'printGifts',
      summary: 'Print gifts',
      description:
        'Gifts on paper, as an HTML document to print: a page for each, or eight on a sheet, with a QR code. It shows the secret tokens of the gifts. Give requestId or ids. Gifts of an order that are cancelled, expired or redeemed are left out.',
      headers: Type.Partial(Type.Object(WorkspaceHeader)),
      querystring: PrintQuery,
      response: {
        200: {
          description: 'An HTML document.',
          content: { 'text/html': { schema: Type.String({ description: 'Fetches nothing, and has no script.' }) } },
        },
        ...problems(400, 401, 403, 404, 406, 409, 429, 500, 503),
      },
    },
    handler: async ({ caller, grant, query }, reply) => {
      const { workspaceId } = caller.workspace;
      const choice = { requestId: query.requestId, ids: query.ids?.split(',').map(Number) };
      const end = beginPrint(workspaceId);
      try {
        const perPage = query.perPage === '8' ? 8 : 1;
        const { page, read } = await printGifts(lookUps, printing(), workspaceId, choice, perPage);
        await traces.note(grant, workspaceId, read);
        return reply.type('text/html; charset=utf-8').header('Content-Security-Policy', contentPolicy).send(page);
      } finally {
        end();
      }
    },
  });
};
