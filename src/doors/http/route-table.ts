import type { FastifyInstance } from 'fastify';
import type { Scope } from '../../company/access/scopes.ts';

export interface RouteEntry {
  method: string;
  url: string;
  access: Access;
  forManagers: boolean;
  forLeavers: boolean;
}

/** A scope; `self`: any good credential, because it is about the caller, without a workspace; `public`: no credential. */
export type Access = Scope | 'self' | 'public';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may use a route. Only routes of a public area may leave it out. */
    access?: Access;
  }
  interface FastifyInstance {
    routeTable: RouteEntry[];
  }
}

/** Lists all routes. The service does not start if a route does not say who may use it, or if that would not be checked. */
export function keepRouteTable(app: FastifyInstance): void {
  app.decorate('routeTable', []);
  app.addHook('onRoute', function ({ url, method, config }) {
    const authenticate = this.area?.authenticate;
    const forManagers = config?.forManagers ?? false;
    const forLeavers = config?.forLeavers ?? false;
    const access = config?.access ?? (authenticate === 'public' ? 'public' : null);
    if (access === null) throw new Error(`the route ${url} does not say who may use it`);
    if (access !== 'public' && typeof authenticate !== 'function')
      throw new Error(`the route ${url} asks for the scope ${access}, but its area does not authenticate`);
    for (const one of [method].flat()) app.routeTable.push({ method: one, url, access, forManagers, forLeavers });
  });
}
