import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { Metrics } from '../../ground/metrics.ts';
import { isTextWithin, type Network } from '../../ground/values/network.ts';
import type { Answer } from './answer.ts';
import { type Area, answerUnrouted, registerArea, tidyAddresses } from './area.ts';
import { usualBodyBytes } from './body/body-limits.ts';
import { limitLargeBodies } from './body/body-room.ts';
import { decorateCallers } from './callers/authenticate.ts';
import { answerClientError } from './connections/client-error.ts';
import { closeConnectionsOnStop, cutSlowReaders, refusalOf, refuseExpectations } from './connections/connections.ts';
import { allowOrigins } from './connections/cors.ts';
import { createOneByOneServer } from './connections/pipelining.ts';
import { refuseUnknownRoutes } from './errors/unknown-route.ts';
import { makeLogId, observeRequests } from './observe.ts';
import { describeRoutes } from './openapi/openapi.ts';
import { keepRouteTable } from './route-table.ts';
import { traceRequests } from './trace-requests.ts';

export interface ServerOptions {
  log: Logger;
  metrics: Metrics;
  areas: readonly Area[];
  /** Proxies whose X-Forwarded-For names the caller. */
  trustedProxies?: readonly Network[];
  /** The origins whose pages may call, in a browser, the areas that serve them. */
  corsOrigins?: readonly string[];
  /** Whether requests become parts of traces. */
  isTraced?: boolean;
}

/** The kernel: what every request has in common. It knows no area: these are in areas.ts. */
export async function createServer({
  log,
  metrics,
  areas,
  trustedProxies = [],
  corsOrigins = [],
  isTraced = false,
}: ServerOptions): Promise<FastifyInstance> {
  const { underWay, begin } = observeRequests(metrics, log);
  const app: FastifyInstance = Fastify({
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: makeLogId,
    trustProxy: trustedProxies.length > 0 && ((address) => isTextWithin(address, trustedProxies)),
    bodyLimit: usualBodyBytes,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 16 * 1024 },
    serverFactory: createOneByOneServer,
    rewriteUrl: tidyAddresses(areas),
    clientErrorHandler: answerClientError,
    frameworkErrors: answerUnrouted(areas),
  });
  // Given to Fastify as its own, it would listen to every answer and make a logger for each request.
  app.log = log as FastifyBaseLogger;
  app.setErrorHandler(answerUnrouted(areas));
  // Each area adds parsers for the bodies that it takes.
  app.removeAllContentTypeParsers();
  decorateCallers(app);
  app.decorateRequest('route');
  for (const schema of areas.flatMap(({ schemas }) => schemas ?? [])) app.addSchema(schema);

  keepRouteTable(app);
  limitLargeBodies(app);
  app.addHook('onRequest', (request, reply, done) => {
    const answer = reply.raw as Answer;
    request.log = reply.log = log as FastifyBaseLogger;
    request.route = request.routeOptions.config;
    answer.reply = reply;
    begin(answer, request.id, request.route);
    done(refusalOf(request, underWay));
  });
  if (isTraced) traceRequests(app, areas);
  const forOtherOrigins = areas.filter(({ servesOtherOrigins }) => servesOtherOrigins);
  allowOrigins(
    app,
    corsOrigins,
    forOtherOrigins.map(({ prefix }) => prefix),
  );
  closeConnectionsOnStop(app, underWay);
  cutSlowReaders(app, underWay);
  refuseExpectations(app);
  await refuseUnknownRoutes(app, areas.find(({ guide }) => guide !== undefined)?.guide);
  await describeRoutes(
    app,
    areas.flatMap(({ tags }) => tags ?? []),
  );
  for (const area of areas) await registerArea(app, area);
  await app.ready();
  return app;
}
