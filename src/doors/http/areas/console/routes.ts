import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../../../ground/errors.ts';
import { encodingFor, sendAs } from '../../compressed.ts';
import { favicon } from '../../drawings.ts';
import { type ConsoleFile, followBuild } from './files.ts';
import { unbuiltPage } from './unbuilt.ts';

const keptForGood = 'public, max-age=31536000, immutable';
const html = 'text/html; charset=utf-8';

/** The addresses of screens: `/`, the sign-in page, and everything below a workspace, which is the console's own to know. */
const pages = ['/', '/sign-in', '/w/:workspace', '/w/:workspace/*'];

export async function serveConsole(app: FastifyInstance, folder: string): Promise<void> {
  const build = followBuild(folder);
  const get = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => FastifyReply) =>
    app.route({ method: 'GET', url, schema: { hide: true }, handler });
  for (const url of pages) get(url, (_request, reply) => sendPage(reply, build()?.page ?? null));
  get('/console/icon.svg', (_request, reply) =>
    reply.header('Cache-Control', 'public, max-age=86400').type('image/svg+xml').send(favicon),
  );
  get('/console/asset/:name', (request, reply) => {
    const file = build()?.assets.get((request.params as { name: string }).name);
    if (!file) throw new Failure('missing', 'This path does not exist.');
    return sendAsset(request, reply, file);
  });
}

/** Each page has a nonce of its own: style elements that the console adds carry it, others are refused. */
function sendPage(reply: FastifyReply, page: string | null): FastifyReply {
  if (page === null) return reply.code(503).header('Retry-After', '5').type(html).send(unbuiltPage);
  const nonce = randomBytes(16).toString('base64');
  return reply.header('Content-Security-Policy', contentPolicy(nonce)).type(html).send(page.replace('%NONCE%', nonce));
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

function sendAsset(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): FastifyReply {
  return sendAs(reply.header('Cache-Control', keptForGood).type(file.type), file, encodingFor(request));
}
