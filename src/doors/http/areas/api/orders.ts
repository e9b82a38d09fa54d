import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { WorkspaceGrant } from '../../../../company/access/grants.ts';
import type { Read, ReadTraces } from '../../../../company/access/read-traces.ts';
import type { Acceptance } from '../../../../giving/orders/accept.ts';
import { isSentBy } from '../../../../giving/orders/sent-by.ts';
import type { OrderTrial } from '../../../../giving/orders/validate.ts';
import { ReplayedHeader } from '../../../../ground/contract/idempotency.ts';
import {
  FindQuery,
  OrderHeaders,
  OrderRecord,
  OrderRequest,
  OrderRequestStatus,
  orderSchemas,
  RequestIdParams,
} from '../../../../ground/contract/order.ts';
import { orderListSchemas } from '../../../../ground/contract/order-list.ts';
import { OrderValidation, orderValidationSchemas } from '../../../../ground/contract/order-validation.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import { Failure, type Fault } from '../../../../ground/errors.ts';
import { isObject } from '../../../../ground/values/differences.ts';
import { largeMaxValues } from '../../body/body-limits.ts';
import { headerText, restoreHeaderText } from '../../callers/header-text.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { amountsFitCurrency } from './amounts-keyword.ts';
import { noOrder, type OrderListOptions, orderListRoutes } from './order-list.ts';
import type { Resource } from './resource.ts';
import { tidyOrder } from './tidy.ts';

/**
 * Enough for a full order of the longest gifts with every character written as a pair of \u escapes:
 * 1,000 × 12 bytes × (1,000 of message + 200 of names + 64 of employee number) and the rest.
 */
export const maxBodyBytes = 16 * 1024 * 1024;

export interface OrderOptions extends OrderListOptions {
  acceptance: Acceptance;
  trial: OrderTrial;
  traces: ReadTraces;
}

const orderHeaders = Object.keys(OrderHeaders.properties);

const orderRoutes: FastifyPluginAsyncTypebox<OrderOptions> = async (app, options) => {
  const { acceptance, orders, trial, lookUps, traces } = options;

  app.route({
    method: 'POST',
    url: '',
    bodyLimit: maxBodyBytes,
    config: { access: 'orders:write', forManagers: true, maxValues: largeMaxValues },
    schema: {
      operationId: 'createOrder',
      summary: 'Create a gift order',
      description: 'Stores the order and answers with a requestId. Giftwire issues the gifts in the background.',
      headers: Type.Object({ ...WorkspaceHeader, ...OrderHeaders.properties }),
      body: ref(OrderRequest),
      response: {
        201: {
          description:
            'The order is stored. If the Idempotency-Key was used before, this is the order of that request.',
          headers: ReplayedHeader,
          content: { 'application/json': { schema: ref(OrderRequestStatus) } },
        },
        ...problems(400, 401, 402, 403, 406, 413, 415, 422, 429, 500, 503),
      },
    },
    preValidation: (request, _reply, done) => {
      request.body = tidyOrder(request.body) as typeof request.body;
      for (const name of orderHeaders) restoreHeaderText(request, name);
      done();
    },
    handler: async (request, reply) => {
      const { record, replayed } = await acceptance.accept({
        tokenId: request.caller.callerId,
        workspace: request.caller.workspace,
        customerRequestId: headerText(request, 'X-Customer-Request-Id'),
        idempotencyKey: headerText(request, 'Idempotency-Key'),
        order: request.body,
      });
      if (replayed) reply.header('Idempotent-Replayed', 'true');
      return reply.code(201).send(record);
    },
  });

  app.route({
    method: 'POST',
    url: '/validate',
    config: { access: 'orders:write', forManagers: true, maxValues: largeMaxValues },
    bodyLimit: maxBodyBytes,
    // Faults of the body are part of the answer.
    attachValidation: true,
    schema: {
      operationId: 'validateOrder',
      summary: 'Try an order',
      description:
        'Makes every check of an order and stores nothing: what is at fault, who gets the gifts, who would be added, which gifts have a twin. Faults are part of the answer, which is 200 as long as the body is a JSON object.',
      headers: Type.Object(WorkspaceHeader),
      body: ref(OrderRequest),
      response: {
        200: {
          description: 'What would become of the order.',
          content: { 'application/json': { schema: ref(OrderValidation) } },
        },
        ...problems(400, 401, 403, 406, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = tidyOrder(request.body) as typeof request.body;
    },
    handler: async ({ body, caller, validationError }) => {
      const faults = faultsOfBody(validationError);
      if (!isObject(body)) throw validationError;
      return trial.validate({ workspace: caller.workspace, order: body, faults });
    },
  });

  app.route({
    method: 'GET',
    url: '/status/:requestId',
    config: { access: 'orders:read', forManagers: true },
    schema: {
      operationId: 'getOrderStatus',
      summary: 'Get order status',
      description: 'ACCEPTED until the gifts are issued, then COMPLETED or FAILED, which never changes.',
      headers: Type.Object(WorkspaceHeader),
      params: RequestIdParams,
      response: {
        200: {
          description: 'How far the order request has come.',
          content: { 'application/json': { schema: ref(OrderRequestStatus) } },
        },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
    handler: async ({ caller, params: { requestId } }) => {
      const { workspaceId, onlyReportsOf } = caller.workspace;
      // A manager follows the orders that they have sent themselves.
      if (onlyReportsOf !== null && !(await isSentBy(lookUps, workspaceId, requestId, caller.callerId)))
        throw noOrder();
      const record = await orders.status(workspaceId, requestId);
      if (!record) throw noOrder();
      return record;
    },
  });

  app.route({
    method: 'GET',
    url: '/:requestId',
    config: { access: 'orders:read' },
    schema: {
      operationId: 'findOrder',
      summary: 'Find order',
      description: 'The order with a page of its certificates. Unknown parameters are ignored.',
      headers: Type.Object(WorkspaceHeader),
      params: RequestIdParams,
      querystring: FindQuery,
      response: {
        200: {
          description: 'The order, with a page of its certificates.',
          content: { 'application/json': { schema: ref(OrderRecord) } },
        },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
    handler: async ({ caller, grant, params, query }) => {
      refuseReaders(caller.workspace);
      const { workspaceId } = caller.workspace;
      const record = await orders.find(workspaceId, params.requestId, query);
      if (!record) throw noOrder();
      const noted = record.certificates.length > 0 && traces.note(grant, workspaceId, codesOf(record));
      if (noted) await noted;
      return record;
    },
  });

  await orderListRoutes(app, options);
};

/** The codes of gifts are as good as the gifts: a person who may not manage gifts, as an auditor, reads orders without them. */
function refuseReaders({ role, scopes }: WorkspaceGrant): void {
  if (role !== null && !scopes.includes('gifts:manage'))
    throw new Failure('forbidden', 'This shows the codes of gifts, which your role may not see.');
}

function codesOf({ requestId, certificates }: OrderRecord): Read {
  return { action: 'order.codes_read', subject: { id: requestId, name: null }, gifts: certificates.length };
}

function faultsOfBody(error: unknown): readonly Fault[] {
  if (error === undefined) return [];
  if (error instanceof Failure) return error.faults;
  throw error;
}

export const orders: Resource<OrderOptions> = {
  prefix: '/orders',
  tag: { name: 'Orders', description: 'Create gift orders, follow them, find their certificates.' },
  schemas: [...orderSchemas, ...orderListSchemas, ...orderValidationSchemas],
  keywords: [amountsFitCurrency],
  routes: orderRoutes,
};
