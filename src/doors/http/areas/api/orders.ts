import type { WorkspaceGrant } from '../../../../company/access/grants.ts';
import type { Read } from '../../../../company/access/read-traces.ts';
import { isSentBy } from '../../../../giving/orders/sent-by.ts';
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
import { recipientSchemas } from '../../../../ground/contract/recipient.ts';
import { Failure, type Fault } from '../../../../ground/errors.ts';
import { isObject } from '../../../../ground/values/differences.ts';
import { largeMaxValues } from '../../body/body-limits.ts';
import { createTidier } from '../../body/tidy.ts';
import { createUnknownFinder, type UnknownField } from '../../body/unknown-fields.ts';
import { headerText } from '../../callers/header-text.ts';
import { amountsFitCurrency } from './amounts-keyword.ts';
import { operation } from './operation.ts';
import { noOrder, orderListRoutes } from './order-list.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { created, json } from './returns.ts';

/**
 * Enough for a full order of the longest gifts with every character written as a pair of \u escapes:
 * 1,000 × 12 bytes × (1,000 of message + 200 of names + 64 of employee number) and the rest.
 */
export const maxBodyBytes = 16 * 1024 * 1024;

/** A body with faults reaches the handler as it came. */
const tidyOrder = createTidier([...recipientSchemas, ...orderSchemas])(OrderRequest);

const findIgnored = createUnknownFinder([...recipientSchemas, ...orderSchemas])(OrderRequest);
/** The unknown fields of bodies, found before the check leaves them out. */
const ignoredIn = new WeakMap<object, UnknownField[]>();

const orderRoutes: Routes = async (app, options) => {
  const { acceptance, orders, trial, lookUps, traces } = options;

  operation(app, 'createOrder', 'POST /', 'orders:write', {
    forManagers: true,
    maxValues: largeMaxValues,
    bodyLimit: maxBodyBytes,
    ignoresUnknown: true,
    summary: 'Create a gift order',
    description:
      'Stores the order and answers with a requestId. Giftwire issues the gifts in the background. Naming a sender also needs the scope orders:delegate.',
    headers: OrderHeaders.properties,
    body: OrderRequest,
    returns: created(
      'The order is stored. If the Idempotency-Key was used before, this is the order of that request.',
      OrderRequestStatus,
    ),
    fails: [402],
    handler: async (request, reply) => {
      const { record, replayed } = await acceptance.accept({
        tokenId: request.caller.callerId,
        workspace: request.caller.workspace,
        customerRequestId: headerText(request, 'X-Customer-Request-Id'),
        idempotencyKey: headerText(request, 'Idempotency-Key'),
        order: request.body,
      });
      if (replayed) reply.header('Idempotent-Replayed', 'true');
      return record;
    },
  });

  operation(app, 'validateOrder', 'POST /validate', 'orders:write', {
    changesNothing: true,
    forManagers: true,
    maxValues: largeMaxValues,
    bodyLimit: maxBodyBytes,
    // Faults of the body are part of the response.
    attachValidation: true,
    ignoresUnknown: true,
    preValidation: async (request) => {
      ignoredIn.set(request, findIgnored(request.body));
    },
    summary: 'Try an order',
    description:
      'Checks an order and stores nothing: which fields are invalid, who gets the gifts, who would be added, which gifts have a twin, which rule would apply and who would be asked, which fields an order would ignore. Problems are part of the response, whose status is 200 if the body is a JSON object.',
    body: OrderRequest,
    returns: json('What would become of the order.', OrderValidation),
    handler: async (request) => {
      const { body, caller, validationError } = request;
      const faults = faultsOfBody(validationError);
      if (!isObject(body)) throw validationError;
      const draft = {
        workspace: caller.workspace,
        tokenId: caller.callerId,
        order: tidyOrder(body) as typeof body,
        faults,
      };
      const ignored = (ignoredIn.get(request) ?? []).map(({ path }) => path);
      return { ...(await trial.validate(draft)), ignored };
    },
  });

  operation(app, 'getOrderStatus', 'GET /status/:requestId', 'orders:read', {
    forManagers: true,
    summary: 'Get order status',
    description: 'ACCEPTED until the gifts are issued, then COMPLETED or FAILED, which never changes.',
    params: RequestIdParams,
    returns: json('How far the order request has come.', OrderRequestStatus),
    handler: async ({ caller, params: { requestId } }) => {
      const { workspaceId, onlyReportsOf, memberId } = caller.workspace;
      // A manager follows the orders that they have sent, themselves or through a token.
      const { callerId } = caller;
      if (onlyReportsOf !== null && !(await isSentBy(lookUps, workspaceId, requestId, { callerId, memberId })))
        throw noOrder();
      const record = await orders.status(workspaceId, requestId);
      if (!record) throw noOrder();
      return record;
    },
  });

  operation(app, 'findOrder', 'GET /:requestId', 'orders:read', {
    summary: 'Find order',
    description: 'The order with a page of its certificates. Unknown parameters are ignored.',
    params: RequestIdParams,
    query: FindQuery,
    returns: json('The order, with a page of its certificates.', OrderRecord),
    handler: async ({ workspaceId, caller, grant, params, query }) => {
      refuseReaders(caller.workspace);
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

export const orders: Resource = {
  prefix: '/orders',
  tag: { name: 'Orders', description: 'Create gift orders, follow them, find their certificates.' },
  schemas: [...orderSchemas, ...orderListSchemas, ...orderValidationSchemas],
  keywords: [amountsFitCurrency],
  routes: orderRoutes,
};
