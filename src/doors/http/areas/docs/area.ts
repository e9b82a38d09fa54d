import type { Area } from '../../area.ts';
import { serveDocs } from './routes.ts';

/** Everything from this service and nothing from elsewhere: the pages work without the internet. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const docsArea: Area = {
  prefix: '',
  authenticate: 'public',
  headers: { 'Content-Security-Policy': contentPolicy },
  guide: '/docs',
  plugin: serveDocs,
};
