import { createHash } from 'node:crypto';
import { printGifts } from '../../../../giving/delivery/print/gifts.ts';
import { printStyle } from '../../../../giving/delivery/print/style.ts';
import { PrintQuery } from '../../../../ground/contract/gift.ts';
import { createExportLimit } from './export-limit.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import { html } from './returns.ts';

const styleHash = createHash('sha256').update(printStyle).digest('base64');
const contentPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export const printRoutes: Routes = async (app, { lookUps, letterhead, traces }) => {
  const beginPrint = createExportLimit();

  operation(app, 'printGifts', 'GET /print', 'gifts:manage', {
    summary: 'Print gifts',
    description:
      'Gifts on paper, as an HTML document to print: a page for each, or eight on a sheet, with a QR code. It shows the secret tokens of the gifts. Give requestId or ids. Gifts of an order that are cancelled, expired or redeemed are left out.',
    query: PrintQuery,
    returns: html('An HTML document.', 'Fetches nothing, and has no script.'),
    fails: [404, 409],
    handler: async ({ workspaceId, grant, query }, reply) => {
      const choice = { requestId: query.requestId, ids: query.ids?.split(',').map(Number) };
      const end = beginPrint(workspaceId);
      try {
        const perPage = query.perPage === '8' ? 8 : 1;
        const { page, read } = await printGifts(lookUps, letterhead(), workspaceId, choice, perPage);
        await traces.note(grant, workspaceId, read);
        return reply.type('text/html; charset=utf-8').header('Content-Security-Policy', contentPolicy).send(page);
      } finally {
        end();
      }
    },
  });
};
