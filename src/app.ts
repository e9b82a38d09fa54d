import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import packageJson from '../package.json' with { type: 'json' };
import { makeSignInLink, signInAddress } from './company/access/sessions.ts';
import { findFirstOwner } from './company/access/users.ts';
import { atTheCommandLine } from './company/workspaces/audit.ts';
import { createDemo, type Demo } from './doors/demo/demo.ts';
import { loadKeys, registerKeys } from './giving/gifts/token-keys.ts';
import type { Config } from './ground/config/config.ts';
import { type Database, openDatabase, queryOne } from './ground/database/database.ts';
import { openEmbeddedServer } from './ground/database/embedded/server.ts';
import { checkEnvironment, claimEnvironment } from './ground/database/environment.ts';
import { migrate } from './ground/database/migrate.ts';
import { pools } from './ground/database/pools.ts';
import { checkRightsToRun } from './ground/database/rights.ts';
import { readSchema, refuseForeignSchema } from './ground/database/schema.ts';
import { checkServer } from './ground/database/server.ts';
import { startTraceExport } from './ground/traces/export.ts';
import { checkErasures } from './insight/rights/erase-again.ts';
import { startProcesses } from './processes.ts';
import { startService } from './service.ts';

export interface App extends Access {
  url: string;
  demo: Demo | null;
  /** Signs the first owner in once; null if it was not requested, or there is no owner. */
  signInLink: string | null;
  /** Lets load balancers notice that the node is about to stop. It still serves. */
  drain(): void;
  stop(): Promise<void>;
}

interface Access {
  hasWorkspaces: boolean;
  hasTokens: boolean;
}

interface Start {
  config: Config;
  log: Logger;
  opened: AsyncDisposableStack;
  draining: AbortSignal;
  wantsLink: boolean;
}

/** Starts the service. What was opened is closed in reverse order on stop, and when a step fails. */
export async function startApp(config: Config, log: Logger, { wantsLink = false } = {}): Promise<App> {
  const opened = new AsyncDisposableStack();
  const stop = () =>
    opened.disposeAsync().catch((error) => log.warn({ err: error }, 'Not everything could be closed.'));
  try {
    const draining = new AbortController();
    const started = await start({ config, log, opened, draining: draining.signal, wantsLink });
    return { ...started, drain: () => draining.abort(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Config → database → schema and keys → the service, in this process or in several → the demo. */
async function start({ config, log, opened, draining, wantsLink }: Start): Promise<Omit<App, 'drain' | 'stop'>> {
  const databaseUrl = config.databaseUrl ?? (await startEmbeddedServer(config, log, opened));
  await using opening = new AsyncDisposableStack();
  const setup = opening.adopt(openDatabase({ url: databaseUrl, ...pools.setup }), (database) => database.close());
  const keys = await prepare(config, setup, log);
  let started = false;
  // With several processes, each of them exports what it traces, and this one serves nothing.
  if (config.processes === 1)
    opened.adopt(await startTraceExport(config.traces, packageJson.version), (one) => one.stop());
  const url =
    config.processes === 1
      ? await startService({ config, databaseUrl, keys, log, opened, draining, hasStarted: () => started })
      : await startProcesses({ config, databaseUrl, log, opened });
  // Last, because every step before can fail: only the start that makes the demo shows its token.
  const demo = config.demo
    ? await createDemo(setup, keys, () => log.info('First start: adding a demo company with a year of gifts.'))
    : null;
  const access = await readAccess(setup);
  const signInLink = wantsLink ? await makeOwnersLink(setup, config, url) : null;
  started = true;
  return { url, demo, signInLink, ...access };
}

async function startEmbeddedServer(config: Config, log: Logger, opened: AsyncDisposableStack): Promise<string> {
  if (!existsSync(join(config.dataDir, 'postgres')))
    log.info('First start: creating the embedded PostgreSQL. This takes about ten seconds.');
  const embedded = await openEmbeddedServer({
    dataDir: config.dataDir,
    exclusive: true,
    onNotice: (message) => log.warn(message),
  });
  opened.defer(embedded.stop);
  return embedded.url;
}

async function prepare(config: Config, database: Database, log: Logger) {
  const warning = await checkServer(database.url);
  if (warning) log.warn(warning);
  await checkRightsToRun(database);
  const schema = await readSchema(database);
  refuseForeignSchema(schema);
  if (schema.isNew) log.info('First start: creating the tables.');
  else await checkEnvironment(database, config.environment);
  await migrate(database, undefined, { say: (message) => log.info(message) });
  await claimEnvironment(database, config.environment);
  const erasedAgain = await checkErasures(database, config.backupFolder);
  if (erasedAgain) log.warn(erasedAgain);
  const keys = await loadKeys(config.tokenKeys, config.dataDir, database);
  await registerKeys(database, keys);
  return keys;
}

async function makeOwnersLink(database: Database, config: Config, url: string): Promise<string | null> {
  const owner = await findFirstOwner(database);
  if (!owner) return null;
  const { secret } = await database.transaction((tx) =>
    makeSignInLink(tx, atTheCommandLine, config.environment, owner),
  );
  return signInAddress(config.publicUrl ?? url, secret);
}

function readAccess(database: Database): Promise<Access> {
  return queryOne<Access>(
    database,
    `select exists (select from workspaces) as "hasWorkspaces", exists (select from api_tokens) as "hasTokens"`,
  );
}
