import type { FastifyPluginAsync } from 'fastify';
import type { Metrics } from '../../../metrics.ts';
import { shareAnswer } from './shared-answer.ts';

export interface Check {
  ok: boolean;
  detail: string;
}

/** What has to work before this node should get requests, by name. */
export type Readiness = () => Promise<Record<string, Check>>;

const goodForMs = 1_000;
/** A node that is starting, or whose database is back, is not kept waiting. */
const unreadyForMs = 100;

/** Anybody may ask these, as often as they like: what costs something is read once a second for all of them. */
export const healthRoutes: FastifyPluginAsync<{ readiness: Readiness; metrics: Metrics }> = async (app, options) => {
  const { readiness, metrics } = options;
  const publicRoute = { config: { access: 'public' as const }, schema: { hide: true } };

  app.get('/health/live', publicRoute, async () => ({ status: 'ok' }));

  const readReadiness = shareAnswer(
    async () => {
      const checks = await readiness();
      const ready = Object.values(checks).every(({ ok }) => ok);
      return { ready, body: { status: ready ? 'ok' : 'unavailable', checks } };
    },
    ({ ready }) => (ready ? goodForMs : unreadyForMs),
  );
  app.get('/health/ready', publicRoute, async (_request, reply) => {
    const { ready, body } = await readReadiness();
    if (!ready) reply.code(503).header('Retry-After', '1');
    return body;
  });

  const readMetrics = shareAnswer(
    async () => Buffer.from(await metrics.read()),
    () => goodForMs,
  );
  app.get('/metrics', publicRoute, async (_request, reply) => {
    reply.type(metrics.contentType);
    return readMetrics();
  });
};
