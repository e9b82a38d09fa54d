import type { FastifyPluginAsync } from 'fastify';
import type { Metrics } from '../../metrics.ts';

export interface Check {
  ok: boolean;
  detail: string;
}

/** What has to work before this node should get requests, by name. */
export type Readiness = () => Promise<Record<string, Check>>;

export const healthRoutes: FastifyPluginAsync<{ readiness: Readiness; metrics: Metrics }> = async (app, options) => {
  const { readiness, metrics } = options;
  const publicRoute = { config: { access: 'public' as const }, schema: { hide: true } };

  app.get('/health/live', publicRoute, async () => ({ status: 'ok' }));

  app.get('/health/ready', publicRoute, async (_request, reply) => {
    const checks = await readiness();
    const ready = Object.values(checks).every(({ ok }) => ok);
    if (!ready) reply.code(503).header('Retry-After', '1');
    return { status: ready ? 'ok' : 'unavailable', checks };
  });

  app.get('/metrics', publicRoute, async (_request, reply) => {
    reply.type(metrics.contentType);
    return metrics.read();
  });
};
