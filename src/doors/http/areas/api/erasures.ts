import { ErasurePage, ErasureQuery } from '../../../../ground/contract/erasure.ts';
import { listErasures } from '../../../../insight/rights/list.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { json } from './returns.ts';

const erasureRoutes: Routes = async (app, { lookUps }) => {
  operation(app, 'listErasures', 'GET /', 'people:erase', {
    summary: 'List erasures',
    description:
      'Whose erasure was asked for: what waits for a second person or for its day, and what runs; what the caller can confirm; or what has ended. An unknown parameter gives 400.',
    query: ErasureQuery,
    returns: json('A page of erasures.', ErasurePage),
    handler: ({ workspaceId, actor, query }) => listErasures(lookUps, workspaceId, actor, query),
  });
};

export const erasures: Resource = {
  prefix: '/erasures',
  tag: { name: 'Erasures', description: 'People whose erasure was asked for.' },
  schemas: [],
  routes: erasureRoutes,
};
