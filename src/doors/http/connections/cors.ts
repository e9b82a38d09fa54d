import type { FastifyInstance } from 'fastify';
import { pathOf } from './address.ts';

const methods = 'GET, POST, PUT, PATCH, DELETE';
const requestHeaders = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-Customer-Request-Id',
  'X-Workspace-id',
].join(', ');
const responseHeaders = [
  'Allow',
  'Content-Disposition',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Policy',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Invalid-Fields',
  'X-Request-Id',
].join(', ');
/** As long as browsers keep it at most. */
const keptSeconds = '7200';

/**
 * Lets pages of these origins call the paths with these prefixes in a browser, with a token. Browsers get no permission to send cookies along, so a page of
 * another origin never acts as the person who is signed in to the console.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[], prefixes: readonly string[]): void {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  app.addHook('onRequest', (request, reply, done) => {
    const { origin = '' } = request.headers;
    const path = `${pathOf(request.url)}/`;
    if (!prefixes.some((prefix) => path.startsWith(`${prefix}/`))) return done();
    reply.header('Vary', 'Origin');
    if (!allowed.has(origin)) return done();
    reply.header('Access-Control-Allow-Origin', origin);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
      reply.header('Access-Control-Expose-Headers', responseHeaders);
      return done();
    }
    reply
      .code(204)
      .headers({
        'Access-Control-Allow-Methods': methods,
        'Access-Control-Allow-Headers': requestHeaders,
        'Access-Control-Max-Age': keptSeconds,
      })
      .send();
  });
}
