import { isBelow } from '../../../../company/directory/reporting-line.ts';
import { giftCsvColumns, giftPieces } from '../../../../giving/delivery/gift-list/export.ts';
import { listGifts } from '../../../../giving/delivery/gift-list/list.ts';
import { readDetails } from '../../../../giving/delivery/gift-list/records.ts';
import { countGifts } from '../../../../giving/delivery/gift-list/totals.ts';
import { noGift } from '../../../../giving/gifts/repairs.ts';
import { GiftDetails, GiftPage, GiftParams, GiftQuery, giftSchemas } from '../../../../ground/contract/gift.ts';
import { giftDraftSchemas } from '../../../../ground/contract/gift-draft.ts';
import { GiftTotals, GiftTotalsQuery, giftTotalSchemas } from '../../../../ground/contract/gift-totals.ts';
import { readPieces } from '../../../../insight/reports/pieces.ts';
import { draftRoutes } from './gift-drafts.ts';
import { printRoutes } from './gift-print.ts';
import { repairRoutes } from './gift-repairs.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { json, jsonOrCsv } from './returns.ts';
import { tillRoutes } from './till.ts';

const giftRoutes: Routes = async (app, options) => {
  const { lookUps, reports, exports } = options;

  operation(app, 'listGifts', 'GET /', 'gifts:read', {
    forManagers: true,
    summary: 'List gifts',
    description:
      'Where the gifts of the workspace stand, the newest first. Filters combine with AND. An unknown parameter gives 400. `Accept: text/csv` returns all that fit as CSV.',
    query: GiftQuery,
    returns: jsonOrCsv('A page of gifts, and where the next page begins.', GiftPage),
    listsPeople: { of: 'gifts', field: 'gifts' },
    handler: ({ workspaceId, caller, query: { bom, ...filters } }) =>
      listGifts(reports, workspaceId, { ...filters, onlyReportsOf: caller.workspace.onlyReportsOf }, { lookUps }),
    csv: {
      exports,
      file: ({ workspaceId, caller, query: { bom, ...filters } }, database) => {
        const { onlyReportsOf } = caller.workspace;
        const { pieces, read } = giftPieces(database, workspaceId, { ...filters, onlyReportsOf });
        return { name: 'gifts', columns: giftCsvColumns, rows: readPieces(pieces, read) };
      },
    },
  });

  operation(app, 'countGifts', 'GET /totals', 'gifts:read', {
    forManagers: true,
    summary: 'Count gifts',
    description:
      'How many gifts fit and what they are worth, by state and currency, with the filters of the list. An unknown parameter gives 400.',
    query: GiftTotalsQuery,
    returns: json('How many gifts fit, and what they are worth.', GiftTotals),
    handler: ({ workspaceId, caller, query }) =>
      countGifts(reports, workspaceId, { ...query, onlyReportsOf: caller.workspace.onlyReportsOf }),
  });

  operation(app, 'getGift', 'GET /:id', 'gifts:read', {
    forManagers: true,
    summary: 'Get a gift',
    description: 'Where one gift stands and everything that happened to it, with the answers of mail servers.',
    params: GiftParams,
    returns: json('The gift with its timeline.', GiftDetails),
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

export const gifts: Resource = {
  prefix: '/gifts',
  tag: { name: 'Gifts', description: 'The status of each gift, and what repairs it.' },
  schemas: [...giftSchemas, ...giftTotalSchemas, ...giftDraftSchemas],
  routes: giftRoutes,
};
