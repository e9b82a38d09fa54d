import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { type Database, openDatabase } from './database/database.ts';
import { openEmbeddedServer } from './database/embedded/server.ts';
import { checkEnvironment, claimEnvironment } from './database/environment.ts';
import { migrate } from './database/migrate.ts';
import { checkRightsToRun } from './database/rights.ts';
import { readSchema } from './database/schema.ts';
import { checkServer } from './database/server.ts';
import { createDemo, type Demo } from './demo/demo.ts';
import { loadKeys, registerKeys } from './gifts/token-keys.ts';
import { startProcesses } from './processes.ts';
import { startService } from './service.ts';

export interface App {
  url: string;
  demo: Demo | null;
  hasWorkspaces: boolean;
  hasTokens: boolean;
  stop(): Promise<void>;
}

const setupStatementTimeoutMs = 600_000;

/**
 * Config → database → schema and keys → the service, in this process or in several → the demo. On stop, and when a step
 * fails, the close functions run in reverse order.
 */
export async function startApp(config: Config, log: Logger): Promise<App> {
  const opened: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const close of opened.splice(0).reverse()) await close().catch((error) => log.warn({ err: error }, 'closing'));
  };
  try {
    const databaseUrl = config.databaseUrl ?? (await startEmbeddedServer(config, log, opened));
    const statementTimeoutMs = setupStatementTimeoutMs;
    const setup = openDatabase({ url: databaseUrl, name: 'setup', maxConnections: 4, statementTimeoutMs });
    opened.push(() => setup.close());
    const keys = await prepare(config, setup, log);
    let started = false;
    const url =
      config.processes === 1
        ? await startService({ config, databaseUrl, keys, log, opened, hasStarted: () => started })
        : await startProcesses({ config, databaseUrl, log, opened });
    // Last, because every step before can fail: only the start that makes the demo shows its token.
    const demo = config.demo ? await createDemo(setup, keys) : null;
    const access = await readAccess(setup);
    started = true;
    return { url, demo, ...access, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startEmbeddedServer(config: Config, log: Logger, opened: (() => Promise<void>)[]): Promise<string> {
  const embedded = await openEmbeddedServer({
    dataDir: config.dataDir,
    exclusive: true,
    onNotice: (message) => log.warn(message),
  });
  opened.push(embedded.stop);
  return embedded.url;
}

async function prepare(config: Config, database: Database, log: Logger) {
  const warning = await checkServer(database.url);
  if (warning) log.warn(warning);
  await checkRightsToRun(database);
  if (!(await readSchema(database)).isNew) await checkEnvironment(database, config.environment);
  await migrate(database);
  await claimEnvironment(database, config.environment);
  const keys = await loadKeys(config.tokenKeys, config.dataDir, database);
  await registerKeys(database, keys);
  return keys;
}

async function readAccess(database: Database) {
  const [access] = await database.query<{ hasWorkspaces: boolean; hasTokens: boolean }>(
    `select exists (select from workspaces) as "hasWorkspaces", exists (select from api_tokens) as "hasTokens"`,
  );
  return access as { hasWorkspaces: boolean; hasTokens: boolean };
}
