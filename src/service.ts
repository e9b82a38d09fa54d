import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { type BackgroundParts, createWorker, startSender } from './background.ts';
import { Grants, grantsChannel } from './company/access/grants.ts';
import { createOidcProvider } from './company/access/oidc.ts';
import { ReadTraces } from './company/access/read-traces.ts';
import { TokenUses } from './company/access/token-uses.ts';
import { EventPulse } from './company/events/pulse.ts';
import { createGuardedAgent } from './company/events/webhooks/connector.ts';
import { networksOf } from './company/events/webhooks/networks.ts';
import { consoleFolder, myFolder } from './console.ts';
import { createExports } from './doors/http/areas/api/exports.ts';
import type { ApiParts } from './doors/http/areas/api/parts.ts';
import { previewPage } from './doors/http/areas/gift-page/preview.ts';
import { createReadiness } from './doors/http/areas/health/readiness.ts';
import { type Interfaces, listAreas } from './doors/http/areas.ts';
import { closeConnectionsOneByOne } from './doors/http/connections/connections.ts';
import { listenFailure, listenOptions } from './doors/http/connections/listen.ts';
import { guardCodes } from './doors/http/limits/guesses.ts';
import { createServer } from './doors/http/server.ts';
import { letterheadOf } from './giving/delivery/compose/message.ts';
import { giftMails } from './giving/delivery/gift-mails.ts';
import { DirectMail } from './giving/delivery/send/direct-mail.ts';
import { Rush } from './giving/delivery/send/rush.ts';
import type { MailSender } from './giving/delivery/send/sender.ts';
import { hasMailServer } from './giving/delivery/send/transport.ts';
import { deriveIfKnown, deriveSecret, type GiftTokenKeys } from './giving/gifts/token-keys.ts';
import { Acceptance } from './giving/orders/accept.ts';
import { readPendingLines } from './giving/orders/pending-lines.ts';
import { OrderReads } from './giving/orders/read.ts';
import { retryOrder } from './giving/orders/retry.ts';
import { OrderTrial } from './giving/orders/validate.ts';
import { tryToStore, type Writability, watchWrites } from './giving/orders/writability.ts';
import { Shoutouts } from './giving/recognition/give.ts';
import { baseUrl, type Config } from './ground/config/config.ts';
import { type Database, openDatabase } from './ground/database/database.ts';
import { Listener } from './ground/database/listener.ts';
import { type ConnectionPool, pools } from './ground/database/pools.ts';
import { Replica } from './ground/database/replica.ts';
import type { Worker } from './ground/jobs/worker.ts';
import { logLostConnections } from './ground/log.ts';
import type { Metrics } from './ground/metrics.ts';
import { openMetrics } from './readings.ts';
import { retentions } from './retention.ts';
import { acceptSteps, createSteps } from './steps.ts';
import { undoKinds } from './undos.ts';

export interface ServiceOptions {
  config: Config;
  databaseUrl: string;
  keys: GiftTokenKeys;
  log: Logger;
  /** What this process opens is added here; the caller closes it. */
  opened: AsyncDisposableStack;
  hasStarted: () => boolean;
  draining: AbortSignal;
}

interface Parts extends ServiceOptions, BackgroundParts {
  /** Where this process listens, once it does. */
  address: () => string;
  writability: Writability;
  /** A pool for reads, which run on the replica if there is one. */
  openReads: (pool: ConnectionPool) => Database;
}

/** One process of the service: database → worker → HTTP. Returns its address. */
export async function startService(options: ServiceOptions): Promise<string> {
  const { config, databaseUrl, log, opened, hasStarted, draining } = options;
  const onError = logLostConnections(log);
  const connect = (pool: ConnectionPool) =>
    opened.adopt(openDatabase({ url: databaseUrl, onError, ...pool }), (database) => database.close());
  const metrics = openMetrics(connect(pools.metrics), config.backupFolder !== null);
  const open = (pool: ConnectionPool) => {
    const database = connect(pool);
    metrics.watchPool(pool.name, database.pool);
    return database;
  };
  const openReads = readsOf({ ...options, metrics, onError }, open);
  const rush = new Rush();
  const mailsUsers = hasMailServer(config);
  const steps = createSteps({ metrics, log, mailsGifts: config.mailServer !== 'off', mailsUsers, rush });
  // Opened before the dispatcher, so that it is closed after it.
  const agent = opened.adopt(createGuardedAgent({ networks: networksOf(config) }), (one) => one.destroy());
  let url = baseUrl(config.host, config.port);
  const health = open(pools.health);
  const writability = watchWrites(() => tryToStore(health));
  const acceptsOrders = config.role !== 'worker';
  const parts: Parts = { ...options, address: () => url, open, openReads, metrics, steps, rush, agent, writability };
  // Creating the server blocks the event loop for a while, so it comes before the worker and before clients can connect.
  let worker: Worker | null = null;
  let sender: MailSender | null = null;
  const server = await createServer({
    log,
    isTraced: config.traces !== null,
    metrics,
    trustedProxies: config.trustedProxies,
    corsOrigins: config.corsOrigins,
    areas: listAreas({
      health: {
        readiness: createReadiness({
          database: health,
          canStore: acceptsOrders ? writability.check : null,
          findWorker: () => worker,
          hasStarted,
        }),
        metrics,
        isDraining: () => draining.aborted,
      },
      interfaces: acceptsOrders ? await createInterfaces(parts) : null,
    }),
  });
  if (config.role !== 'api') worker = createWorker(parts, () => void sender?.stop());
  await server.listen(listenOptions(config)).catch((error) => {
    throw listenFailure(error, config);
  });
  opened.defer(() => server.close());
  draining.addEventListener('abort', () => closeConnectionsOneByOne(server));
  url = baseUrl(config.host, (server.server.address() as AddressInfo).port);
  // Begins when it is known where the service listens, because links may have to begin with that address.
  if (config.role !== 'api' && config.mailServer !== 'off') sender = await startSender(parts, url);
  return url;
}

