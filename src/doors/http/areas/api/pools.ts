import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import { NewPool, Pool, PoolChange, PoolList, PoolParams, poolSchemas } from '../../../../ground/contract/pool.ts';
import { noQuery } from '../../../../ground/contract/schema.ts';
import { addPool, changePool, listPools, readPool } from '../../../../spending/code-pools/pools.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import { poolCodeRoutes } from './pool-codes.ts';
import type { Resource } from './resource.ts';
import { created, json } from './returns.ts';
import { editedBy, versionsOf } from './versions.ts';

const poolRoutes: Routes = async (app, parts) => {
  const { lookUps, people } = parts;

  operation(app, 'listPools', 'GET /', 'settings:read', {
    summary: 'List pools of codes',
    description: 'All pools of the workspace, with how many codes of each retailer and value are left.',
    query: noQuery,
    returns: json('All pools.', PoolList),
    handler: async ({ workspaceId }) => ({ pools: await listPools(lookUps, workspaceId) }),
  });

  operation(app, 'addPool', 'POST /', 'settings:manage', {
    summary: 'Add a pool of codes',
    description:
      'A pool holds codes of shops in one currency. Recipients see it when a spending option names it. A name that another pool has gives 409.',
    body: NewPool,
    returns: created('The pool.', Pool),
    fails: [409],
    handler: ({ workspaceId, actor, body }) =>
      inWorkspace(people, workspaceId, (tx) => addPool(tx, actor, workspaceId, body)),
  });

  operation(app, 'getPool', 'GET /:id', 'settings:read', {
    summary: 'Get a pool of codes',
    description: 'One pool, with how many codes of each retailer and value are left.',
    params: PoolParams,
    returns: json('The pool.', Pool),
    isVersioned: true,
    handler: async ({ workspaceId, params }, reply) =>
      versions.send(reply, await readPool(lookUps, workspaceId, params.id)),
  });

  operation(app, 'changePool', 'PATCH /:id', 'settings:manage', {
    summary: 'Change a pool of codes',
    description: 'Changes its name, or how few codes count as low.',
    params: PoolParams,
    body: PoolChange,
    returns: json('The pool.', Pool),
    fails: [409],
    isVersioned: true,
    handler: async (request, reply) => {
      const { workspaceId, actor, params, body } = request;
      const changed = await inWorkspace(people, workspaceId, async (tx) => {
        await versions.match(request, () => readPool(tx, workspaceId, params.id));
        return changePool(tx, actor, workspaceId, params.id, body);
      });
      return versions.send(reply, changed);
    },
  });

  await app.register(poolCodeRoutes, parts);
};

const versions = versionsOf(editedBy(PoolChange));

export const pools: Resource = {
  prefix: '/pools',
  tag: { name: 'Pools', description: 'Codes of shops that a company bought for its recipients.' },
  schemas: poolSchemas,
  routes: poolRoutes,
};
