import type { Area } from '../../area.ts';
import { errorPage } from './notices.ts';
import type { GiftPageOptions } from './options.ts';
import { servePages } from './routes.ts';
import { visitorWords } from './visitor.ts';

/** Everything from this service and nothing from elsewhere. No inline style and no inline script. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The pages on which people open, claim and give thanks for their gifts. No credential is needed; the gift token gives access. */
export function giftPageArea(options: GiftPageOptions): Area {
  return pageArea('/g', errorPage, (app) => servePages(app, options));
}

/** An area of pages for people who do not sign in. Its errors are pages too. */
export function pageArea(prefix: string, write: typeof errorPage, plugin: Area['plugin']): Area {
  return {
    prefix,
    authenticate: 'public',
    errors: {
      contentType: 'text/html; charset=utf-8',
      write: (status, failure, request) => ({ body: write(visitorWords(request), status, failure) }),
    },
    headers: { 'Content-Security-Policy': contentPolicy, 'X-Robots-Tag': 'noindex' },
    plugin,
  };
}
