import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import {
  Redemption,
  RedemptionPage,
  RedemptionParams,
  RedemptionQuery,
  redemptionSchemas,
} from '../../../../ground/contract/redemption.ts';
import { SpendingRequestDecision } from '../../../../ground/contract/spending-request.ts';
import { tillSchemas } from '../../../../ground/contract/till.ts';
import { readPieces } from '../../../../insight/reports/pieces.ts';
import { redemptionCsvColumns, redemptionPieces } from '../../../../spending/redemptions/export.ts';
import { listRedemptions } from '../../../../spending/redemptions/read.ts';
import { reverseRedemption } from '../../../../spending/redemptions/take-back.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { json, jsonOrCsv } from './returns.ts';

const redemptionRoutes: Routes = async (app, { reports, people, exports }) => {
  operation(app, 'listRedemptions', 'GET /', 'gifts:read', {
    summary: 'List redemptions',
    description:
      'What recipients have spent, the newest first. Filters combine with AND. An unknown parameter gives 400. `Accept: text/csv` returns all that fit as CSV.',
    query: RedemptionQuery,
    returns: jsonOrCsv('A page of redemptions, and where the next page begins.', RedemptionPage),
    listsPeople: { of: 'redemptions', field: 'redemptions' },
    handler: ({ workspaceId, query: { bom, ...filters } }) => listRedemptions(reports, workspaceId, filters),
    csv: {
      exports,
      file: ({ workspaceId, query: { bom, ...filters } }, database) => {
        const { pieces, read } = redemptionPieces(database, workspaceId, filters);
        return { name: 'redemptions', columns: redemptionCsvColumns, rows: readPieces(pieces, read) };
      },
    },
  });

  operation(app, 'reverseRedemption', 'POST /:id/reverse', 'gifts:manage', {
    bodyIsOptional: true,
    summary: 'Reverse a redemption',
    description:
      'The gift has the amount back. If a payroll export has paid it, the next one takes it back. A code of a pool cannot be taken back: 409. The same request once more changes nothing.',
    params: RedemptionParams,
    body: SpendingRequestDecision,
    returns: json('The redemption.', Redemption),
    fails: [409],
    handler: ({ workspaceId, actor, params, body }) =>
      inWorkspace(people, workspaceId, (tx) => reverseRedemption(tx, actor, workspaceId, params.id, body.note)),
  });
};

export const redemptions: Resource = {
  prefix: '/redemptions',
  tag: { name: 'Redemptions', description: 'What recipients have spent, and how.' },
  schemas: [...redemptionSchemas, ...tillSchemas],
  routes: redemptionRoutes,
};