async function createInterfaces(parts: Parts): Promise<Interfaces> {
  const { config, databaseUrl, keys, log, opened, open, openReads, metrics, steps, agent, writability } = parts;
  const { environment } = config;
  const requests = open(pools.requests);
  // Connected before the first request: a flood keeps the process busy for longer than a connection may take to open.
  await requests.query('select 1').catch(() => {});
  const people = open(pools.people);
  const lookUps = open(pools.lookUps);
  const imports = open(pools.imports);
  const reports = openReads(pools.reports);
  const listen = (onChange: () => void) =>
    opened.adopt(new Listener(databaseUrl, grantsChannel, onChange), (listener) => listener.close());
  const grants = new Grants(requests, config.environment, listen);
  const traces = opened.adopt(openTraces(requests, log), (one) => one.close());
  const tokenUses = opened.adopt(openTokenUses(requests, log), (one) => one.close());
  const exports = createExports(grants, openReads(pools.exports), traces);
  const letterhead = () => letterheadOf(config, keys, parts.address());
  const directMail = opened.adopt(new DirectMail(config), (one) => one.close());
  const mails = config.mailServer === 'off' ? null : giftMails;
  const userMails = hasMailServer(config) ? { letterhead, directMail } : null;
  const acceptance = new Acceptance(requests, steps.accept, writability.doubt);
  const shoutouts = new Shoutouts(people, readPendingLines, steps.shoutouts);
  const desk = { database: people, keys, mails, lookUpCode: guardCodes(metrics, log) };
  const kiosk = { current: keys.current, hashOf: deriveIfKnown(keys) };
  const api: ApiParts = {
    environment,
    currencies: config.currencies,
    address: () => config.publicUrl ?? parts.address(),
    lookUps,
    reports,
    people,
    imports,
    verification: openReads(pools.verification),
    payroll: open(pools.payroll),
    exports,
    traces,
    keys,
    kioskKeys: kiosk,
    acceptance,
    orders: new OrderReads(requests, keys),
    trial: new OrderTrial(lookUps, steps.accept),
    retry: (workspaceId, requestId, actor) => retryOrder(people, actor, requestId, acceptSteps, workspaceId),
    steps,
    shoutouts,
    desk,
    mailServer: config.mailServer,
    letterhead,
    previewPage,
    directMail,
    userMails,
    automations: { database: people, acceptance, shoutouts, emailManagers: steps.emailManagers },
    pulse: new EventPulse(lookUps),
    agent,
    networks: networksOf(config),
    deriveSecret: deriveSecret(keys),
    retentions,
    undoKinds,
  };
  return {
    grants,
    tokenUses,
    api,
    scim: { lookUps, people, reports, traces },
    console: { folder: consoleFolder },
    my: { folder: myFolder, lookUps },
    giftPage: { database: open(pools.giftPages), keys, mails, publicUrl: config.publicUrl, metrics },
    decisionPage: { lookUps, people, keys, steps, publicUrl: config.publicUrl },
    notePage: { lookUps, people, keys, shoutouts, publicUrl: config.publicUrl },
    session: { database: open(pools.signIn), ...signInOptions(config), kiosk, mails: userMails },
  };
}

function readsOf(
  { config, log, opened, metrics, onError }: ServiceOptions & { metrics: Metrics; onError: (error: Error) => void },
  open: (pool: ConnectionPool) => Database,
): (pool: ConnectionPool) => Database {
  const { reportsDatabaseUrl: url, reportsLagMs: mostLagMs } = config;
  if (url === null) return open;
  const replica = new Replica({
    mostLagMs,
    count: (server) => metrics.replicaReads.inc({ server }),
    onChange: (problem, error) =>
      problem === null
        ? log.info('Reports read from the replica again.')
        : log.warn({ err: error }, `Reports read from the primary: the replica is ${problem}.`),
  });
  return (pool) => {
    const options = { ...pool, url, onError, name: `${pool.name} replica`, isReplica: true };
    const there = opened.adopt(openDatabase(options), (database) => database.close());
    metrics.watchPool(options.name, there.pool);
    return replica.reads(open(pool), there);
  };
}

function openTraces(database: Database, log: Logger): ReadTraces {
  const problem = 'Counts of reads could not be written to the audit log. They are kept for the next attempt.';
  return new ReadTraces(database, { onProblem: (error) => log.warn({ err: error }, problem) });
}

function openTokenUses(database: Database, log: Logger): TokenUses {
  const problem = 'Counts of the requests of tokens could not be written. They are kept for the next attempt.';
  return new TokenUses(database, { onProblem: (error) => log.warn({ err: error }, problem) });
}

function signInOptions({ environment, sessionHours, publicUrl, oidc }: Config) {
  return { environment, sessionHours, publicUrl, oidc: oidc && createOidcProvider(oidc) };
}
