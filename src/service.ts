import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { Grants, grantsChannel } from './access/grants.ts';
import { baseUrl, type Config } from './config.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database/database.ts';
import { Listener } from './database/listener.ts';
import { checkSchema, readSchema } from './database/schema.ts';
import { refreshStatistics } from './database/statistics.ts';
import type { GiftTokenKeys } from './gifts/token-keys.ts';
import type { Check, Readiness } from './http/areas/health/area.ts';
import { type Interfaces, listAreas } from './http/areas.ts';
import { listenFailure, listenOptions } from './http/listen.ts';
import { createServer } from './http/server.ts';
import { startWorker, type Worker } from './jobs/worker.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { Acceptance } from './orders/accept.ts';
import { readAhead } from './orders/ahead.ts';
import { Fulfilment } from './orders/fulfilment.ts';
import { readBacklog } from './orders/pending.ts';
import { OrderReads } from './orders/read.ts';
import { wakeForgotten, wakeUp } from './orders/wake-up.ts';
import { readSumOfMetrics } from './processes.ts';
import { Shoutouts } from './recognition/give.ts';

export interface ServiceOptions {
  config: Config;
  databaseUrl: string;
  keys: GiftTokenKeys;
  log: Logger;
  /** Close functions, run in reverse order on stop. */
  opened: (() => Promise<void>)[];
  hasStarted: () => boolean;
}

const requestStatementTimeoutMs = 2_500;
const healthStatementTimeoutMs = 2_000;
const requestLockTimeoutMs = 2_000;
const jobStatementTimeoutMs = 30_000;
const jobLockTimeoutMs = 2_000;
const wakeAllEveryMs = 5_000;
const checkSchemaEveryMs = 1_000;
const refreshEveryMs = 2_000;

/** One process of the service: database → jobs → HTTP. Returns its address. */
export async function startService(options: ServiceOptions): Promise<string> {
  const { config, databaseUrl, keys, log, opened, hasStarted } = options;
  const onError = ({ message }: Error) => log.warn({ reason: message }, 'A database connection was lost.');
  const open = (settings: Omit<DatabaseOptions, 'url' | 'onError'>) => {
    const database = openDatabase({ url: databaseUrl, onError, ...settings });
    opened.push(() => database.close());
    return database;
  };
  const database = open({
    name: config.role,
    maxConnections: 12,
    statementTimeoutMs: requestStatementTimeoutMs,
    byKey: true,
  });
  // Health checks have their own connection, so that they take none from requests.
  const health = open({ name: 'health', maxConnections: 1, statementTimeoutMs: healthStatementTimeoutMs, byKey: true });
  const backlog = open({
    name: 'metrics',
    maxConnections: 1,
    statementTimeoutMs: healthStatementTimeoutMs,
    byKey: true,
  });
  const metrics: Metrics = {
    ...createMetrics(() => readBacklog(backlog).catch(() => ({ depth: NaN, oldestAgeSeconds: NaN }))),
    ...(cluster.isWorker && { read: readSumOfMetrics }),
  };

  const createWorker = () => {
    const statementTimeoutMs = jobStatementTimeoutMs;
    const timeouts = { statementTimeoutMs, lockTimeoutMs: jobLockTimeoutMs };
    const jobs = open({ name: 'jobs', maxConnections: 12, ...timeouts, byKey: true });
    const fulfilment = createFulfilment(jobs, keys, metrics, log);
    const runner = startWorker(
      jobs,
      jobHandlers(jobs, fulfilment, log, () => void worker.stop()),
      log,
    );
    // Jobs stop first, because they hand orders to the fulfilment.
    const worker = { isRunning: runner.isRunning, stop: () => runner.stop().then(() => fulfilment.stop()) };
    opened.push(worker.stop);
    return worker;
  };
  // Separate pools: slow reports and long workspace locks take no connection from accepting orders.
  const createInterfaces = (): Interfaces => {
    const statementTimeoutMs = requestStatementTimeoutMs;
    const people = open({
      name: 'people',
      maxConnections: 6,
      statementTimeoutMs,
      lockTimeoutMs: requestLockTimeoutMs,
      byKey: true,
    });
    const lookUps = open({ name: 'look-ups', maxConnections: 4, statementTimeoutMs, byKey: true });
    const reports = open({ name: 'reports', maxConnections: 4, statementTimeoutMs });
    const exports = open({ name: 'exports', maxConnections: 4, statementTimeoutMs, byKey: true });
    const grants = new Grants(database, config.environment, (onChange) => {
      const listener = new Listener(databaseUrl, grantsChannel, onChange);
      opened.push(() => listener.close());
      return listener;
    });
    const resources = {
      orders: {
        acceptance: new Acceptance(database, (size) => metrics.batchSize.observe({ step: 'accept' }, size)),
        orders: new OrderReads(database, keys),
        onAccepted: (replayed: boolean) => (replayed ? metrics.replayed : metrics.accepted).inc(),
      },
      reports: { grants, reports, lookUps, exports },
      members: { reports },
      shoutouts: { shoutouts: new Shoutouts(people, readAhead), people, reports },
      reasons: { lookUps, people },
    };
    return { grants, api: { currencies: config.currencies, resources }, scim: { lookUps, people, reports } };
  };

  // Creating the server blocks the event loop for a while, so it comes before the worker and before anybody can connect.
  let worker: Worker | null = null;
  const server = await createServer({
    log,
    metrics,
    areas: listAreas({
      health: { readiness: createReadiness(health, () => worker, hasStarted), metrics },
      interfaces: config.role === 'worker' ? null : createInterfaces(),
    }),
  });
  if (config.role !== 'api') worker = createWorker();
  await server.listen(listenOptions(config)).catch((error) => {
    throw listenFailure(error, config);
  });
  opened.push(() => server.close());
  return baseUrl(config.host, (server.server.address() as AddressInfo).port);
}

