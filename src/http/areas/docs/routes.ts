import { createHash } from 'node:crypto';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, RouteHandlerMethod } from 'fastify';

/** Everything from this service and nothing from elsewhere: the page works without the internet. */
const contentPolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'font-src': "'self'",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** The OpenAPI document at /openapi.json, and a reference page at /docs. */
export async function serveDocs(app: FastifyInstance): Promise<void> {
  const sendJson = sendOnceWritten('application/json; charset=utf-8', () => JSON.stringify(app.swagger()));
  const sendYaml = sendOnceWritten('application/x-yaml', () => app.swagger({ yaml: true }));
  // The reference page's own routes would write the document anew for each request.
  app.addHook('onRoute', (route) => {
    if (route.url === '/docs/json') route.handler = sendJson;
    if (route.url === '/docs/yaml') route.handler = sendYaml;
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { layout: 'BaseLayout', tryItOutEnabled: true },
    theme: { title: 'Giftwire API' },
    staticCSP: contentPolicy,
  });
  app.route({
    method: 'GET',
    url: '/',
    config: { access: 'public' },
    schema: { hide: true },
    handler: async (_request, reply) => reply.redirect('/docs'),
  });
  app.route({
    method: 'GET',
    url: '/openapi.json',
    config: { access: 'public' },
    schema: { hide: true },
    handler: sendJson,
  });
}

/** Sends a document that is written once, for the first who asks; a caller who has it already is told so. */
function sendOnceWritten(type: string, write: () => string): RouteHandlerMethod {
  let document: { text: Buffer; tag: string } | null = null;
  const keep = (text: Buffer) => ({ text, tag: `"${createHash('sha256').update(text).digest('base64url')}"` });
  return async ({ headers }, reply) => {
    document ??= keep(Buffer.from(write()));
    reply.header('ETag', document.tag).header('Cache-Control', 'no-cache').type(type);
    return headers['if-none-match'] === document.tag ? reply.code(304).send() : reply.send(document.text);
  };
}
