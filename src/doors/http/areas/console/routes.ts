import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { followBuiltPages, sendBuiltPage } from '../../built-pages.ts';
import { favicon } from '../../drawings.ts';

/** The addresses of screens: `/`, the sign-in page, and everything below a workspace, which is the console's own to know. */
const pages = ['/', '/sign-in', '/w/:workspace', '/w/:workspace/*'];

export async function serveConsole(app: FastifyInstance, folder: string): Promise<void> {
  const { page, sendAsset } = followBuiltPages(folder);
  const get = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => FastifyReply) =>
    app.route({ method: 'GET', url, schema: { hide: true }, handler });
  for (const url of pages) get(url, (_request, reply) => sendPage(reply, page()));
  get('/console/icon.svg', (_request, reply) =>
    reply.header('Cache-Control', 'public, max-age=86400').type('image/svg+xml').send(favicon),
  );
  get('/console/asset/:name', (request, reply) => sendAsset(request, reply, (request.params as { name: string }).name));
}

/** Each page has a nonce of its own: style elements that the console adds carry it, others are refused. */
function sendPage(reply: FastifyReply, page: string | null): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return sendBuiltPage(reply, page?.replace('%NONCE%', nonce) ?? null, contentPolicy(nonce));
}

/** Everything from this service and nothing from elsewhere. Pictures may come from a file that the user has just chosen. */
function contentPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
