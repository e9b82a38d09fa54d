import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../../../ground/metrics.ts';
import type { Area } from '../../area.ts';
import { shareAnswer } from './shared-answer.ts';

export interface Check {
  ok: boolean;
  detail: string;
}

/** The checks that a node has to pass before it should get requests, by name. */
export type Readiness = () => Promise<Record<string, Check>>;

export interface HealthOptions {
  readiness: Readiness;
  metrics: Pick<Metrics, 'contentType' | 'read'>;
  /** The node still serves, and should get no more requests. */
  isDraining: () => boolean;
}

const goodForMs = 1_000;
/** Short, so that a node that is starting, or whose database is back, gets requests soon. */
const unreadyForMs = 100;

/** For the program that watches the service. It asks every few seconds, so its requests are logged at level debug. */
export function healthArea({ readiness, metrics, isDraining }: HealthOptions): Area {
  return {
    prefix: '',
    authenticate: 'public',
    async plugin(app) {
      const route = { config: { access: 'public' as const, isRoutine: true }, schema: { hide: true } };
      app.get('/health/live', route, async () => ({ status: 'ok' }));
      serveReadiness(app, { readiness, isDraining }, route);
      serveMetrics(app, metrics, route);
    },
  };
}

const draining = {
  ready: false,
  body: { status: 'unavailable', checks: { stop: { ok: false, detail: 'under way' } } },
};

type Route = { config: { access: 'public'; isRoutine: boolean }; schema: object };

/** Callers need no credential and have no limit, so the checks run at most once a second for all of them together. */
function serveReadiness(
  app: FastifyInstance,
  { readiness, isDraining }: Pick<HealthOptions, 'readiness' | 'isDraining'>,
  route: Route,
): void {
  const read = shareAnswer(
    async () => {
      const checks = await readiness();
      const ready = Object.values(checks).every(({ ok }) => ok);
      return { ready, body: { status: ready ? 'ok' : 'unavailable', checks } };
    },
    ({ ready }) => (ready ? goodForMs : unreadyForMs),
  );
  app.get('/health/ready', route, async (_request, reply) => {
    // Not from the shared response: a load balancer has to see it with its next check.
    const { ready, body } = isDraining() ? draining : await read();
    if (!ready) reply.code(503).header('Retry-After', '1');
    return body;
  });
}

function serveMetrics(app: FastifyInstance, metrics: HealthOptions['metrics'], route: Route): void {
  const read = shareAnswer(
    async () => Buffer.from(await metrics.read()),
    () => goodForMs,
  );
  app.get('/metrics', route, async (_request, reply) => {
    reply.type(metrics.contentType);
    return read();
  });
}
