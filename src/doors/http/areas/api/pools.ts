import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { actorOf } from '../../../../company/access/actor.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import type { GiftTokenKeys } from '../../../../giving/gifts/token-keys.ts';
import {
  NewPool,
  Pool,
  PoolChange,
  PoolList,
  PoolParams,
  PoolQuery,
  poolSchemas,
} from '../../../../ground/contract/pool.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import type { Database, Queryable } from '../../../../ground/database/database.ts';
import { addPool, changePool, listPools, readPool } from '../../../../spending/code-pools/pools.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { poolCodeRoutes } from './pool-codes.ts';
import type { Resource } from './resource.ts';
import { tidyNewPool, tidyPoolChange } from './tidy.ts';

export interface PoolOptions {
  lookUps: Queryable;
  people: Database;
  keys: GiftTokenKeys;
}

const poolRoutes: FastifyPluginAsyncTypebox<PoolOptions> = async (app, { lookUps, people, keys }) => {
  const headers = Type.Object(WorkspaceHeader);
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const read = { access: 'settings:read' as const };
  const manage = { access: 'settings:manage' as const };

  app.route({
    method: 'GET',
    url: '',
    config: read,
    schema: {
      operationId: 'listPools',
      summary: 'List pools of codes',
      description: 'All pools of the workspace, with how many codes of each retailer and value are left.',
      headers,
      querystring: PoolQuery,
      response: {
        200: { description: 'All pools.', ...json(ref(PoolList)) },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: async ({ caller }) => ({ pools: await listPools(lookUps, caller.workspace.workspaceId) }),
  });

  app.route({
    method: 'POST',
    url: '',
    config: manage,
    schema: {
      operationId: 'addPool',
      summary: 'Add a pool of codes',
      description:
        'A pool holds codes of shops in one currency. Recipients see it when a spending option names it. A name that another pool has gives 409.',
      headers,
      body: ref(NewPool),
      response: {
        201: { description: 'The pool.', ...json(ref(Pool)) },
        ...problems(400, 401, 403, 406, 409, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = tidyNewPool(request.body) as typeof request.body;
    },
    handler: async ({ caller, grant, body }, reply) => {
      const { workspaceId } = caller.workspace;
      const pool = await inWorkspace(people, workspaceId, (tx) => addPool(tx, actorOf(grant), workspaceId, body));
      return reply.code(201).send(pool);
    },
  });

  app.route({
    method: 'GET',
    url: '/:id',
    config: read,
    schema: {
      operationId: 'getPool',
      summary: 'Get a pool of codes',
      description: 'One pool, with how many codes of each retailer and value are left.',
      headers,
      params: PoolParams,
      response: {
        200: { description: 'The pool.', ...json(ref(Pool)) },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
    handler: ({ caller, params }) => readPool(lookUps, caller.workspace.workspaceId, params.id),
  });

  app.route({
    method: 'PATCH',
    url: '/:id',
    config: manage,
    schema: {
      operationId: 'changePool',
      summary: 'Change a pool of codes',
      description: 'Changes its name, or how few codes count as low.',
      headers,
      params: PoolParams,
      body: ref(PoolChange),
      response: {
        200: { description: 'The pool.', ...json(ref(Pool)) },
        ...problems(400, 401, 403, 404, 406, 409, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = tidyPoolChange(request.body) as typeof request.body;
    },
    handler: ({ caller, grant, params, body }) =>
      inWorkspace(people, caller.workspace.workspaceId, (tx) =>
        changePool(tx, actorOf(grant), caller.workspace.workspaceId, params.id, body),
      ),
  });

  await app.register(poolCodeRoutes, { people, keys });
};

export const pools: Resource<PoolOptions> = {
  prefix: '/pools',
  tag: { name: 'Pools', description: 'Codes of shops that a company bought for its recipients.' },
  schemas: poolSchemas,
  routes: poolRoutes,
};
