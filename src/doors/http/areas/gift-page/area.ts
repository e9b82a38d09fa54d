import type { FastifyRequest } from 'fastify';
import type { Area } from '../../area.ts';
import type { ErrorForm } from '../../errors/error-answers.ts';
import { errorPage } from './notices.ts';
import type { GiftPageOptions } from './options.ts';
import { servePages } from './routes.ts';
import { visitorWords } from './visitor.ts';

/** Everything from this service and nothing from elsewhere. No inline style and no inline script. */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const errors: ErrorForm = {
  contentType: 'text/html; charset=utf-8',
  write: (status, failure, request: FastifyRequest) => ({
    body: errorPage(visitorWords(request), status, failure),
  }),
};

/** The pages on which people open, claim and give thanks for their gifts. No credential is needed; the gift token gives access. */
export function giftPageArea(options: GiftPageOptions): Area {
  return {
    prefix: '/g',
    authenticate: 'public',
    errors,
    headers: { 'Content-Security-Policy': contentPolicy, 'X-Robots-Tag': 'noindex' },
    plugin: (app) => servePages(app, options),
  };
}
