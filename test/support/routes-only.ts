import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { type Interfaces, listAreas } from '../../src/doors/http/areas.ts';
import { createServer } from '../../src/doors/http/server.ts';
import { readConfig } from '../../src/ground/config/config.ts';
import { createMetrics } from '../../src/ground/metrics.ts';

/** The server with all its routes, to be looked at and not called: what its routes work with is missing. */
export function createRoutesOnly(): Promise<FastifyInstance> {
  const metrics = createMetrics();
  const { currencies } = readConfig({});
  const interfaces = {
    grants: {},
    api: { currencies, desk: {}, steps: {} },
    scim: {},
    console: { folder: '' },
    my: { folder: '' },
    giftPage: { metrics, publicUrl: null },
    decisionPage: { publicUrl: null },
    notePage: { publicUrl: null },
    session: { publicUrl: null },
  };
  const areas = listAreas({
    health: { readiness: async () => ({}), metrics, isDraining: () => false },
    interfaces: interfaces as unknown as Interfaces,
  });
  return createServer({ log: pino({ level: 'silent' }), metrics, areas });
}
