import type { FastifyInstance } from 'fastify';
import type { Scope } from '../access/grants.ts';

export interface RouteEntry {
  method: string;
  url: string;
  access: Scope | 'public';
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route asks of its caller: a scope, or nothing at all. Every route says which. */
    access?: Scope | 'public';
  }
  interface FastifyInstance {
    routeTable: RouteEntry[];
  }
}

/** Keeps the list of all routes. One that does not say who may use it stops the start. */
export function keepRouteTable(app: FastifyInstance): void {
  app.decorate('routeTable', []);
  app.addHook('onRoute', ({ url, method, config }) => {
    const access = config?.access ?? (isReferencePage(url) ? 'public' : null);
    if (access === null) throw new Error(`the route ${url} does not say who may use it`);
    for (const one of [method].flat()) app.routeTable.push({ method: one, url, access });
  });
}

/** Swagger UI registers its own files. */
function isReferencePage(url: string): boolean {
  return url === '/docs' || url.startsWith('/docs/');
}
