import { readApproval } from '../../../../giving/approvals/read.ts';
import { listSummaries, readOrderDetails } from '../../../../giving/orders/details.ts';
import { OrderRequestStatus, RequestIdParams } from '../../../../ground/contract/order.ts';
import { OrderDetails, OrderDetailsQuery, OrderListQuery, OrderPage } from '../../../../ground/contract/order-list.ts';
import { Failure } from '../../../../ground/errors.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import { json } from './returns.ts';

export const orderListRoutes: Routes = async (app, options) => {
  const { orders, reports, lookUps, retry } = options;

  operation(app, 'listOrders', 'GET /', 'orders:read', {
    summary: 'List orders',
    description:
      'The orders of the workspace, the newest first. Filters combine with AND. An unknown parameter gives 400.',
    query: OrderListQuery,
    returns: json('A page of orders, and where the next page begins.', OrderPage),
    handler: ({ workspaceId, query }) => listSummaries(reports, workspaceId, query),
  });

  operation(app, 'getOrderDetails', 'GET /:requestId/details', 'orders:read', {
    formerly: { id: 'getOrderDetailsFormerly', path: '/details/:requestId' },
    summary: 'Get an order without its secrets',
    description:
      'What was ordered, by whom, whom it waits for or who decided, and why it failed if it did, with a page of its lines. It has no gift tokens.',
    params: RequestIdParams,
    query: OrderDetailsQuery,
    returns: json('The order with a page of its lines.', OrderDetails),
    listsPeople: { of: 'orders', field: 'lines' },
    handler: async ({ workspaceId, caller, params, query }) => {
      const order = await readOrderDetails(lookUps, workspaceId, params.requestId, query);
      if (!order) throw noOrder();
      const seesPeople = caller.workspace.onlyReportsOf === null;
      const approval = await readApproval(lookUps, workspaceId, params.requestId.toLowerCase(), seesPeople);
      return { ...order, approval };
    },
  });

  operation(app, 'retryOrder', 'POST /:requestId/retry', 'orders:write', {
    formerly: { id: 'retryOrderFormerly', path: '/retry/:requestId' },
    summary: 'Try a failed order again',
    description:
      'The order is pending again, as if it had just been accepted, or waits for approval. Only a failed order can be tried again. A budget or a rule that rejects it gives 402.',
    params: RequestIdParams,
    returns: json('How far the order has come.', OrderRequestStatus),
    fails: [402, 409],
    handler: async ({ workspaceId, actor, params }) => {
      await retry(workspaceId, params.requestId, actor);
      return (await orders.status(workspaceId, params.requestId)) as OrderRequestStatus;
    },
  });
};

export function noOrder(): Failure {
  return new Failure('missing', 'There is no order request with this requestId in this workspace.');
}