function createFulfilment(database: Database, keys: GiftTokenKeys, metrics: Metrics, log: Logger): Fulfilment {
  return new Fulfilment({
    database,
    keys,
    checkSchema,
    events: {
      onCompleted(orders, gifts) {
        metrics.completed.inc(orders);
        metrics.gifts.inc(gifts);
        metrics.batchSize.observe({ step: 'fulfil' }, orders);
      },
      onFailed(requestId, reason) {
        metrics.failed.inc();
        log.error({ requestId, reason }, 'An order has failed.');
      },
      onPostponed(workspaceId, requestId, error) {
        const what = requestId === null ? 'Orders of a workspace' : 'An order';
        log.warn({ workspaceId, requestId, err: error }, `${what} could not be fulfilled and will be tried again.`);
      },
    },
  });
}

/** `stopWorking` is called when a newer version has changed the schema. */
function jobHandlers(database: Database, fulfilment: Fulfilment, log: Logger, stopWorking: () => void) {
  return {
    tasks: { fulfil: (payload: unknown) => wakeUp(database, fulfilment, payload) },
    recurring: [
      {
        name: 'The search for forgotten orders',
        everyMs: wakeAllEveryMs,
        async run(fresh: boolean) {
          const forgotten = await wakeForgotten(database, fulfilment, fresh);
          if (forgotten === 0) return undefined;
          log.info({ workspaces: forgotten }, 'Found orders that were left waiting.');
          return 'lost' as const;
        },
      },
      {
        name: 'The schema check',
        everyMs: checkSchemaEveryMs,
        async run() {
          const { unknown } = await readSchema(database);
          if (unknown.length === 0) return undefined;
          log.error(
            { unknown },
            'A newer version has changed the database: this node stops fulfilling orders. Replace it.',
          );
          stopWorking();
          return undefined;
        },
      },
      {
        name: 'Refresh of planner statistics',
        everyMs: refreshEveryMs,
        async run() {
          await refreshStatistics(database);
          return undefined;
        },
      },
    ],
  };
}

function createReadiness(database: Database, findWorker: () => Worker | null, hasStarted: () => boolean): Readiness {
  return async () => {
    const worker = findWorker();
    const checks: Record<string, Check> = {};
    try {
      const { pending, unknown } = await readSchema(database);
      const detail = unknown.length > 0 ? 'newer' : pending.length > 0 ? 'pending' : 'current';
      checks.database = { ok: true, detail: 'answers' };
      checks.migrations = { ok: detail === 'current', detail };
    } catch {
      checks.database = { ok: false, detail: 'does not answer' };
    }
    if (worker) checks.worker = { ok: worker.isRunning(), detail: worker.isRunning() ? 'running' : 'not running' };
    if (!hasStarted()) checks.start = { ok: false, detail: 'under way' };
    return checks;
  };
}
