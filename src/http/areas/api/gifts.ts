import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { GiftDetails, GiftPage, GiftParams, GiftQuery, giftSchemas } from '../../../contract/gift.ts';
import { ref } from '../../../contract/schema.ts';
import type { Queryable } from '../../../database/database.ts';
import { listGifts } from '../../../gifts/list.ts';
import { readDetails } from '../../../gifts/records.ts';
import { noGift } from '../../../gifts/repairs.ts';
import { problems, WorkspaceHeader } from '../../openapi.ts';
import { type GiftPrintOptions, printRoutes } from './gift-print.ts';
import { type GiftRepairOptions, repairRoutes } from './gift-repairs.ts';
import type { Resource } from './resource.ts';

export interface GiftOptions extends GiftRepairOptions, GiftPrintOptions {
  reports: Queryable;
}

const giftRoutes: FastifyPluginAsyncTypebox<GiftOptions> = async (app, options) => {
  const { lookUps, reports } = options;
  const headers = Type.Object(WorkspaceHeader);
  const config = { access: 'gifts:read' as const };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });

  app.route({
    method: 'GET',
    url: '',
    config,
    schema: {
      operationId: 'listGifts',
      summary: 'List gifts',
      description:
        'Where the gifts of the workspace stand, the newest first. Filters combine with AND. An unknown parameter gives 400.',
      headers,
      querystring: GiftQuery,
      response: {
        200: { description: 'A page of gifts, and where to go on.', ...json(ref(GiftPage)) },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: ({ caller, query }) => listGifts(reports, caller.workspace.workspaceId, query),
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
      const gift = await readDetails(lookUps, caller.workspace.workspaceId, params.id);
      if (!gift) throw noGift();
      return gift;
    },
  });

  await app.register(printRoutes, options);
  await app.register(repairRoutes, options);
};

export const gifts: Resource<GiftOptions> = {
  prefix: '/gifts',
  tag: { name: 'Gifts', description: 'Where each gift stands, and how to put right what went wrong.' },
  schemas: giftSchemas,
  routes: giftRoutes,
};
