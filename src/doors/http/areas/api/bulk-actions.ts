import type { FastifyRequest } from 'fastify';
import { createBulkAction } from '../../../../giving/delivery/bulk/create.ts';
import { listBulkActions, listBulkGifts, readBulkAction } from '../../../../giving/delivery/bulk/read.ts';
import {
  BulkAction,
  BulkActionPage,
  BulkActionParams,
  BulkActionQuery,
  BulkFilter,
  BulkGiftPage,
  BulkGiftQuery,
  bulkActionSchemas,
  NewBulkAction,
} from '../../../../ground/contract/bulk-action.ts';
import { IdempotencyHeader } from '../../../../ground/contract/idempotency.ts';
import { invalid } from '../../../../ground/errors.ts';
import { isObject } from '../../../../ground/values/differences.ts';
import { headerText } from '../../callers/header-text.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { created, json } from './returns.ts';

/** A filter that is misspelt or null would select more gifts than the caller means. Elsewhere, null counts as absent. */
async function checkFilters({ body }: FastifyRequest): Promise<void> {
  const gifts = (body as { gifts?: unknown } | null)?.gifts;
  const faults = Object.entries(isObject(gifts) ? gifts : {}).flatMap(([name, value]) => {
    if (!(name in BulkFilter.properties)) return [{ path: `gifts.${name}`, problem: 'is not a filter of gifts' }];
    return value === null ? [{ path: `gifts.${name}`, problem: 'must be a value, or left out' }] : [];
  });
  if (faults.length > 0) throw invalid(faults);
}

const bulkActionRoutes: Routes = async (app, { lookUps, people }) => {
  operation(app, 'createBulkAction', 'POST /', 'gifts:manage', {
    summary: 'Cancel, resend or extend many gifts',
    description:
      'Cancels, resends or extends every gift that fits, by the rules of the operations about one gift. A gift that these operations reject stays as it is. The work continues in the background, also after a restart: read the bulk action to see how far it is and what came of it. 409 while the order in `gifts.requestId` is in progress.',
    headers: IdempotencyHeader,
    preValidation: checkFilters,
    body: NewBulkAction,
    returns: created(
      'The bulk action, before its first gift. If the Idempotency-Key was used before, the bulk action of that request.',
      BulkAction,
    ),
    fails: [409],
    handler: async (request, reply) => {
      const { workspaceId, actor, body } = request;
      const key = headerText(request, 'Idempotency-Key');
      const { bulkAction, replayed } = await createBulkAction(people, actor, workspaceId, body, key);
      if (replayed) reply.header('Idempotent-Replayed', 'true');
      return bulkAction;
    },
  });

  operation(app, 'listBulkActions', 'GET /', 'gifts:read', {
    summary: 'List bulk actions',
    description: 'The newest first. An unknown parameter gives 400.',
    query: BulkActionQuery,
    returns: json('A page of bulk actions.', BulkActionPage),
    handler: ({ workspaceId, query }) => listBulkActions(lookUps, workspaceId, query),
  });

  operation(app, 'getBulkAction', 'GET /:id', 'gifts:read', {
    summary: 'Get a bulk action',
    description: 'How far it is, and what came of it. Ask once a second until `status` is COMPLETED.',
    params: BulkActionParams,
    returns: json('The bulk action.', BulkAction),
    handler: ({ workspaceId, params }) => readBulkAction(lookUps, workspaceId, params.id),
  });

  operation(app, 'listBulkGifts', 'GET /:id/gifts', 'gifts:read', {
    summary: 'List the gifts of a bulk action',
    description: 'Its gifts and what came of each, by id. An unknown parameter gives 400.',
    params: BulkActionParams,
    query: BulkGiftQuery,
    returns: json('A page of gifts.', BulkGiftPage),
    handler: ({ workspaceId, params, query }) => listBulkGifts(lookUps, workspaceId, params.id, query),
  });
};

export const bulkActions: Resource = {
  prefix: '/bulk-actions',
  tag: { name: 'Bulk actions', description: 'Cancel, resend or extend many gifts with one request.' },
  schemas: bulkActionSchemas,
  routes: bulkActionRoutes,
};
