import type { Area } from '../../area.ts';
import { type MyPages, serveMyPages } from './routes.ts';

/** The employees' app. It is a client of the API like the console, so these routes serve its files and the company's look alone. */
export function myArea(pages: MyPages): Area {
  return { prefix: '/my', authenticate: 'public', plugin: (app) => serveMyPages(app, pages) };
}
