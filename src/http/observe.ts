import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { uuid } from '../contract/schema.ts';
import type { Metrics } from '../metrics.ts';

/** What keeps a browser that was led here from doing anything with an answer. The reference page has its own policy. */
const protective = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

/** What a client that went away before its answer is counted as; nobody is told so. */
const wentAway = 499;

/**
 * One log line and one measurement for each request, also for one whose caller went away. No header, body or query is
 * logged: tokens travel there. Returns the answers that are under way.
 */
export function observeRequests(app: FastifyInstance, metrics: Metrics): ReadonlySet<FastifyReply> {
  const underWay = new Set<FastifyReply>();
  metrics.watchUnderWay(() => underWay.size);
  // These lines are made of known fields: looking for secrets in each would cost more than writing it.
  const log = app.log.child({}, { redact: [] });
  const conclude = (request: FastifyRequest, reply: FastifyReply) => {
    underWay.delete(reply);
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const status = reply.raw.writableFinished ? reply.statusCode : wentAway;
    metrics.requests.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
    const entry = {
      reqId: request.id,
      method: request.method,
      path: loggedPath(request.url, route),
      status,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    };
    const message = status === wentAway ? 'The caller went away.' : 'answered';
    if (route.startsWith('/health') || route === '/metrics') log.debug(entry, message);
    else log.info(entry, message);
  };
  app.addHook('onRequest', (request, reply, done) => {
    underWay.add(reply);
    reply.raw.once('close', () => conclude(request, reply));
    reply.header('X-Request-Id', request.id).headers(protective);
    done();
  });
  return underWay;
}

// In lower case, as ours are: a short gift token could pass for a word otherwise.
const harmless = new RegExp(`^(v\\d+|[a-z][a-z._-]{0,30})?$|${uuid.source}`);

/** Only the steps that cannot be a secret: a token may have been put where an id belongs. */
function loggedPath(url: string, route: string): string {
  if (route !== 'none' && !/[:*]/.test(route)) return route;
  const [path = ''] = url.split('?');
  const own = route.split('/');
  const steps = path.split('/').map((step) => (own.includes(step) || harmless.test(step) ? step : '[redacted]'));
  return steps.join('/');
}

const processMark = randomBytes(6).toString('base64url');
let requests = 0;

/** Unique over processes and restarts, and cheap. */
export function makeLogId(): string {
  return `${processMark}-${(++requests).toString(36)}`;
}
