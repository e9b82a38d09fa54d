import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { actorOf } from '../../../../company/access/actor.ts';
import { listSummaries, readOrderDetails } from '../../../../giving/orders/details.ts';
import type { OrderReads } from '../../../../giving/orders/read.ts';
import type { Actor } from '../../../../ground/contract/actor.ts';
import { OrderRequestStatus, RequestIdParams } from '../../../../ground/contract/order.ts';
import { OrderDetails, OrderDetailsQuery, OrderListQuery, OrderPage } from '../../../../ground/contract/order-list.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { Failure } from '../../../../ground/errors.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';

export interface OrderListOptions {
  orders: OrderReads;
  reports: Queryable;
  lookUps: Queryable;
  /** Opens a failed order of a workspace again. */
  retry: (workspaceId: number, requestId: string, actor: Actor) => Promise<void>;
}

export const orderListRoutes: FastifyPluginAsyncTypebox<OrderListOptions> = async (app, options) => {
  const { orders, reports, lookUps, retry } = options;
  const headers = Type.Object(WorkspaceHeader);
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });

  app.route({
    method: 'GET',
    url: '',
    config: { access: 'orders:read' },
    schema: {
      operationId: 'listOrders',
      summary: 'List orders',
      description:
        'The orders of the workspace, the newest first. Filters combine with AND. An unknown parameter gives 400.',
      headers,
      querystring: OrderListQuery,
      response: {
        200: { description: 'A page of orders, and where to go on.', ...json(ref(OrderPage)) },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: ({ caller, query }) => listSummaries(reports, caller.workspace.workspaceId, query),
  });

  app.route({
    method: 'GET',
    url: '/details/:requestId',
    config: { access: 'orders:read' },
    schema: {
      operationId: 'getOrderDetails',
      summary: 'Get an order without its secrets',
      description:
        'What was ordered, by whom, and why it failed if it did, with a page of its lines. It has no gift tokens.',
      headers,
      params: RequestIdParams,
      querystring: OrderDetailsQuery,
      response: {
        200: { description: 'The order with a page of its lines.', ...json(ref(OrderDetails)) },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
    handler: async ({ caller, params, query }) => {
      const order = await readOrderDetails(lookUps, caller.workspace.workspaceId, params.requestId, query);
      if (!order) throw noOrder();
      return order;
    },
  });

  app.route({
    method: 'POST',
    url: '/retry/:requestId',
    config: { access: 'orders:write' },
    schema: {
      operationId: 'retryOrder',
      summary: 'Try a failed order again',
      description:
        'The order is pending again, as if it had just been accepted. Only a failed order can be tried again.',
      headers,
      params: RequestIdParams,
      response: {
        200: { description: 'How far the order has come.', ...json(ref(OrderRequestStatus)) },
        ...problems(400, 401, 403, 404, 406, 409, 413, 415, 429, 500, 503),
      },
    },
    handler: async ({ caller, grant, params }) => {
      const { workspaceId } = caller.workspace;
      await retry(workspaceId, params.requestId, actorOf(grant));
      return (await orders.status(workspaceId, params.requestId)) as OrderRequestStatus;
    },
  });
};

export function noOrder(): Failure {
  return new Failure('missing', 'There is no order request with this requestId in this workspace.');
}
