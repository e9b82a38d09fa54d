import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Metrics } from '../metrics.ts';

/** What keeps a browser that was led here from doing anything with an answer. The reference page has its own policy. */
const protective = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

const secrets = /gw_(test|live)_\w+/g;

/**
 * One log line and one measurement for each answer. No header, body or query is logged: tokens travel there.
 * Returns the answers that are under way.
 */
export function observeRequests(app: FastifyInstance, metrics: Metrics): ReadonlySet<FastifyReply> {
  const underWay = new Set<FastifyReply>();
  // These lines are made of known fields, so that looking for secrets in each is left out: it took a tenth of the time.
  const log = app.log.child({}, { redact: [] });
  app.addHook('onRequest', (request, reply, done) => {
    underWay.add(reply);
    reply.header('X-Request-Id', request.id).headers(protective);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    underWay.delete(reply);
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const status = reply.statusCode;
    metrics.requests.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
    const path = (request.url.split('?')[0] as string).replace(secrets, 'gw_[redacted]');
    const entry = {
      reqId: request.id,
      method: request.method,
      path,
      status,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    };
    if (route.startsWith('/health') || route === '/metrics') log.debug(entry, 'answered');
    else log.info(entry, 'answered');
    done();
  });
  return underWay;
}

const processMark = randomBytes(6).toString('base64url');
let requests = 0;

/** Unique over processes and restarts, and cheap. */
export function makeLogId(): string {
  return `${processMark}-${(++requests).toString(36)}`;
}
