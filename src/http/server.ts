import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { Grants } from '../access/grants.ts';
import { Member, MemberPage } from '../contract/member.ts';
import { OrderRecord, OrderRequest, OrderRequestStatus } from '../contract/order.ts';
import { Problem } from '../contract/problem.ts';
import { NewReason, Reason, ReasonChange, ReasonList } from '../contract/reason.ts';
import { LastRecognizedPage, TeamActivityPage } from '../contract/report.ts';
import { scimSchemas } from '../contract/scim.ts';
import { Decision, Shoutout, ShoutoutPage, ShoutoutRequest } from '../contract/shoutout.ts';
import type { Metrics } from '../metrics.ts';
import { refuseOtherMedia } from './areas/api/media.ts';
import { type MemberRoutesOptions, memberRoutes } from './areas/api/members.ts';
import { type OrderRoutesOptions, orderRoutes } from './areas/api/orders.ts';
import { type ReasonRoutesOptions, reasonRoutes } from './areas/api/reasons.ts';
import { type ReportRoutesOptions, reportRoutes } from './areas/api/reports.ts';
import { type ShoutoutRoutesOptions, shoutoutRoutes } from './areas/api/shoutouts.ts';
import { serveDocs } from './areas/docs/routes.ts';
import { healthRoutes, type Readiness } from './areas/health/routes.ts';
import { tidyScimAddress } from './areas/scim/address.ts';
import { type ScimRoutesOptions, scimRoutes } from './areas/scim/routes.ts';
import { createAuthentication } from './authenticate.ts';
import { usualBodyBytes } from './body-limits.ts';
import { answerClientError } from './client-error.ts';
import { admitRequests, closeConnectionsOnStop, cutSlowReaders } from './connections.ts';
import { readJsonBody } from './json-body.ts';
import { makeLogId, observeRequests } from './observe.ts';
import { describeRoutes } from './openapi.ts';
import { createOneByOneServer } from './pipelining.ts';
import { answerError } from './problems.ts';
import { keepRouteTable } from './route-table.ts';
import { createSerializerCompiler } from './serialization.ts';
import { refuseUnknownRoutes } from './unknown-route.ts';
import { createValidatorCompiler } from './validation.ts';

export interface ServerOptions {
  log: Logger;
  metrics: Metrics;
  readiness: Readiness;
  currencies: readonly string[];
  /** Absent on a node that only works: it answers health and metrics alone. */
  api: ApiOptions | null;
}

type ApiOptions = { grants: Grants } & OrderRoutesOptions &
  ReportRoutesOptions &
  MemberRoutesOptions &
  ShoutoutRoutesOptions &
  ReasonRoutesOptions &
  ScimRoutesOptions;

const sharedSchemas = [
  Problem,
  OrderRequest,
  OrderRequestStatus,
  OrderRecord,
  TeamActivityPage,
  LastRecognizedPage,
  Member,
  MemberPage,
  ShoutoutRequest,
  Shoutout,
  ShoutoutPage,
  Decision,
  NewReason,
  ReasonChange,
  Reason,
  ReasonList,
  ...scimSchemas,
];

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { log, metrics, readiness, currencies, api } = options;
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: makeLogId,
    childLoggerFactory: (logger) => logger,
    bodyLimit: usualBodyBytes,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 16 * 1024 },
    serverFactory: createOneByOneServer,
    rewriteUrl: ({ url = '/' }) => tidyScimAddress(url),
    clientErrorHandler: answerClientError,
    frameworkErrors: answerError,
  });

  app.setErrorHandler(answerError);
  app.setValidatorCompiler(createValidatorCompiler(currencies, sharedSchemas));
  app.setSerializerCompiler(createSerializerCompiler(sharedSchemas));
  for (const schema of sharedSchemas) app.addSchema(schema);
  app.removeAllContentTypeParsers();
  // Bodies are ignored on routes without a body schema.
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    const { schema, config } = request.routeOptions;
    const isLeftOut = body.length === 0 && config.bodyIsOptional;
    return schema?.body && !isLeftOut ? readJsonBody(request, body) : undefined;
  });

  keepRouteTable(app);
  const underWay = observeRequests(app, metrics);
  closeConnectionsOnStop(app, underWay);
  cutSlowReaders(app, underWay);
  admitRequests(app, underWay);
  refuseUnknownRoutes(app);
  await app.register(healthRoutes, { readiness, metrics });
  if (api) {
    app.decorateRequest('caller');
    app.addHook('onRequest', createAuthentication(api.grants));
    app.addHook('onRequest', refuseOtherMedia);
    await describeRoutes(app);
    await serveDocs(app);
    await app.register(orderRoutes, { prefix: '/api/v1/orders', ...api });
    await app.register(reportRoutes, { prefix: '/api/v1/reports', ...api });
    await app.register(memberRoutes, { prefix: '/api/v1/members', ...api });
    await app.register(shoutoutRoutes, { prefix: '/api/v1/shoutouts', ...api });
    await app.register(reasonRoutes, { prefix: '/api/v1/reasons', ...api });
    await app.register(scimRoutes, { prefix: '/scim/v2', ...api });
  }
  await app.ready();
  return app;
}
