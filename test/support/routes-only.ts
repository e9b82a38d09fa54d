import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { createServer, type ServerOptions } from '../../src/http/server.ts';
import { createMetrics } from '../../src/metrics.ts';

/** The server with its routes and nothing behind them: to be looked at, not called. */
export function createRoutesOnly(): Promise<FastifyInstance> {
  return createServer({
    log: pino({ level: 'silent' }),
    metrics: createMetrics(async () => ({ depth: 0, oldestAgeSeconds: 0 })),
    readiness: async () => ({}),
    currencies: readConfig({}).currencies,
    api: {} as NonNullable<ServerOptions['api']>,
  });
}
