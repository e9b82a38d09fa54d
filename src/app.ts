import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { Grants } from './access/grants.ts';
import { baseUrl, type Config } from './config.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database/database.ts';
import { type EmbeddedServer, openEmbeddedServer } from './database/embedded/server.ts';
import { claimEnvironment } from './database/environment.ts';
import { migrate, readMigrations } from './database/migrate.ts';
import { createDemo, type Demo } from './demo/demo.ts';
import { Failure } from './errors.ts';
import type { Check, Readiness } from './http/routes/health.ts';
import { createServer } from './http/server.ts';
import { startWorker, type Worker } from './jobs/worker.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { Acceptance } from './orders/accept.ts';
import { Fulfilment, type Waiting } from './orders/fulfil.ts';
import { type GiftTokenKeys, loadKeys, registerKeys } from './orders/gift-tokens.ts';
import { OrderReads } from './orders/read.ts';
import { readBacklog, recoverOverdue } from './orders/recover.ts';

export interface App {
  url: string;
  demo: Demo | null;
  hasWorkspaces: boolean;
  hasTokens: boolean;
  stop(): Promise<void>;
}

const requestStatementTimeoutMs = 2_500;
const jobStatementTimeoutMs = 30_000;
const jobLockTimeoutMs = 2_000;
const setupStatementTimeoutMs = 600_000;
const recoverEveryMs = 5_000;
const overdueAfterMs = 10_000;

/** Config → database → jobs → HTTP. Whatever was opened is closed again in the opposite order, also when a step fails. */
export async function startApp(config: Config, log: Logger): Promise<App> {
  const opened: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const close of opened.splice(0).reverse()) await close().catch((error) => log.warn({ err: error }, 'closing'));
  };
  try {
    const connection = await connect(config, log, opened);
    const onError = ({ message }: Error) => log.warn({ reason: message }, 'A database connection was lost.');
    const open = (options: Omit<DatabaseOptions, 'connection' | 'onError'>) => {
      const database = openDatabase({ connection, onError, ...options });
      opened.push(() => database.close());
      return database;
    };
    const setup = open({ name: 'setup', maxConnections: 4, statementTimeoutMs: setupStatementTimeoutMs });
    const keys = await prepare(config, setup);
    const database = open({
      name: config.role,
      maxConnections: 12,
      statementTimeoutMs: requestStatementTimeoutMs,
      plansOnce: true,
    });

    const metrics = createMetrics(() => readBacklog(database).catch(() => ({ depth: NaN, oldestAgeSeconds: NaN })));
    let started = false;
    let worker: Worker | null = null;
    if (config.role !== 'api') {
      const jobs = open({
        name: 'jobs',
        maxConnections: 12,
        statementTimeoutMs: jobStatementTimeoutMs,
        lockTimeoutMs: jobLockTimeoutMs,
      });
      worker = startWorker(jobs, jobHandlers(jobs, keys, metrics, log), log);
      opened.push(worker.stop);
    }

    const server = await createServer({
      log,
      metrics,
      currencies: config.currencies,
      readiness: createReadiness(database, worker, () => started),
      api:
        config.role === 'worker'
          ? null
          : api(
              config,
              database,
              open({ name: 'reports', maxConnections: 4, statementTimeoutMs: requestStatementTimeoutMs }),
              keys,
              metrics,
            ),
    });
    await server.listen({ host: config.host, port: config.port }).catch((error) => {
      throw listenFailure(error, config);
    });
    opened.push(() => server.close());
    // After everything that may fail: the demo's token is shown once, by the start that made it.
    const demo = config.demo ? await createDemo(setup, keys) : null;
    const access = await readAccess(setup);
    started = true;
    const { port } = server.server.address() as AddressInfo;
    return { url: baseUrl(config.host, port), demo, ...access, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function connect(config: Config, log: Logger, opened: (() => Promise<void>)[]) {
  if (config.databaseUrl !== null) return { connectionString: config.databaseUrl };
  const embedded: EmbeddedServer = await openEmbeddedServer({
    dataDir: config.dataDir,
    exclusive: true,
    onNotice: (message) => log.warn(message),
  });
  opened.push(embedded.stop);
  return embedded.connection;
}

async function prepare(config: Config, database: Database) {
  await migrate(database);
  await claimEnvironment(database, config.environment);
  const keys = await loadKeys(config.tokenKeys, config.dataDir);
  await registerKeys(database, keys);
  return keys;
}

async function readAccess(database: Database) {
  const [access] = await database.query<{ hasWorkspaces: boolean; hasTokens: boolean }>(
    `select exists (select from workspaces) as "hasWorkspaces", exists (select from api_tokens) as "hasTokens"`,
  );
  return access as { hasWorkspaces: boolean; hasTokens: boolean };
}

function jobHandlers(database: Database, keys: GiftTokenKeys, metrics: Metrics, log: Logger) {
  const fulfilment = new Fulfilment(database, keys, {
    onCompleted(orders, gifts) {
      metrics.completed.inc(orders);
      metrics.gifts.inc(gifts);
      metrics.batchSize.observe({ step: 'fulfil' }, orders);
    },
    onFailed(requestId, reason) {
      metrics.failed.inc();
      log.error({ requestId, reason }, 'An order has failed.');
    },
  });
  return {
    tasks: { fulfil: (payload: unknown) => fulfilment.fulfil(wakeUp(payload as WakeUp)) },
    recurring: [
      {
        name: 'The search for forgotten orders',
        everyMs: recoverEveryMs,
        async run(fresh: boolean) {
          const count = await recoverOverdue(database, fulfilment, fresh ? 0 : overdueAfterMs);
          if (count > 0) log.info({ count }, 'Fulfilled orders that were left waiting.');
        },
      },
    ],
  };
}

/** The payload of a job, as acceptance writes it. */
interface WakeUp {
  workspaceIds: number[];
  requestIds: string[];
  gifts?: number[];
}

function wakeUp({ workspaceIds, requestIds, gifts }: WakeUp): Waiting[] {
  return requestIds.map((requestId, index) => ({
    workspaceId: workspaceIds[index] as number,
    requestId,
    gifts: gifts?.[index] ?? 1,
  }));
}

function api(config: Config, database: Database, reports: Database, keys: GiftTokenKeys, metrics: Metrics) {
  return {
    // Connections of their own: however slow a report is, orders are accepted.
    database: reports,
    grants: new Grants(database, config.environment),
    acceptance: new Acceptance(database, (size) => metrics.batchSize.observe({ step: 'accept' }, size)),
    orders: new OrderReads(database, keys),
    onAccepted: (replayed: boolean) => (replayed ? metrics.replayed : metrics.accepted).inc(),
  };
}

function createReadiness(database: Database, worker: Worker | null, hasStarted: () => boolean): Readiness {
  return async () => {
    const checks: Record<string, Check> = {};
    try {
      const { pending } = await readMigrations(database);
      checks.database = { ok: true, detail: 'answers' };
      checks.migrations = { ok: pending.length === 0, detail: pending.length === 0 ? 'current' : 'pending' };
    } catch {
      checks.database = { ok: false, detail: 'does not answer' };
    }
    if (worker) checks.worker = { ok: worker.isRunning(), detail: worker.isRunning() ? 'running' : 'not running' };
    if (!hasStarted()) checks.start = { ok: false, detail: 'under way' };
    return checks;
  };
}

function listenFailure(error: NodeJS.ErrnoException, { host, port }: Config): unknown {
  if (error.code === 'EADDRINUSE')
    return new Failure('setup', `Port ${port} on ${host} is taken: stop what uses it, or set PORT to another.`);
  if (error.code === 'EACCES')
    return new Failure('setup', `Port ${port} may not be used by this user: set PORT to one above 1023.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new Failure('setup', `HOST ${host} is not an address of this machine.`);
  return error;
}
